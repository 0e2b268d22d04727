/**
 * A second look at a machine-readable zone: its lines are cut out of the picture again, closer, and read knowing what an
 * MRZ is (mrz-ctc-decoder.ts). The first pass only has to show where they are.
 */

import { ocrBSigns } from '../../identifiers/look-alikes.ts';
import { type Point, type Quad, quadBox, quadHeight, quadWidth } from '../../vision/geometry.ts';
import type { RgbImage } from '../../vision/images.ts';
import { cropLine, cropWidth } from '../../vision/ocr/line-crop.ts';
import type { TextModels, TopKScores } from '../../vision/ocr/models/text-models.ts';
import { topK } from '../../vision/ocr/models/text-models.ts';
import type { RecognizedLine } from '../../vision/ocr/read-lines.ts';
import { isText } from '../../vision/ocr/recognize.ts';
import { heldDigits, type Mrz, parseMrz } from './mrz.ts';
import { type DecodedLine, decodeLine, type Timestep } from './mrz-ctc-decoder.ts';
import { type MrzFormat, mrzLayouts } from './mrz-layouts.ts';

/** A line of the first pass. */
interface SeenLine {
  text: string;
  /** In the picture. */
  quad: Quad;
  /** In the upright frame of the page. */
  level: Quad;
  /** Crop of the picture for the second look. */
  cut: Quad;
}

/** Lines that may be an MRZ, and how many characters each has, about. */
interface Group {
  lines: SeenLine[];
  length: number;
}

const maxCropWidthPx = 3200;

const toPlain = (text: string): string => {
  const narrow = text.normalize('NFKC');
  return ocrBSigns[narrow] ?? narrow.toUpperCase();
};

const squeezed = (line: SeenLine): string => [...line.text.replace(/\s/g, '')].map(toPlain).join('');

/** Beginnings of a line without fillers: with the number of a document, or a date. */
const numberFirst = /^[A-Z]{0,3}\d{6}/;

/** Characters of a line that no MRZ has, of which a few may be misread. */
const strangeIn = (text: string): number => text.replace(/[A-Z0-9<]/g, '').length;
/** In a line that has no other beside it, a sum in brackets has as many as three. */
const maxStrangeAlone = 1;

/** True if a line may belong to an MRZ: of capitals, digits and fillers. Runs of fillers may have been overlooked. */
function isMrzLike(line: SeenLine): boolean {
  const text = squeezed(line);
  const strange = strangeIn(text);
  const fillers = (text.match(/</g) ?? []).length;
  return text.length >= 12 && text.length <= 52 && strange <= 3 && (fillers >= 2 || numberFirst.test(text));
}

/** A filler, or a row of what fillers are misread as: numbers on receipts have neither, a line of every MRZ has. */
const hasFillers = (line: SeenLine): boolean => /<|[KC]{3}/.test(squeezed(line));

/** True if a line is no more than fillers and a check digit: the end of a line of an MRZ. */
const isEnd = (line: SeenLine): boolean => /^<[<0-9]*$/.test(squeezed(line));

function toTimesteps(
  { classes, scores, timesteps }: TopKScores,
  crop: number,
  characters: readonly string[],
): Timestep[] {
  return Array.from({ length: timesteps }, (_, timestep) => {
    const seen = new Map<string, number>();
    for (let rank = 0; rank < topK; rank++) {
      const at = (crop * timesteps + timestep) * topK + rank;
      // A blank between characters is no character of an MRZ either.
      const char = toPlain(characters[classes[at]!] ?? '').trim();
      seen.set(char, (seen.get(char) ?? 0) + scores[at]!);
    }
    return seen;
  });
}

const mix = (a: Point, b: Point, share: number): Point => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
];

/** The quadrilateral with its height scaled about its middle. */
function fitted([a, b, c, d]: Quad, scale: number): Quad {
  const [over, under] = [(1 - scale) / 2, (1 + scale) / 2];
  const [ul, ur, lr, ll] = [mix(a, d, over), mix(b, c, over), mix(b, c, under), mix(a, d, under)];
  return [ul, ur, lr, ll];
}

async function readCrops(image: RgbImage, quads: Quad[], models: TextModels): Promise<Timestep[][]> {
  const height = models.cropHeightPx;
  const width = Math.min(maxCropWidthPx, Math.max(...quads.map((quad) => cropWidth(quad, height))));
  const data = new Float32Array(quads.length * 3 * height * width);
  for (const [index, quad] of quads.entries())
    data.set(cropLine(image, quad, { width, height }).data, index * 3 * height * width);
  const readings = await models.read({ data, count: quads.length, height, width });
  return quads.map((_, index) => toTimesteps(readings, index, models.characters));
}

/** Forms whose lines are about as long as what was seen, or is taken to be there. */
function formatsFor({ lines, length }: Group): MrzFormat[] {
  const first = squeezed(lines[0]!);
  const visas: MrzFormat[] = first === '' || first.startsWith('V') ? ['MRV-A', 'MRV-B'] : [];
  const others: MrzFormat[] = first.startsWith('V') ? [] : ['TD3', 'TD2'];
  const formats: MrzFormat[] = lines.length === 3 ? ['TD1'] : [...others, ...visas];
  return formats.filter((format) => Math.abs(mrzLayouts[format][0]!.length - length) <= 7);
}

interface Attempt {
  mrz: Mrz;
  lines: VotedLine[];
  score: number;
}

/** A line that several crops were read for: the mean probability of each character at each place. */
interface VotedLine {
  text: string;
  /** Probability of the least sure character. */
  minConfidence: number;
  confidence: number;
  stepVariance: number;
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function vote(readings: DecodedLine[]): VotedLine {
  const best = readings[0]!.places.map((_, place) => {
    const sums = new Map<string, number>();
    for (const reading of readings)
      for (const [char, probability] of reading.places[place]!)
        sums.set(char, (sums.get(char) ?? 0) + probability / readings.length);
    return [...sums].reduce((top, entry) => (entry[1] > top[1] ? entry : top));
  });
  const probabilities = best.map(([, probability]) => Math.min(1, probability));
  return {
    text: best.map(([char]) => char).join(''),
    minConfidence: Math.min(...probabilities),
    confidence: mean(probabilities),
    stepVariance: mean(readings.map((reading) => reading.stepVariance)),
  };
}

/** The MRZ read as one form from all crops so far: `crops` holds, for each cut, the timesteps of each line. */
function attempt(crops: Timestep[][][], format: MrzFormat): Attempt | null {
  const lines = mrzLayouts[format].map((places, line) => {
    const readings = crops.flatMap((cut) => decodeLine(cut[line]!, places) ?? []);
    return readings.length === 0 ? null : vote(readings);
  });
  if (!lines.every((line) => line !== null)) return null;
  const mrz = parseMrz(lines.map((line) => line.text));
  if (!mrz || mrz.format !== format) return null;
  const score = heldDigits(mrz) + mean(lines.map((line) => line.confidence - line.stepVariance));
  return { mrz, lines, score };
}

/** Heights of the crop, as shares of what the first pass found. */
const scales = [0.9, 0.75, 1.1];
/** An MRZ whose check digits hold is believed at once if no character is less sure. */
const sureEnough = 0.7;

const isSure = ({ mrz, lines }: Attempt): boolean =>
  mrz.valid && lines.every((line) => line.minConfidence > sureEnough);

/** Any print can be read as an MRZ, but its check digits do not hold and its characters are guessed. */
const minHeldDigits = 2;
const minConfidence = 0.6;
const isMrz = ({ mrz, lines }: Attempt): boolean =>
  heldDigits(mrz) >= minHeldDigits || mean(lines.map((line) => line.confidence)) >= minConfidence;

async function readGroup(image: RgbImage, group: Group, models: TextModels): Promise<Attempt | null> {
  const crops: Timestep[][][] = [];
  let best: Attempt | null = null;
  for (const scale of scales) {
    const quads = group.lines.map(({ cut }) => fitted(cut, scale));
    crops.push(await readCrops(image, quads, models));
    const attempts = formatsFor(group).flatMap((format) => attempt(crops, format) ?? []);
    best = attempts.reduce<Attempt | null>((top, one) => (top && top.score >= one.score ? top : one), null);
    if (best && isSure(best)) break;
  }
  return best;
}

const along = ([a, b, c, d]: Quad): Point => {
  const [x, y] = [b[0] + c[0] - a[0] - d[0], b[1] + c[1] - a[1] - d[1]];
  const length = Math.hypot(x, y);
  return [x / length, y / length];
};

/** Fillers at the end are overlooked in every line alike: so much of the width is looked at beyond it. */
const overhangShare = 0.2;

/** A line stretched to both ends of the widest, and beyond: the lines of an MRZ are equally long. */
function stretched(line: SeenLine, widest: SeenLine): SeenLine {
  const [ux, uy] = along(widest.quad);
  const reach = ([x, y]: Point): number => x * ux + y * uy;
  const shift = ([x, y]: Point, by: number): Point => [x + by * ux, y + by * uy];
  const [a, b, c, d] = line.quad;
  const left = Math.min(0, reach(widest.quad[0]) - reach(a));
  const right = Math.max(0, reach(widest.quad[1]) - reach(b));
  const wider = right + overhangShare * quadWidth(widest.quad);
  return {
    ...line,
    quad: [shift(a, left), shift(b, right), shift(c, right), shift(d, left)],
    cut: [shift(a, left), shift(b, wider), shift(c, wider), shift(d, left)],
  };
}

/** Distance of one line's middle below that of another, in heights. */
function heightsBelow(upper: SeenLine, lower: SeenLine): number {
  const middle = ({ level: [a, , c] }: SeenLine): number => (a[1] + c[1]) / 2;
  return (middle(lower) - middle(upper)) / Math.max(quadHeight(upper.level), quadHeight(lower.level));
}

const joined = (left: SeenLine, right: SeenLine): SeenLine => {
  const join = ([a, , , d]: Quad, [, b, c]: Quad): Quad => [a, b, c, d];
  return {
    text: left.text + right.text,
    quad: join(left.quad, right.quad),
    cut: join(left.quad, right.quad),
    level: join(left.level, right.level),
  };
};

/** A line with a wide run of fillers is found in pieces. */
function joinPieces(lines: SeenLine[]): SeenLine[] {
  const rows: SeenLine[] = [];
  for (const line of lines.toSorted((a, b) => a.level[0][0] - b.level[0][0])) {
    const at = rows.findIndex((row) => Math.abs(heightsBelow(row, line)) < 0.5);
    if (at < 0) rows.push(line);
    else rows[at] = joined(rows[at]!, line);
  }
  return rows;
}

/** Lines under each other that begin alike, from top to bottom, brought to one width. */
function* groups(lines: SeenLine[]): Generator<Group> {
  const pieces = lines.filter((line) => isMrzLike(line) || isEnd(line));
  const mrzLike = joinPieces(pieces)
    .filter(isMrzLike)
    .sort((a, b) => a.level[0][1] - b.level[0][1]);
  const follows = (upper: SeenLine, lower: SeenLine): boolean => {
    const below = heightsBelow(upper, lower);
    const shift = Math.abs(lower.level[0][0] - upper.level[0][0]);
    return below > 0.5 && below < 5 && shift < 4 * quadHeight(upper.level);
  };
  for (const count of [3, 2])
    for (let at = 0; at + count <= mrzLike.length; at++) {
      const group = mrzLike.slice(at, at + count);
      if (!group.every((line, index) => index === 0 || follows(group[index - 1]!, line))) continue;
      const widest = group.reduce((best, line) =>
        quadWidth(line.quad) > quadWidth(best.quad) ? line : best,
      );
      if (squeezed(widest).length < 22 || !group.some(hasFillers)) continue;
      const lines = group.map((line) => stretched(line, widest));
      for (const length of lengthsOf(group)) yield { lines, length };
    }
  const isAlone = (line: SeenLine): boolean =>
    squeezed(line).length >= 24 && hasFillers(line) && strangeIn(squeezed(line)) <= maxStrangeAlone;
  for (const line of mrzLike.filter(isAlone))
    for (const length of lengthsOf([line])) {
      const own = stretched(line, line);
      yield { lines: [stretched(neighbour(line, -length), line), own], length };
      yield { lines: [own, stretched(neighbour(line, length), line)], length };
    }
}

/** Allowed numbers of characters in the lines: as many as were seen, or as a form has, where fillers ran together. */
function lengthsOf(lines: SeenLine[]): number[] {
  const seen = Math.max(...lines.map((line) => squeezed(line).length));
  if (!lines.some((line) => squeezed(line).includes('<'))) return [seen];
  return [seen, ...[36, 44].filter((length) => length > seen + 2 && length <= seen + 20)];
}

const moved = ([a, b, c, d]: Quad, [dx, dy]: Point): Quad => {
  const shift = ([x, y]: Point): Point => [x + dx, y + dy];
  return [shift(a), shift(b), shift(c), shift(d)];
};

/**
 * Lines of an MRZ lie two and a half characters apart (part 3, 4.2); a line of fillers is overlooked as a whole.
 * @param length characters of the line; less than none for the line above
 */
function neighbour(line: SeenLine, length: number): SeenLine {
  const below = (of: Quad): Quad => {
    const [ux, uy] = along(of);
    const pitch = (2.5 * quadWidth(of)) / length;
    return moved(of, [-uy * pitch, ux * pitch]);
  };
  return { text: '', quad: below(line.quad), cut: below(line.quad), level: below(line.level) };
}

const inside = (line: SeenLine, mrzLine: SeenLine): boolean => {
  const [x0, y0, x1, y1] = quadBox(mrzLine.level);
  const [a, , c] = line.level;
  const [x, y] = [(a[0] + c[0]) / 2, (a[1] + c[1]) / 2];
  return x >= x0 && x <= x1 && y >= y0 && y <= y1;
};

/**
 * The lines of a page that are text, those of its MRZ replaced by what the second look read. An MRZ may well be found
 * where its lines were first read too badly for text.
 * @param toFrame from the picture to the upright frame of the page
 */
export async function readMrzLines(
  page: { image: RgbImage; lines: RecognizedLine[]; toFrame: (point: Point) => Point },
  models: TextModels,
): Promise<RecognizedLine[]> {
  const seen = page.lines.map((line): SeenLine => {
    const [a, b, c, d] = line.quad;
    const level: Quad = [page.toFrame(a), page.toFrame(b), page.toFrame(c), page.toFrame(d)];
    return { text: line.words.map(({ text }) => text).join(''), quad: line.quad, cut: line.quad, level };
  });
  let best: { group: Group; found: Attempt } | null = null;
  for (const group of groups(seen)) {
    const found = await readGroup(page.image, group, models);
    if (found && isMrz(found) && found.score > (best?.found.score ?? Number.NEGATIVE_INFINITY))
      best = { group, found };
    if (found && isSure(found)) break;
  }
  if (!best) return page.lines.filter(isText);
  const { group, found } = best;
  const others = page.lines.filter(
    (line, index) => isText(line) && !group.lines.some((line) => inside(seen[index]!, line)),
  );
  const mrz = group.lines.map(({ quad }, index): RecognizedLine => {
    const { confidence } = found.lines[index]!;
    return { words: [{ text: found.mrz.lines[index]!, quad, confidence }], quad, confidence };
  });
  return [...others, ...mrz];
}
