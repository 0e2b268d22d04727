/** Lines of an MRZ as recognition gives them, brought to their form: fillers, lengths, letters and digits. */

import { toAllowed } from './mrz-check.ts';
import { type MrzFormat, mrzLayouts } from './mrz-layouts.ts';

/** Characters that recognizers give for a filler. */
const fillerShapes = /[«‹〈《＜({[€]/g;

export const toMrzText = (line: string): string =>
  line
    .toUpperCase()
    .replace(/\s/g, '')
    .replace(fillerShapes, '<')
    .replace(/×/g, 'X')
    .replace(/[.,:;'’`_-]/g, '');

/** K, C, L, E, S and X stand for fillers where nothing but fillers follows. */
function cleanTail(line: string): string {
  const run = /<{3,}/.exec(line);
  if (run) return line.slice(0, run.index).padEnd(line.length, '<');
  const tail = /<[<KCLESX]{2,}$/.exec(line);
  const fillers = tail?.[0].match(/</g)?.length ?? 0;
  return tail && fillers >= 0.6 * tail[0].length ? line.slice(0, tail.index).padEnd(line.length, '<') : line;
}

/** Only names end in fillers alone: their length is a matter of padding. */
const endsInNames = (format: MrzFormat, line: number): boolean => line === (format === 'TD1' ? 2 : 0);

const maxDifference = 7;

/** Ways to bring a line to its length: at its end, and at each run of fillers, which are miscounted most. */
function lengthened(line: string, length: number): string[] {
  const difference = length - line.length;
  if (difference === 0) return [line];
  if (Math.abs(difference) > maxDifference) return [];
  const atEnd = difference > 0 ? line.padEnd(length, '<') : line.slice(0, length);
  const inRuns = [...line.matchAll(/<+/g)].flatMap((run) => {
    const count = run[0].length + difference;
    return count < 0
      ? []
      : [line.slice(0, run.index) + '<'.repeat(count) + line.slice(run.index + run[0].length)];
  });
  return [...new Set([...inRuns, atEnd])];
}

export interface FittedLine {
  text: string;
  /** As it was read, before letters were taken for digits or digits for letters. */
  read: string;
}

/** Readings of a line as that line of a form, at most one for each way to bring it to its length. */
export function fitLine(line: string, format: MrzFormat, at: number): FittedLine[] {
  const places = mrzLayouts[format][at]!;
  const names = endsInNames(format, at);
  const clean = names ? cleanTail(line).replace(/<+$/, '') : line;
  const fitted = names
    ? [clean.padEnd(places.length, '<').slice(0, places.length)]
    : lengthened(clean, places.length);
  return fitted.map((read) => ({
    read,
    text: [...read].map((char, place) => toAllowed(char, places[place]!)).join(''),
  }));
}
