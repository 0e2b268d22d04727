/** Lines of a page that may be the rows of a table. */
import type { Box, Ruling } from '../../vision/geometry.ts';
import type { Segment } from '../document.ts';

export interface Line {
  segments: Segment[];
  baseline: number;
  size: number;
  box: Box;
}

export interface RowRun {
  lines: Line[];
  rules: Ruling[];
}

const isNumber = (text: string): boolean => /\d/.test(text) && text.replace(/[^\p{L}]/gu, '').length <= 3;

export const isDataText = (text: string): boolean =>
  isNumber(text) || /^[-–—*xX✓.…/]{1,3}$|^n\.?a\.?$/i.test(text);
