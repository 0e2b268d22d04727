import { expect, test } from 'vitest';
import type { Quad } from '../../../../server/engine/vision/geometry.ts';
import {
  type PixelTensor,
  type TextModels,
  topK,
} from '../../../../server/engine/vision/ocr/models/text-models.ts';
import { readLines } from '../../../../server/engine/vision/ocr/read-lines.ts';

const white = { width: 800, height: 400, data: new Uint8Array(3 * 800 * 400).fill(255) };
/** A mark at the begin of the first line. */
const inked = { ...white, data: white.data.slice() };
for (let y = 20; y < 40; y++) inked.data.fill(0, 3 * (y * 800 + 40), 3 * (y * 800 + 80));
/** Stripes of ink everywhere. */
const striped = { ...white, data: white.data.slice() };
for (let at = 0; at < striped.data.length; at += 18) striped.data.fill(0, at, at + 6);
const line = (y: number, width: number): Quad => [
  [40, y],
  [40 + width, y],
  [40 + width, y + 40],
  [40, y + 40],
];

/** Reads one letter in every crop; runs take longer the earlier they are asked for. */
function reader(letterOf: (run: number) => { letter: number; score: number }) {
  const runs: PixelTensor[] = [];
  const models: TextModels = {
    characters: ['', 'a', 'b', ' '],
    cropHeightPx: 48,
    findText: () => Promise.reject(new Error('nothing is looked for')),
    read: async (crops) => {
      const { letter, score } = letterOf(runs.push(crops) - 1);
      await new Promise((resolve) => setTimeout(resolve, 30 / runs.length));
      const classes = new Int32Array(crops.count * topK);
      const scores = new Float32Array(crops.count * topK);
      for (let index = 0; index < crops.count; index++) {
        classes[index * topK] = letter;
        scores[index * topK] = score;
      }
      return { timesteps: 1, classes, scores, blanks: new Float32Array(crops.count) };
    },
  };
  return { runs, models };
}

const textOf = (lines: Awaited<ReturnType<typeof readLines>>): string[] =>
  lines.map(({ words }) => words.map(({ text }) => text).join(' '));

test('lines come in the order of their places, whichever run ends first', async () => {
  const places = [line(10, 600), line(80, 60), line(150, 300)];
  const { models, runs } = reader(() => ({ letter: 1, score: 0.99 }));
  const lines = await readLines(white, places, models);
  expect(lines.map(({ quad }) => quad)).toEqual(places);
  expect(runs).toHaveLength(3);
});

test('a doubtful line is read again, wider, and the surer reading stays at its own place', async () => {
  const surer = reader((run) => (run === 0 ? { letter: 1, score: 0.7 } : { letter: 2, score: 0.95 }));
  const lines = await readLines(inked, [line(10, 300)], surer.models);
  expect(textOf(lines)).toEqual(['b']);
  expect(lines[0]!.quad).toEqual(line(10, 300));
  expect(surer.runs).toHaveLength(2);
  const worse = reader((run) => (run === 0 ? { letter: 1, score: 0.7 } : { letter: 2, score: 0.6 }));
  expect(textOf(await readLines(inked, [line(10, 300)], worse.models))).toEqual(['a']);
});

test('a sign seen doubtfully on blank paper is none; one that is surely read, or has ink, stays', async () => {
  const doubtful = (): ReturnType<typeof reader>['models'] =>
    reader(() => ({ letter: 1, score: 0.8 })).models;
  expect(textOf(await readLines(white, [line(10, 300)], doubtful()))).toEqual(['']);
  expect(textOf(await readLines(inked, [line(10, 300)], doubtful()))).toEqual(['a']);
  const sure = reader(() => ({ letter: 1, score: 0.99 })).models;
  expect(textOf(await readLines(white, [line(10, 300)], sure))).toEqual(['a']);
});

test('narrow print is read a third time, drawn wider, and only where it was read doubtfully', async () => {
  const characters = 24;
  const narrow = (score: number) => {
    const widths: number[] = [];
    const models: TextModels = {
      ...reader(() => ({ letter: 1, score })).models,
      read: async ({ count, width }) => {
        widths.push(width);
        const timesteps = 2 * characters;
        const classes = new Int32Array(count * timesteps * topK);
        const scores = new Float32Array(count * timesteps * topK);
        for (let at = 0; at < count * timesteps; at++) {
          classes[at * topK] = at % 2 ? 0 : 1;
          scores[at * topK] = score;
        }
        return { timesteps, classes, scores, blanks: new Float32Array(count * timesteps) };
      },
    };
    return { widths, models };
  };
  const doubtful = narrow(0.95);
  await readLines(striped, [line(10, 300)], doubtful.models);
  const [first, again, wider] = doubtful.widths;
  expect(doubtful.widths).toHaveLength(3);
  expect(wider! / again!).toBeCloseTo(1.5, 1);
  expect(first!).toBeLessThan(wider!);
  const sure = narrow(0.99);
  await readLines(striped, [line(10, 300)], sure.models);
  expect(sure.widths).toHaveLength(1);
  const broad = narrow(0.95);
  await readLines(striped, [line(10, 600)], broad.models);
  expect(broad.widths).toHaveLength(2);
});

test('a line that stays hard to read is drawn twice as wide, and only a reading with more characters is taken', async () => {
  const read = (widest: { letters: number; score: number }) => {
    const widths: number[] = [];
    const models: TextModels = {
      ...reader(() => ({ letter: 1, score: 0.8 })).models,
      characters: ['', '7', '4', ' '],
      read: async ({ count, width }) => {
        const isWide = width > 1.5 * (widths[0] ?? width);
        widths.push(width);
        const { letters, score } = isWide ? widest : { letters: 16, score: 0.8 };
        const timesteps = 120;
        const classes = new Int32Array(count * timesteps * topK);
        const scores = new Float32Array(count * timesteps * topK).fill(score);
        for (let at = 0; at < letters; at++) classes[6 * at * topK] = 1 + (at % 2);
        return { timesteps, classes, scores, blanks: new Float32Array(count * timesteps) };
      },
    };
    return readLines(striped, [line(10, 300)], models).then((lines) =>
      textOf(lines).join('').replaceAll(' ', ''),
    );
  };
  expect(await read({ letters: 18, score: 0.9 })).toHaveLength(18);
  expect(await read({ letters: 14, score: 0.9 })).toHaveLength(16);
  expect(await read({ letters: 18, score: 0.7 })).toHaveLength(16);
});
