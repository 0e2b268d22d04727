/** Numbers that stand one behind the other: “12, 24 and 36”, “(40.7, -74)”. */
import { numberPlaces } from './number-places.ts';
import type { Reading } from './reader.ts';
import { numberOf, type ValueWords } from './values.ts';

export interface NumberRun {
  start: number;
  values: number[];
}

/** @param taken begins of runs that others have @returns the run that the reading means, or null where there is none */
export function numberRun(
  text: string,
  { place, within }: Reading,
  taken: readonly number[],
  words: ValueWords,
): NumberRun | null {
  const runs: { start: number; end: number; said: string[] }[] = [];
  for (const { end, start } of numberPlaces(text, words)) {
    const last = runs.at(-1);
    if (last && start - last.end <= widest && words.run.test(text.slice(last.end, start))) {
      last.end = end;
      last.said.push(text.slice(start, end));
    } else runs.push({ start, end, said: [text.slice(start, end)] });
  }
  const isMeant = ({ end, start }: { start: number; end: number }) =>
    place !== null && start <= place.start && place.start < end;
  const scored = runs
    .filter(({ start }) => !taken.includes(start))
    .map((run) => ({
      run,
      score:
        (within(run.start, run.end)?.score ?? -Infinity) +
        (isMeant(run) ? 1 : 0) +
        (run.said.length > 1 ? severalNumbers : 0),
    }))
    .sort((a, b) => b.score - a.score);
  const [best] = scored;
  if (!best || best.score === -Infinity) return null;
  const values = best.run.said.map((said) => numberOf(said, words)).filter((value) => value !== undefined);
  return { start: best.run.start, values };
}

/** Characters between two numbers of a run. */
const widest = 40;

/** Log odds that a list has more than one number. */
const severalNumbers = 3;
