/** A picture as a page: recognised, turned upright, laid out like any other page. */

import type { GrayImage } from '../../media/gray-image.ts';
import type { RgbImage } from '../../media/rgb-image.ts';
import { type Point, type Quad, quadAngle, quadBox, quadHeight, quadWidth } from '../../recognition/quad.ts';
import { type RecognisedLine, readLines } from '../../recognition/read-lines.ts';
import { findLines, isText } from '../../recognition/recognise.ts';
import type { TextModels } from '../../recognition/text-models.ts';
import { median, type Page, unionBox, type Word } from '../layout/page.ts';
import type { Box } from '../types.ts';
import { type Frame, turnedFrame, turnQuad } from './frame.ts';
import { quarterTurns, skewOf } from './reading-direction.ts';
import { uprightGray } from './upright.ts';

export interface PagePicture {
  image: RgbImage;
  /** Points of the page for each pixel; null where the file does not tell. */
  pointsPerPixel: number | null;
}

/** A page whose frame can be reached from the page as shown, not only the other way. */
export interface ScanFramePage extends Page {
  /** Maps a box of 0..1 of the page as shown into the reading frame. */
  fromView(box: Box): Box;
}

export interface ScannedPage {
  page: ScanFramePage;
  /** Mean confidence of its words by length; 0 without words. */
  confidence: number;
  /** The page as brightness in its reading frame, and its pixels for each point. */
  upright(): { image: GrayImage; scale: number };
}

/** Share of a found line's height that is its font size: the margin is taken off. */
const sizeShare = 0.74;
/** What body text measures where the resolution is unknown, in points. */
const usualSize = 10;
/** Lines further from level than this are turned text, such as along a margin. */
const maxTilt = Math.PI / 8;

const minTurnedAspect = 2.2;

/** A level frame is kept where the lines lie this level: turning costs sharpness and gains nothing. */
const levelAngle = 0.002;

function scaleOf(lines: RecognisedLine[], { image, pointsPerPixel }: PagePicture): number {
  if (pointsPerPixel !== null) return pointsPerPixel;
  const size = median(lines.map((line) => sizeShare * quadHeight(line.quad)));
  // Without text an A4 page is assumed.
  return size > 0 ? usualSize / size : 595 / image.width;
}

const mapQuad = (quad: Quad, map: (point: Point) => Point): Quad => [
  map(quad[0]),
  map(quad[1]),
  map(quad[2]),
  map(quad[3]),
];

/** Words of a line in the frame, in points. They share the line's height, so that rows hold together. */
function toWords(line: RecognisedLine, frame: Frame, scale: number): Word[] {
  const quad = mapQuad(line.quad, frame.toFrame);
  const turned = Math.abs(quadAngle(quad)) > maxTilt;
  const size = sizeShare * quadHeight(quad) * scale;
  const scaled = ([x0, y0, x1, y1]: Box): Box => [x0 * scale, y0 * scale, x1 * scale, y1 * scale];
  return line.words.map(({ text, quad: own, confidence }) => {
    const box = scaled(quadBox(mapQuad(own, frame.toFrame)));
    const shared = turned ? box : levelBox(box, size, quad, scale);
    const baseline = turned ? box[3] : shared[3] - 0.2 * size;
    return { text, box: shared, baseline, size, bold: false, turned, confidence };
  });
}

/** The word's own width, the line's height at the word's place. */
function levelBox(box: Box, size: number, [a, b, c, d]: Quad, scale: number): Box {
  const x = (box[0] + box[2]) / 2 / scale;
  const share = b[0] === a[0] ? 0 : (x - a[0]) / (b[0] - a[0]);
  const centre = (scale * (a[1] + d[1] + share * (b[1] + c[1] - a[1] - d[1]))) / 2;
  return [box[0], centre - size / 2, box[2], centre + size / 2];
}

function meanConfidence(words: Word[]): number {
  const letters = words.reduce((sum, word) => sum + word.text.length, 0);
  const weighted = words.reduce((sum, word) => sum + word.text.length * (word.confidence ?? 1), 0);
  return letters === 0 ? 0 : weighted / letters;
}

const clampUnit = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000;

/** Reads one page. The picture is as a viewer shows it: places are given on it. */
export async function scanPage(
  picture: PagePicture,
  number: number,
  models: TextModels,
): Promise<ScannedPage> {
  const { image } = picture;
  const found = await findLines(image, models);
  const quarters = await quarterTurns(image, found, models);
  const quads = found.map((quad) => turnQuad(quad, ownTurns(quad, quarters)));
  const skew = skewOf(quads.filter((_, index) => ownTurns(found[index]!, quarters) === quarters));
  const angle = (quarters * Math.PI) / 2 + (Math.abs(skew) < levelAngle ? 0 : skew);
  const frame = turnedFrame(image, angle);
  const lines = (await readLines(image, quads, models)).filter(isText);
  const scale = scaleOf(lines, picture);
  const words = lines.flatMap((line) => toWords(line, frame, scale));
  const page: ScanFramePage = {
    number,
    width: frame.width * scale,
    height: frame.height * scale,
    words,
    horizontal: [],
    vertical: [],
    frames: [],
    fills: [],
    slants: [],
    toView: (box) => toView(box, frame, { scale, image }),
    fromView: (box) => fromView(box, frame, { scale, image }),
  };
  return {
    page,
    confidence: meanConfidence(words),
    upright: () => ({ image: uprightGray(image, frame, angle), scale: 1 / scale }),
  };
}

/** Quarter turns of one line: the page's, unless it clearly runs across the others. A lone digit is higher than wide. */
function ownTurns(quad: Quad, quarters: 0 | 1 | 2 | 3): number {
  const [width, height] = [quadWidth(quad), quadHeight(quad)];
  const across = quarters & 1 ? width > minTurnedAspect * height : height > minTurnedAspect * width;
  return across ? quarters ^ 1 : quarters;
}

const cornersOf = ([x0, y0, x1, y1]: Box): Point[] => [
  [x0, y0],
  [x1, y0],
  [x1, y1],
  [x0, y1],
];

const boxAround = (points: Point[]): Box => unionBox(points.map(([x, y]) => [x, y, x, y] as Box));

interface Scaled {
  scale: number;
  image: RgbImage;
}

function toView(box: Box, frame: Frame, { scale, image }: Scaled): Box {
  const corners = cornersOf(box).map(([x, y]) => frame.toPicture([x / scale, y / scale]));
  const [x0, y0, x1, y1] = boxAround(corners);
  const { width, height } = image;
  return [clampUnit(x0 / width), clampUnit(y0 / height), clampUnit(x1 / width), clampUnit(y1 / height)];
}

function fromView(box: Box, frame: Frame, { scale, image }: Scaled): Box {
  const corners = cornersOf(box).map(([x, y]) => frame.toFrame([x * image.width, y * image.height]));
  return boxAround(corners.map(([x, y]): Point => [x * scale, y * scale]));
}
