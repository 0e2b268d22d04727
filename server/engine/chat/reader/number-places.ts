/** Numbers of a text and where they stand. */
import type { ValueWords } from './values.ts';
import { segmentWords } from './words.ts';

const mostNumbers = 40;

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
      const isNegative = /(?:^|[\s([=,])[-−]$/u.test(text.slice(Math.max(0, start - 2), start));
      found.push({ start: isNegative ? start - 1 : start, end, isSpelled });
    }
    if (found.length >= mostNumbers) break;
  }
  return found;
}
