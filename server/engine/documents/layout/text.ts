/** Plain text of a page: regions in reading order, each set on a grid of characters so that columns stay in place. */

import { heightOf, widthOf } from '../../vision/geometry.ts';
import type { Page, Word } from '../document.ts';
import { type LayoutRegion, toRegions } from './layout-regions.ts';
import { median } from './median.ts';

import { toRows, toSegment, toSegments } from './segments.ts';

/** Blank lines kept between two lines that are far apart. */
const maxBlankLines = 2;

function characterWidth(words: Word[]): number {
  const widths = words
    .filter((word) => word.text.length > 1)
    .map((word) => widthOf(word.box) / word.text.length);
  return Math.max(2, median(widths) || 5);
}

function renderRow(row: Word[], left: number, unit: number): string {
  let line = '';
  for (const segment of toSegments(row)) {
    const column = Math.round((segment.box[0] - left) / unit);
    const blanks = Math.max(line === '' ? 0 : 2, column - line.length);
    line += ' '.repeat(Math.min(blanks, 200)) + segment.text;
  }
  return line;
}

function renderRegion(region: LayoutRegion): string {
  const words = region.segments.flatMap((segment) => segment.words);
  const left = Math.min(...words.map((word) => word.box[0]));
  const unit = characterWidth(words);
  const lines: string[] = [];
  let previous: Word[] | null = null;
  for (const row of toRows(words)) {
    if (previous) {
      const gap = row[0]!.baseline - previous[0]!.baseline;
      const pitch = 1.3 * Math.max(4, median(row.map((word) => heightOf(word.box))));
      for (let blank = 1; blank < Math.min(maxBlankLines + 1, Math.round(gap / pitch)); blank++)
        lines.push('');
    }
    lines.push(renderRow(row, left, unit));
    previous = row;
  }
  return lines.join('\n');
}

export function pageRegions(page: Page): LayoutRegion[] {
  const segments = toRows(page.words.filter((word) => !word.turned)).flatMap((row) => toSegments(row));
  return segments.length === 0 ? [] : toRegions(segments);
}

export function pageText(page: Page): string {
  const turned = page.words.filter((word) => word.turned).map((word) => ({ segments: [toSegment([word])] }));
  return [...pageRegions(page), ...turned].map(renderRegion).join('\n\n');
}
