/** A picture as a page: cleaned, recognized, turned upright, laid out like any other page. */

import { deskewGray } from '../../vision/deskew.ts';
import { type Box, type Point, type Quad, quadHeight, quadWidth, unionBox } from '../../vision/geometry.ts';
import type { GrayImage } from '../../vision/gray-image.ts';
import { type RecognizedLine, readLines } from '../../vision/ocr/read-lines.ts';
import { detectTextLines } from '../../vision/ocr/recognize.ts';
import type { TextModels } from '../../vision/ocr/text-models.ts';
import { type PageTransform, turnedTransform, turnQuad } from '../../vision/page-transform.ts';
import type { RgbImage } from '../../vision/rgb-image.ts';
import { toTint } from '../../vision/tint.ts';
import { median, type Page, type Word } from '../layout/page.ts';
import { readMrzLines } from '../mrz/mrz-ocr.ts';

import { type CleanPicture, cleanPicture } from './clean-picture.ts';
import { detectQuarterTurns, skewOf } from './orientation.ts';
import { meanWordConfidence, sizeShare, toWords } from './scan-words.ts';

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
  deskewed(): { image: GrayImage; scale: number };
  /** The same, dark where the page is colorful. */
  deskewedTint(): GrayImage;
  /** Reads places of the reading frame, each one line high; what cannot be read is left out. */
  read(boxes: Box[]): Promise<Word[]>;
}

/** What body text measures where the resolution is unknown, in points. */
const usualSize = 10;
/** Width of an A4 page in points, assumed where there is no text either. */
const usualWidth = 595;
/** A level frame is kept where the lines lie this level: turning costs sharpness and gains nothing. */
const levelAngle = 0.002;
/** A lone digit in the cell of a table is read less surely than a line is. */
const minMissedConfidence = 0.5;
/** A line this much longer across the page's direction than along it is turned text; a lone digit is not. */
const minTurnedAspect = 2.2;

function scaleOf(lines: RecognizedLine[], picture: PagePicture): number {
  if (picture.pointsPerPixel !== null) return picture.pointsPerPixel;
  const size = median(lines.map((line) => sizeShare * quadHeight(line.quad)));
  return size > 0 ? usualSize / size : usualWidth / picture.image.width;
}

/** Quarter turns of one line: the page's, unless it clearly runs across the others. */
function ownTurns(quad: Quad, quarters: 0 | 1 | 2 | 3): number {
  const [width, height] = [quadWidth(quad), quadHeight(quad)];
  const across = quarters & 1 ? width > minTurnedAspect * height : height > minTurnedAspect * width;
  return across ? quarters ^ 1 : quarters;
}

/** Reads one page. The picture is as a viewer shows it: places are given on it. */
export async function scanPage(
  picture: PagePicture,
  number: number,
  models: TextModels,
): Promise<ScannedPage> {
  const clean = cleanPicture(picture.image);
  const { image } = clean;
  const found = await detectTextLines(image, models);
  const quarters = await detectQuarterTurns(image, found, models);
  const quads = found.map((quad) => turnQuad(quad, ownTurns(quad, quarters)));
  const skew = skewOf(quads.filter((_, index) => ownTurns(found[index]!, quarters) === quarters));
  const angle = (quarters * Math.PI) / 2 + (Math.abs(skew) < levelAngle ? 0 : skew);
  const frame = turnedTransform(image, angle);
  const read = await readLines(image, quads, models);
  const lines = await readMrzLines({ image, lines: read, toFrame: frame.toFrame }, models);
  const scale = scaleOf(lines, { image, pointsPerPixel: clean.rectified ? null : picture.pointsPerPixel });
  const words = lines.flatMap((line) => toWords(line, frame, scale));
  const { width, height } = picture.image;
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
    ...viewMaps(frame, clean, { scale, size: { width, height } }),
  };
  return {
    page,
    confidence: meanWordConfidence(words),
    deskewed: () => ({ image: deskewGray(image, frame, angle), scale: 1 / scale }),
    deskewedTint: () => deskewGray(toTint(image), frame, angle),
    read: async (boxes) => {
      const places = boxes.map((box) => cornerQuad(box, ([x, y]) => frame.toPicture([x / scale, y / scale])));
      const missed = await readLines(image, places, models);
      return missed
        .filter(({ confidence }) => confidence >= minMissedConfidence)
        .flatMap((line) => toWords(line, frame, scale));
    },
  };
}

const cornerQuad = ([x0, y0, x1, y1]: Box, map: (point: Point) => Point): Quad => [
  map([x0, y0]),
  map([x1, y0]),
  map([x1, y1]),
  map([x0, y1]),
];

interface Shown {
  /** Points of the page for each pixel. */
  scale: number;
  /** Of the picture as it came, in pixels. */
  size: { width: number; height: number };
}

/**
 * The ways between the page's frame and the page as shown. Made apart from where the picture is at hand: pages outlive
 * their pictures, and a function holds all that its neighbours hold.
 */
function viewMaps(
  frame: PageTransform,
  { toSource, fromSource }: Pick<CleanPicture, 'toSource' | 'fromSource'>,
  { scale, size: { width, height } }: Shown,
): Pick<ScanFramePage, 'toView' | 'fromView'> {
  return {
    toView: (box) =>
      mapBox(box, ([x, y]) => {
        const [px, py] = toSource(frame.toPicture([x / scale, y / scale]));
        return [clampUnit(px / width), clampUnit(py / height)];
      }),
    fromView: (box) =>
      mapBox(box, ([x, y]) => {
        const [px, py] = frame.toFrame(fromSource([x * width, y * height]));
        return [px * scale, py * scale];
      }),
  };
}

const clampUnit = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000;

/** The level box around a box whose corners were mapped. */
function mapBox([x0, y0, x1, y1]: Box, map: (point: Point) => Point): Box {
  const corners: Point[] = [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ];
  return unionBox(corners.map(map).map(([x, y]): Box => [x, y, x, y]));
}
