/**
 * Marks above letters that the recognizer does not know: its alphabet has é and ü, and no ö, ä, å or ñ. Where the words of a
 * page tell its language, ink that stands free above a letter is one of the marks that this language sets there.
 */

import { readFileSync } from 'node:fs';
import { findComponents, type InkImage } from '../components.ts';
import { type Point, type Quad, quadHeight, quadWidth } from '../geometry.ts';
import type { RgbImage } from '../images.ts';
import { cropLine, cropWidth } from './line-crop.ts';
import { measureInk } from './line-ink.ts';
import type { RecognizedLine, RecognizedWord } from './read-lines.ts';

type Shape = 'dots' | 'ring' | 'wide' | 'rising' | 'falling';

interface Letter {
  plain: string;
  marked: string;
  shapes: readonly string[];
}

interface Language {
  words: ReadonlySet<string>;
  letters: readonly Letter[];
}

const withoutMarks = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ø', 'o');

function parseLanguages(text: string): Map<string, Language> {
  const rows = text.split('\n').filter((row) => row !== '' && !row.startsWith('#'));
  return new Map(
    rows.map((row) => {
      const [name, words, letters] = row.split('\t') as [string, string, string];
      const parsed = letters.split('; ').map((letter): Letter => {
        const [, plain, marked, shapes] = /^(.):(.) (.+)$/u.exec(letter)!;
        return { plain: plain!, marked: marked!, shapes: shapes!.split(',') };
      });
      return [name, { words: new Set(words.split(' ').map(withoutMarks)), letters: parsed }];
    }),
  );
}

let shipped: Map<string, Language> | null = null;

function languages(): Map<string, Language> {
  shipped ??= parseLanguages(readFileSync(new URL('letters.tsv', import.meta.url), 'utf8'));
  return shipped;
}

/** Different words of a language that a page must have. */
const minWords = 3;

/** The language of lines by its words; null where too few tell it. */
function languageOf(lines: readonly RecognizedLine[]): Language | null {
  const words = new Set(
    lines.flatMap((line) =>
      line.words.map(({ text }) => withoutMarks(text.toLowerCase()).replace(/^\P{L}+|\P{L}+$/gu, '')),
    ),
  );
  const counted = [...languages().values()].map((language) => ({
    language,
    count: [...words].filter((word) => language.words.has(word)).length,
  }));
  const [best] = counted.sort((a, b) => b.count - a.count);
  return best && best.count >= minWords ? best.language : null;
}

/** Of crops in which marks are looked for: small ones would lose them. */
const cropHeight = 64;
/** A row with this share of the fullest row's ink is of the letters themselves. */
const bodyShare = 0.5;
/** Least height and width of a mark, greatest height and distance from the letters, and width of a single one, in shares of the crop's height. */
const [minSide, maxHeight, maxAway, maxWidth] = [0.045, 0.28, 0.2, 0.4];
/** Two dots are alike, and so far apart at most. */
const dots = { height: 0.6, apart: 0.34 };
/** Greatest distance of a mark from its letter's middle, in shares of the crop's height. */
const maxAside = 0.17;
/** Wider than high by this much: a tilde, a circumflex, two dots run together. */
const wideAspect = 1.55;
/** Ink of a stroke leans by this much at least, as a correlation. */
const leaning = 0.45;

type PixelBox = [x0: number, y0: number, x1: number, y1: number];

interface Mark {
  /** Of its width, in pixels of the crop. */
  centre: number;
  shape: Shape;
}

/** Correlation of the places of the ink in a box: positive where it falls to the right. */
function leanOf({ width, data }: InkImage, [x0, y0, x1, y1]: PixelBox): number {
  let [n, sx, sy, sxx, syy, sxy] = [0, 0, 0, 0, 0, 0];
  for (let y = y0; y < y1; y++)
    for (let x = x0; x < x1; x++) {
      if (!data[y * width + x]) continue;
      n++;
      sx += x;
      sy += y;
      sxx += x * x;
      syy += y * y;
      sxy += x * y;
    }
  const spread = Math.sqrt((n * sxx - sx * sx) * (n * syy - sy * sy));
  return spread > 0 ? (n * sxy - sx * sy) / spread : 0;
}

const middle = ([x0, , x1]: PixelBox): number => (x0 + x1) / 2;

function shapeOf(ink: InkImage, box: PixelBox): Shape {
  const lean = leanOf(ink, box);
  if (Math.abs(lean) >= leaning) return lean < 0 ? 'rising' : 'falling';
  return box[2] - box[0] > wideAspect * (box[3] - box[1]) ? 'wide' : 'ring';
}

/** The row where the letters between two columns begin: small ones, where most are. */
function topOf({ width, height, data }: InkImage, from: number, to: number): number {
  const counts = Array.from({ length: height }, (_, y) =>
    data.subarray(y * width + from, y * width + to).reduce((sum, ink) => sum + ink, 0),
  );
  const fullest = Math.max(...counts);
  return counts.findIndex((count) => count >= bodyShare * fullest);
}

/** Least height and width of a mark that runs into its letter, seen above it, and the rows between that are either's. */
const attached = { height: 0.09, width: 0.06, between: 2 };

/** The mark above a small letter that blur has joined to it; its ink ends within the letter's own columns. */
function attachedMark(ink: InkImage, centre: number, top: number): Mark | undefined {
  const { width, height, data } = ink;
  const [from, to] = [-maxAside, maxAside].map((share) => Math.round(centre + share * height)) as [
    number,
    number,
  ];
  const [first, last] = [Math.max(0, Math.floor(top - maxHeight * height)), top - attached.between];
  const box: PixelBox = [width, height, 0, 0];
  for (let y = first; y < last; y++)
    for (let x = Math.max(0, from); x < Math.min(width, to); x++)
      if (data[y * width + x]) {
        box[0] = Math.min(box[0], x);
        box[1] = Math.min(box[1], y);
        box[2] = Math.max(box[2], x + 1);
        box[3] = Math.max(box[3], y + 1);
      }
  const isWhole = box[0] > from && box[2] < to && box[3] === last && box[1] > first;
  const isMark = box[3] - box[1] >= attached.height * height && box[2] - box[0] >= attached.width * height;
  return isWhole && isMark ? { centre: middle(box), shape: shapeOf(ink, box) } : undefined;
}

/** Of the pieces of a level line those that stand free above its letters. */
function marksOf(ink: InkImage, pieces: readonly PixelBox[], top: number): Mark[] {
  const { height } = ink;
  const least = Math.max(2, minSide * height);
  const free = pieces
    .filter(([x0, y0, x1, y1]) => {
      const [wide, high] = [x1 - x0, y1 - y0];
      const isSmall =
        wide >= least && high >= least && high <= maxHeight * height && wide <= maxWidth * height;
      return isSmall && y0 > 0 && y1 <= top + 1 && top - y1 <= maxAway * height;
    })
    .sort((a, b) => a[0] - b[0]);
  const marks: Mark[] = [];
  for (let at = 0; at < free.length; at++) {
    const [box, next] = [free[at]!, free[at + 1]];
    if (next && areDots(box, next, height)) {
      marks.push({ centre: (box[0] + next[2]) / 2, shape: 'dots' });
      at++;
    } else marks.push({ centre: middle(box), shape: shapeOf(ink, box) });
  }
  return marks;
}

function areDots(left: PixelBox, right: PixelBox, height: number): boolean {
  const shared = Math.min(left[3], right[3]) - Math.max(left[1], right[1]);
  const tallest = Math.max(left[3] - left[1], right[3] - right[1]);
  return shared >= dots.height * tallest && right[2] - left[0] <= dots.apart * height;
}

const bare = /^[A-Za-z]$/;
/** Small letters without a stem or dot of their own. */
const low = /^[acenosuz]$/;

interface Seen {
  marks: readonly Mark[];
  letters: readonly Letter[];
  toCrop(point: Point): number;
  joinedMark(centre: number): Mark | undefined;
}

/** The letters of a word with the marks over them. */
function marked({ text, places }: RecognizedWord, { marks, letters, toCrop, joinedMark }: Seen): string {
  const characters = [...text];
  if (!places || places.length !== characters.length) return text;
  return characters
    .map((character, index) => {
      if (!bare.test(character)) return character;
      const own = letters.filter(({ plain }) => plain === character.toLowerCase());
      if (own.length === 0) return character;
      const centre = toCrop(places[index]!);
      const near = marks.filter((mark) => Math.abs(mark.centre - centre) < maxAside * cropHeight);
      const [free] = near.sort((a, b) => Math.abs(a.centre - centre) - Math.abs(b.centre - centre));
      const mark = free ?? (low.test(character) ? joinedMark(centre) : undefined);
      // A dot between two letters is of the nearer one.
      const isOthers = (other: Point, at: number): boolean =>
        at !== index && Math.abs(toCrop(other) - mark!.centre) < Math.abs(centre - mark!.centre);
      if (!mark || places.some(isOthers)) return character;
      const letter = own.find(({ shapes }) => shapes.includes(mark.shape));
      if (!letter) return character;
      return character === character.toLowerCase() ? letter.marked : letter.marked.toUpperCase();
    })
    .join('');
}

/** A capital B inside small letters is a sharp s. */
const sharpS = /(?<=\p{Ll}{2})B(?=\p{Ll}|$)/gu;

function markLine(image: RgbImage, line: RecognizedLine, language: Language): RecognizedLine {
  const { letters } = language;
  const mayBear = ({ text }: RecognizedWord): boolean =>
    letters.some(({ plain }) => text.toLowerCase().includes(plain));
  if (!line.words.some(mayBear)) return line;
  const hasSharpS = letters.some(({ marked: own }) => own === 'ß');
  const { quad } = line;
  const crop = cropLine(image, quad, { width: cropWidth(quad, cropHeight), height: cropHeight });
  const ink = { width: crop.width, height: crop.height, data: measureInk(crop).data };
  const pieces = findComponents(ink).map(({ box }) => box as PixelBox);
  // Small letters are lower: in a line of numbers its words tell, in a word of tall ones its line.
  const lineTop = topOf(ink, 0, crop.width);
  const toCrop = (point: Point): number => placeAlong(point, quad) * crop.width;
  const words = line.words.map((word) => {
    if (!mayBear(word)) return word;
    const [from, to] = [word.quad[0], word.quad[1]].map((end) =>
      Math.min(crop.width, Math.max(0, Math.round(toCrop(end)))),
    ) as [number, number];
    const top = Math.max(lineTop, topOf(ink, from, to));
    const joinedMark = (centre: number): Mark | undefined => attachedMark(ink, centre, top);
    const text = marked(word, { marks: marksOf(ink, pieces, top), letters, toCrop, joinedMark });
    return { ...word, text: hasSharpS ? text.replace(sharpS, 'ß') : text };
  });
  return { ...line, words };
}

/** Place of a point between the left end of a line and its right one, 0 to 1. */
function placeAlong([x, y]: Point, [[ax, ay], [bx, by]]: Quad): number {
  const [dx, dy] = [bx - ax, by - ay];
  return ((x - ax) * dx + (y - ay) * dy) / Math.max(1, dx * dx + dy * dy);
}

/** Lines whose page is in a language of marked letters, with the marks that stand over them; other lines as they are. */
export function restoreMarks<L extends RecognizedLine>(image: RgbImage, lines: readonly L[]): L[] {
  const language = languageOf(lines);
  if (!language) return [...lines];
  return lines.map((line) =>
    quadWidth(line.quad) < quadHeight(line.quad) ? line : { ...line, ...markLine(image, line, language) },
  );
}
