/** Numbers of a text and where they stand. */
import type { ValueWords } from './values.ts';
import { segmentWords } from './words.ts';

const mostNumbers = 40;
const longestMinus = 10;
/** “minus 4”, “零下四度” */
const minusWord = /(?<![\p{Script=Latin}\d])minus\s$|零下$/iu;

/** Numbers in digits, with a minus, and in words: “-4”, “two hundred and five”, “三十”. */
export function numberPlaces(
  text: string,
  { joint, multipliers, numbers }: ValueWords,
): { start: number; end: number }[] {
  const found: { start: number; end: number; isSpelled: boolean }[] = [];
  for (const { end, form, kind, start } of segmentWords(text)) {
    const isSpelled = kind !== 'number' && (form in numbers || form in multipliers) && form.length > 0;
    if (kind !== 'number' && !isSpelled) continue;
    const last = found.at(-1);
    if (last?.isSpelled && isSpelled && joint.test(text.slice(last.end, start))) last.end = end;
    else {
      const before = text.slice(Math.max(0, start - longestMinus), start);
      const minus = /(?<=^|[\s([=,])[-−]$/u.exec(before)?.[0] ?? minusWord.exec(before)?.[0] ?? '';
      // “零” of “零下” is no number.
      if (last && last.start >= start - minus.length) found.pop();
      found.push({ start: start - minus.length, end, isSpelled });
    }
    if (found.length >= mostNumbers) break;
  }
  return found;
}
