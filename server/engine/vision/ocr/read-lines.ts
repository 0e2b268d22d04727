/** Reads lines of text whose places are known: cuts them out, runs them in batches, parts them into words. */

import { growQuad, type Point, type Quad, sliceQuad } from '../geometry.ts';
import type { RgbImage } from '../images.ts';
import { type ReadCrop, readCharacters } from './ctc.ts';
import { shippedLexicon } from './lexicon.ts';
import { beamSearchLexicon } from './lexicon-search.ts';
import { cropLine, cropWidth, type LineCrop } from './line-crop.ts';
import { type Ink, inkSpan, measureInk } from './line-ink.ts';
import type { TextModels } from './models/text-models.ts';
import { resolveConfusables } from './resolve-confusables.ts';
import { restoreAccents } from './restore-accents.ts';
import { restorePunctuation } from './restore-punctuation.ts';
import { wordEnds } from './spacing.ts';

export interface RecognizedWord {
  text: string;
  /** Around its ink, in pixels of the picture. */
  quad: Quad;
  /** 0 to 1: the mean probability of its characters. */
  confidence: number;
  /** Middle of each character on the picture, where each is as it was seen. */
  places?: Point[];
}

export interface RecognizedLine {
  words: RecognizedWord[];
  /** Of the whole line as it was found, with a margin. */
  quad: Quad;
  confidence: number;
}

/** Pixels along all crops of one run: what a run holds in memory grows with them, its speed does not. */
const maxBatchWidthPx = 1800;
/** The widest crop of a batch may be this much wider than the narrowest. */
const maxSpread = 1.3;
const maxCropWidthPx = 3200;
/** Narrower crops are padded: the recognizer has not been trained on shorter ones. */
const minCropWidthPx = 96;
/** Lines read less surely are read again, cut wider, and the surer reading is taken. */
const surely = 0.97;
const secondLook = [0.1, 0.06] as const;
const clearlyBetter = 0.005;
/**
 * Narrow print: in most lines a character takes less of a line's height than this (Arial .43, tills .44 to .55, Arial Narrow .35). The
 * recognizer drops characters that follow each other so closely, so doubtful lines are read again, drawn wider.
 */
const narrowPitch = 0.39;
const narrowStretch = 1.5;
/** Shorter lines tell little of their print. */
const minPitchCharacters = 8;
/** Lines still read less surely than this are drawn wider yet, whatever the page's print: blurred letters run together and are dropped. */
const hardlySure = 0.9;
const wideStretch = 2;
/** Lines whose letters stand wider, as shares of the line's height, or that are no text, have lost none so. */
const [widePitch, leastText] = [0.55, 0.65];
/** Characters read worse within a line are specks or strokes beside it. */
const minWordConfidence = 0.4;
/** Characters read worse than this where there is no ink are none, such as signs of money seen between two columns. */
const sureWithoutInk = 0.95;
/** Ink of neighbouring lines reaches into a crop: rows and columns with less than this share are left out. */
const minRowShare = 0.02;

interface Batch {
  width: number;
  members: { index: number; quad: Quad; width: number }[];
}

/** Lines of like width together, drawn wider than they are by `stretch`. */
function toBatches(quads: Quad[], height: number, stretch = 1): Batch[] {
  const sorted = quads
    .map((quad, index) => {
      const width = Math.min(maxCropWidthPx, Math.round(stretch * cropWidth(quad, height)));
      return { index, quad, width };
    })
    .sort((a, b) => a.width - b.width);
  const batches: Batch[] = [];
  for (const member of sorted) {
    const last = batches.at(-1);
    const fits = last && member.width <= maxSpread * last.members[0]!.width;
    if (fits && member.width * (last.members.length + 1) <= maxBatchWidthPx) {
      last.members.push(member);
      last.width = Math.max(minCropWidthPx, member.width);
    } else batches.push({ width: Math.max(minCropWidthPx, member.width), members: [member] });
  }
  return batches;
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function toWord(read: ReadCrop, ink: Ink, quad: Quad, [first, last]: [number, number]): RecognizedWord {
  const characters = read.characters.slice(first, last + 1);
  const [width, height] = [ink.columns.length, ink.rows.length];
  const pxPerTimestep = width / read.timesteps;
  const before = read.characters[first - 1];
  const after = read.characters[last + 1];
  const from = before ? ((before.to + characters[0]!.from + 1) / 2) * pxPerTimestep : 0;
  const to = after ? ((after.from + characters.at(-1)!.to + 1) / 2) * pxPerTimestep : width;
  const [left, right] = inkSpan(ink.columns, from, to);
  const [top, bottom] = inkSpan(ink.rows, 0, height, Math.max(1, minRowShare * width));
  const [a, b, c, d] = sliceQuad(quad, left / width, right / width);
  const [a2, d2] = [top / height, bottom / height].map((share) => mix(a, d, share));
  const [b2, c2] = [top / height, bottom / height].map((share) => mix(b, c, share));
  const text = resolveConfusables(restoreAccents(beamSearchLexicon(read, [first, last], shippedLexicon())));
  const places = characters.map(({ from: start, to: end }): Point => {
    const [upper, , , lower] = sliceQuad(quad, (start + end + 1) / 2 / read.timesteps, 1);
    return mix(upper, lower, 0.5);
  });
  return {
    text,
    quad: [a2!, b2!, c2!, d2!],
    confidence: mean(characters.map(({ confidence }) => confidence)),
    ...([...text].length === places.length && { places }),
  };
}

/** True where the recognizer is not sure of characters and the paper bears nothing at their place. */
function isBlank(read: ReadCrop, ink: Ink, [first, last]: [number, number]): boolean {
  const characters = read.characters.slice(first, last + 1);
  if (mean(characters.map(({ confidence }) => confidence)) >= sureWithoutInk) return false;
  const pxPerTimestep = ink.columns.length / read.timesteps;
  const [from, to] = [characters[0]!.from - 1, characters.at(-1)!.to + 2].map((at) => at * pxPerTimestep);
  return ink.columns.slice(Math.max(0, Math.floor(from!)), Math.ceil(to!)).every((count) => count === 0);
}

const mix = (a: Quad[0], b: Quad[0], share: number): Quad[0] => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
];

function toLine(read: ReadCrop, crop: LineCrop, quad: Quad): RecognizedLine {
  const ink = measureInk(crop);
  const ends = [...wordEnds(read, ink, crop.height, shippedLexicon()), read.characters.length - 1];
  const words = ends
    .map((end, index): [number, number] => [(ends[index - 1] ?? -1) + 1, end])
    .filter((range) => !isBlank(read, ink, range))
    .map((range) => toWord(read, ink, quad, range))
    .filter(({ confidence }) => confidence >= minWordConfidence);
  return { words, quad, confidence: mean(read.characters.map(({ confidence }) => confidence)) };
}

async function readBatch(
  image: RgbImage,
  batch: Batch,
  models: TextModels,
): Promise<[number, RecognizedLine][]> {
  const { cropHeightPx: height } = models;
  const plane = height * batch.width;
  const data = new Float32Array(batch.members.length * 3 * plane);
  const crops = batch.members.map(({ quad, width }) => cropLine(image, quad, { width, height }));
  for (const [index, crop] of crops.entries())
    for (let row = 0; row < 3 * height; row++) {
      const target = index * 3 * plane + row * batch.width;
      data.set(crop.data.subarray(row * crop.width, (row + 1) * crop.width), target);
    }
  const readings = await models.read({ data, count: crops.length, height, width: batch.width });
  return batch.members.flatMap(({ index, quad, width }, place): [number, RecognizedLine][] => {
    const at = { index: place, filled: width / batch.width };
    const read = restorePunctuation(readCharacters(readings, models.characters, at));
    return read.characters.length === 0 ? [] : [[index, toLine(read, crops[place]!, quad)]];
  });
}

/** Lines by their index. */
type Lines = Map<number, RecognizedLine>;

/** The lines of a batch; those read doubtfully are looked at again, while other batches are read. */
async function readTwice(image: RgbImage, batch: Batch, models: TextModels): Promise<Lines> {
  const lines = new Map(await readBatch(image, batch, models));
  await lookAgain(image, lines, batch.members, { models });
  return lines;
}

interface LookOptions {
  models: TextModels;
  stretch?: number;
  /** Lines read less surely are looked at. */
  below?: number;
  isBetter?(other: RecognizedLine, line: RecognizedLine): boolean;
}

const isSurer = (other: RecognizedLine, line: RecognizedLine): boolean =>
  other.confidence > line.confidence + clearlyBetter;

const lengthOf = ({ words }: RecognizedLine): number => words.reduce((sum, { text }) => sum + text.length, 0);

/** True for a reading that found characters which the other dropped. */
const isFuller = (other: RecognizedLine, line: RecognizedLine): boolean =>
  isSurer(other, line) && lengthOf(other) > lengthOf(line);

/** Reads doubtful lines once more, cut and drawn wider, and takes what is clearly surer. */
async function lookAgain(
  image: RgbImage,
  lines: Lines,
  members: readonly { index: number; quad: Quad }[],
  { models, stretch = 1, below = surely, isBetter = isSurer }: LookOptions,
): Promise<void> {
  const doubtful = members.filter(({ index }) => (lines.get(index)?.confidence ?? below) < below);
  const wider = doubtful.map(({ quad }) => growQuad(quad, secondLook));
  const batches = toBatches(wider, models.cropHeightPx, stretch);
  const others = await Promise.all(batches.map((again) => readBatch(image, again, models)));
  for (const [at, other] of others.flat()) {
    const { index, quad } = doubtful[at]!;
    if (isBetter(other, lines.get(index)!)) lines.set(index, { ...other, quad });
  }
}

/** Width of a character of a line as a share of its height; infinite where a line is short. */
function linePitch(line: RecognizedLine): number {
  const count = lengthOf(line);
  return count < minPitchCharacters ? Number.POSITIVE_INFINITY : cropWidth(line.quad, 1_000) / 1_000 / count;
}

/** True for a line in which letters may have run together. */
const mayLackLetters = (line: RecognizedLine | undefined): boolean =>
  line !== undefined && line.confidence >= leastText && linePitch(line) < widePitch;

/** Width of a character as a share of the line's height, in the middle of all lines; infinite where all are short. */
function pitchOf(lines: Iterable<RecognizedLine>): number {
  const pitches = [...lines].map(linePitch).filter(Number.isFinite);
  pitches.sort((a, b) => a - b);
  return pitches[Math.floor(pitches.length / 2)] ?? Number.POSITIVE_INFINITY;
}

/** One line for each place, in the same order; places without text are left out. */
export async function readLines(
  image: RgbImage,
  quads: Quad[],
  models: TextModels,
): Promise<RecognizedLine[]> {
  const batches = toBatches(quads, models.cropHeightPx);
  const found = await Promise.all(batches.map((batch) => readTwice(image, batch, models)));
  const lines: Lines = new Map(found.flatMap((batch) => [...batch]));
  const members = quads.map((quad, index) => ({ index, quad }));
  if (pitchOf(lines.values()) < narrowPitch)
    await lookAgain(image, lines, members, { models, stretch: narrowStretch });
  const wide = { models, stretch: wideStretch, below: hardlySure, isBetter: isFuller };
  const crowded = members.filter(({ index }) => mayLackLetters(lines.get(index)));
  await lookAgain(image, lines, crowded, wide);
  return quads.flatMap((_, index) => lines.get(index) ?? []);
}
