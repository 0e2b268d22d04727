/**
 * Reads one page of operators into glyphs and drawn lines.
 *
 * pdf.js can list text or operators; operators carry both the glyphs (Unicode and widths) and the paths, so one pass
 * gives text with exact places and the rulings that tables need. The text state machine is the one of ISO 32000-1,
 * 9.3 and 9.4, and follows pdf.js's own canvas renderer where the two differ.
 */

import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type Box, heightOf, intersectBoxes, widthOf } from '../../vision/geometry.ts';

import { apply, applyToBox, identity, type Matrix, multiply } from './matrix.ts';
import { filledRectangles, PathCollector, type PathShape } from './paths.ts';
import { type Symbols, symbolOf, symbolsOf } from './symbol-fonts.ts';

export interface Glyph {
  text: string;
  box: Box;
  /** Baseline start, in page points from the upper left corner. */
  x: number;
  y: number;
  /** Length along the writing direction to where the next glyph is expected. */
  advance: number;
  size: number;
  /** Writing direction in quarter turns clockwise: 0 is left to right. */
  turn: 0 | 1 | 2 | 3;
  bold: boolean;
  /** A blank, which ends a word. */
  blank: boolean;
  /** Not drawn: the text layer that lies over a scan. */
  hidden: boolean;
  /** In white ink. */
  white: boolean;
}

/** An area that was painted over whatever lay there. */
export interface Cover {
  box: Box;
  /** Glyphs drawn before it. */
  glyphsBefore: number;
  /** Painted by a picture, which may let through what lies below and may show other text. */
  isPicture: boolean;
}

export interface PageContent {
  glyphs: Glyph[];
  covers: Cover[];
  /** Places that may show something other than text: bounds of paths, white fills aside, frames of pictures, shadings. */
  backdrops: Box[];
  shapes: PathShape[];
  /** True if it may show more than text, rulings and filled rectangles: pictures, shadings, curves, slanted lines. */
  isDrawing: boolean;
  /** Glyphs whose text the document does not tell. */
  unmapped: number;
  /** True if the page had more than `maxGlyphs`. */
  truncated: boolean;
}

interface PdfFont {
  fontMatrix?: number[];
  ascent?: number;
  descent?: number;
  vertical?: boolean;
  bold?: boolean;
  black?: boolean;
  name?: string;
  isType3Font?: boolean;
  defaultVMetrics?: number[];
}

interface PdfGlyph {
  unicode: string;
  width: number;
  isSpace: boolean;
  vmetric?: number[];
}

interface OperatorList {
  fnArray: ArrayLike<number>;
  argsArray: ArrayLike<unknown[] | null>;
}

interface GraphicsState {
  ctm: Matrix;
  font: PdfFont | null;
  size: number;
  direction: 1 | -1;
  charSpacing: number;
  wordSpacing: number;
  scale: number;
  leading: number;
  rise: number;
  /** Text rendering mode 3 or 7. */
  hidden: boolean;
  /** Text rendering mode 0, 2, 4 or 6, and 1, 2, 5 or 6. */
  textFilled: boolean;
  textStroked: boolean;
  lineWidth: number;
  /** White fills cover, they are not drawn. */
  fillsWhite: boolean;
  strokesWhite: boolean;
  /** False for a tint, a mask or a blending: what lies below may be seen. */
  fillsOpaque: boolean;
  fillsPattern: boolean;
  /** Bounds of the area that is drawn in; null: the page. */
  clip: Box | null;
}

const initialState = (ctm: Matrix): GraphicsState => ({
  ctm,
  font: null,
  size: 0,
  direction: 1,
  charSpacing: 0,
  wordSpacing: 0,
  scale: 1,
  leading: 0,
  rise: 0,
  hidden: false,
  textFilled: true,
  textStroked: false,
  lineWidth: 1,
  fillsWhite: false,
  strokesWhite: false,
  fillsOpaque: true,
  fillsPattern: false,
  clip: null,
});

/** Covers of one page; a page of more is a drawing. */
const maxCovers = 500;
/** Points: thinner ones are rules. */
const leastCover = 3;
/** Backdrops of one page; one of more may show something anywhere. */
const maxBackdrops = 2000;
const isArea = (box: Box): boolean => Math.min(widthOf(box), heightOf(box)) > leastCover;
const anywhere: Box = [
  Number.NEGATIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.POSITIVE_INFINITY,
  Number.POSITIVE_INFINITY,
];

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** @param entries of a graphics state, as pdf.js gives them: alpha of fills, blend mode, mask */
function isOpaque(entries: unknown, before: boolean): boolean {
  let opaque = before;
  for (const [key, value] of Array.isArray(entries) ? (entries as [string, unknown][]) : []) {
    if (key === 'ca') opaque = value === 1;
    else if (key === 'BM' && value !== 'source-over') opaque = false;
    else if (key === 'SMask' && value) opaque = false;
  }
  return opaque;
}

/** Traits that all glyphs of a font share. */
interface FontTraits {
  ascent: number;
  descent: number;
  bold: boolean;
  symbols: Symbols | null;
}

/** Fonts lie about their height often enough that only plausible values are taken. */
const toTraits = (font: PdfFont): FontTraits => ({
  ascent: font.ascent ? clamp(font.ascent, 0.6, 0.95) : 0.8,
  descent: font.descent ? clamp(font.descent, -0.3, -0.12) : -0.2,
  bold: isBold(font),
  symbols: font.name ? symbolsOf(font.name) : null,
});

/** The way in which one operator writes its glyphs. */
interface Writing {
  matrix: Matrix;
  traits: FontTraits;
  size: number;
  /** Of a step along the writing direction, in points. */
  stepLength: number;
  /** Of an upright glyph, in points. */
  height: number;
  turn: Glyph['turn'];
}

/** A font's text for a glyph it has none for: nothing, a control or private character, the replacement sign. */
const unmappedPattern = /^[\p{Cc}\p{Co}\ufffd]*$/u;
const blankPattern = /^[\s\u00a0\u200b\u3000]*$/;
/** Printed ASCII, most of all glyphs, is neither. */
const isPlain = (text: string): boolean => text.length === 1 && text > ' ' && text < '\x7f';

class PageReader {
  readonly glyphs: Glyph[] = [];
  readonly paths = new PathCollector();
  readonly covers: Cover[] = [];
  readonly backdrops: Box[] = [];
  isDrawing = false;
  #clips = false;
  /**
   * A frame was set and nothing drawn in it yet: pictures are left out of the operators (open.ts), but not the frames that
   * they are drawn in.
   */
  #framed = false;
  unmapped = 0;
  readonly #base: Matrix;
  readonly #font: (name: string) => PdfFont | null;
  #state: GraphicsState;
  #stack: GraphicsState[] = [];
  readonly #traits = new Map<PdfFont, FontTraits>();
  #textMatrix: Matrix = identity;
  #x = 0;
  #y = 0;
  #lineX = 0;
  #lineY = 0;

  constructor(base: Matrix, font: (name: string) => PdfFont | null) {
    this.#base = base;
    this.#font = font;
    this.#state = initialState(base);
  }

  read(op: number, args: unknown[]): void {
    const state = this.#state;
    switch (op) {
      case OPS.save:
      case OPS.beginGroup:
        this.#stack.push({ ...state });
        break;
      case OPS.restore:
      case OPS.endGroup:
      case OPS.paintFormXObjectEnd:
      case OPS.endAnnotation:
        if (this.#framed && state.fillsOpaque) this.#addCover(boundsOf(state.ctm), true);
        this.leaveFrame();
        this.#state = this.#stack.pop() ?? state;
        break;
      case OPS.transform:
        this.leaveFrame();
        this.#framed = true;
        state.ctm = multiply(state.ctm, args as number[]);
        break;
      case OPS.paintFormXObjectBegin:
        this.leaveFrame();
        this.#stack.push({ ...state });
        if (args[0]) state.ctm = multiply(state.ctm, args[0] as number[]);
        break;
      case OPS.beginAnnotation:
        this.#stack.push({ ...state });
        this.#state = initialState(
          multiply(
            multiply(this.#base, (args[2] as number[]) ?? identity),
            (args[3] as number[]) ?? identity,
          ),
        );
        break;
      case OPS.setLineWidth:
        state.lineWidth = args[0] as number;
        break;
      case OPS.setFillRGBColor:
        state.fillsWhite = args[0] === '#ffffff';
        state.fillsPattern = false;
        break;
      case OPS.setStrokeRGBColor:
        state.strokesWhite = args[0] === '#ffffff';
        break;
      case OPS.setStrokeColorN:
      case OPS.setStrokeTransparent:
        state.strokesWhite = false;
        break;
      case OPS.setFillColorN:
      case OPS.setFillTransparent:
        state.fillsPattern = true;
        state.fillsWhite = false;
        break;
      case OPS.setGState:
        state.fillsOpaque = isOpaque(args[0], state.fillsOpaque);
        if (blends(args[0])) this.#addBackdrop(anywhere);
        break;
      case OPS.shadingFill:
        this.#addBackdrop(state.clip ?? anywhere);
        this.isDrawing = true;
        break;
      case OPS.clip:
      case OPS.eoClip:
        this.#clips = true;
        break;
      case OPS.constructPath:
        this.leaveFrame();
        this.paths.add(args, state);
        if (!paintsOnlyWhite(args[0], state)) this.#addBackdrop(paintedBounds(args, state));
        this.#cover(args);
        break;
      default:
        this.#readText(op, args);
    }
  }

  /** Notes what a fill paints over, then takes the path as the new clip where it was to be one. */
  #cover(args: unknown[]): void {
    const state = this.#state;
    const [op, , bounds] = args as [number, unknown, Box | null];
    const area = bounds && applyToBox(state.ctm, bounds);
    const mayCover = state.fillsOpaque && !state.fillsPattern && this.glyphs.length > 0;
    if (mayCover && op !== OPS.endPath && area && isArea(area))
      for (const filled of filledRectangles(args, state.ctm)) this.#addCover(filled, false);
    if (!this.#clips) return;
    this.#clips = false;
    const none: Box = [0, 0, 0, 0];
    if (area) state.clip = state.clip ? (intersectBoxes(area, state.clip) ?? none) : area;
  }

  /** Called at the page's end, too. */
  leaveFrame(): void {
    if (this.#framed) {
      const frame = boundsOf(this.#state.ctm);
      this.#addBackdrop(frame);
      if (isArea(frame)) this.isDrawing = true;
    }
    this.#framed = false;
  }

  #addBackdrop(area: Box | null): void {
    if (area && this.backdrops.length < maxBackdrops)
      this.backdrops.push(this.backdrops.length + 1 < maxBackdrops ? area : anywhere);
  }

  #addCover(area: Box, isPicture: boolean): void {
    if (this.glyphs.length === 0 || this.covers.length >= maxCovers) return;
    const { clip } = this.#state;
    const box = clip ? intersectBoxes(area, clip) : area;
    if (box && isArea(box)) this.covers.push({ box, glyphsBefore: this.glyphs.length, isPicture });
  }

  #readText(op: number, args: unknown[]): void {
    const state = this.#state;
    switch (op) {
      case OPS.beginText:
        this.leaveFrame();
        this.#setTextMatrix(identity);
        break;
      case OPS.setTextMatrix:
        this.#setTextMatrix(args[0] as ArrayLike<number>);
        break;
      case OPS.moveText:
        this.#move(args[0] as number, args[1] as number);
        break;
      case OPS.setLeadingMoveText:
        state.leading = args[1] as number;
        this.#move(args[0] as number, args[1] as number);
        break;
      case OPS.nextLine:
        this.#move(0, state.leading);
        break;
      case OPS.setFont:
        state.font = this.#font(args[0] as string);
        state.size = Math.abs(args[1] as number);
        state.direction = (args[1] as number) < 0 ? -1 : 1;
        break;
      case OPS.setCharSpacing:
        state.charSpacing = args[0] as number;
        break;
      case OPS.setWordSpacing:
        state.wordSpacing = args[0] as number;
        break;
      case OPS.setHScale:
        state.scale = (args[0] as number) / 100;
        break;
      case OPS.setLeading:
        state.leading = -(args[0] as number);
        break;
      case OPS.setTextRise:
        state.rise = args[0] as number;
        break;
      case OPS.setTextRenderingMode:
        state.hidden = args[0] === 3 || args[0] === 7;
        state.textFilled = args[0] === 0 || args[0] === 2 || args[0] === 4 || args[0] === 6;
        state.textStroked = args[0] === 1 || args[0] === 2 || args[0] === 5 || args[0] === 6;
        break;
      case OPS.showText:
        this.#show(args[0] as (PdfGlyph | number)[]);
        break;
    }
  }

  #setTextMatrix(matrix: ArrayLike<number>): void {
    this.#textMatrix = multiply(identity, matrix);
    this.#x = this.#y = this.#lineX = this.#lineY = 0;
  }

  #move(x: number, y: number): void {
    this.#x = this.#lineX += x;
    this.#y = this.#lineY += y;
  }

  #show(items: (PdfGlyph | number)[]): void {
    const { font, size, charSpacing, wordSpacing } = this.#state;
    if (!font || size === 0) return;
    const unit = (font.fontMatrix?.[0] ?? 0.001) * size;
    const scale = this.#state.scale * this.#state.direction;
    const writing = this.#writing(font, size);
    for (const item of items) {
      if (typeof item === 'number') {
        if (font.vertical) this.#y += (item * size) / 1000;
        else this.#x -= ((item * size) / 1000) * scale;
        continue;
      }
      const spacing = (item.isSpace ? wordSpacing : 0) + charSpacing;
      if (font.vertical) {
        this.#addVertical(item, writing, unit);
        this.#y += (item.vmetric?.[0] ?? -1000) * unit - spacing;
        continue;
      }
      const width = item.width * unit * scale;
      this.#add(item, writing, width, width + Math.max(0, charSpacing) * scale);
      this.#x += width + spacing * scale;
    }
  }

  #writing(font: PdfFont, size: number): Writing {
    const matrix = multiply(this.#state.ctm, this.#textMatrix);
    const traits = this.#traits.get(font) ?? toTraits(font);
    this.#traits.set(font, traits);
    return {
      matrix,
      traits,
      size,
      stepLength: Math.hypot(matrix[0], matrix[1]),
      height: Math.hypot(matrix[2] * size, matrix[3] * size),
      turn: (Math.round(Math.atan2(matrix[1], matrix[0]) / (Math.PI / 2)) & 3) as Glyph['turn'],
    };
  }

  #add(
    glyph: PdfGlyph,
    { matrix, size, traits, stepLength, height, turn }: Writing,
    width: number,
    advance: number,
  ): void {
    const { ascent, descent, bold, symbols } = traits;
    const row = this.#y + this.#state.rise;
    const x = matrix[0] * this.#x + matrix[2] * row + matrix[4];
    const y = matrix[1] * this.#x + matrix[3] * row + matrix[5];
    const dx = matrix[0] * width;
    const dy = matrix[1] * width;
    const upX = matrix[2] * size;
    const upY = matrix[3] * size;
    this.#push(glyph, {
      text: symbolOf(symbols, glyph.unicode),
      box: [
        x + Math.min(0, dx) + Math.min(upX * descent, upX * ascent),
        y + Math.min(0, dy) + Math.min(upY * descent, upY * ascent),
        x + Math.max(0, dx) + Math.max(upX * descent, upX * ascent),
        y + Math.max(0, dy) + Math.max(upY * descent, upY * ascent),
      ],
      x,
      y,
      advance: stepLength * Math.abs(advance),
      size: height,
      turn,
      bold,
      blank: false,
      hidden: this.#state.hidden,
      white: isWhite(this.#state),
    });
  }

  /** Vertical writing: the glyph hangs centred below its origin; each becomes its own upright character. */
  #addVertical(glyph: PdfGlyph, { matrix, size, traits: { bold, symbols } }: Writing, unit: number): void {
    const [x, y] = apply(matrix, this.#x, this.#y);
    const height = Math.abs((glyph.vmetric?.[0] ?? -1000) * unit * matrix[3]);
    const half = Math.abs(size * matrix[0]) / 2;
    this.#push(glyph, {
      text: symbolOf(symbols, glyph.unicode),
      box: [x - half, y, x + half, y + height],
      x,
      y,
      advance: height,
      size: half * 2,
      turn: 1,
      bold,
      blank: false,
      hidden: this.#state.hidden,
      white: isWhite(this.#state),
    });
  }

  #push(source: PdfGlyph, glyph: Glyph): void {
    if (!isPlain(source.unicode)) {
      glyph.blank = blankPattern.test(source.unicode);
      if (unmappedPattern.test(source.unicode) && !source.isSpace) this.unmapped++;
    }
    if (source.unicode === '' || !(glyph.size > 0.5)) return;
    if (!Number.isFinite(glyph.box[0] + glyph.box[1] + glyph.box[2] + glyph.box[3])) return;
    // Its glyphs are drawings, which may have colors of their own.
    if (glyph.white && this.#state.font?.isType3Font) this.#addBackdrop(glyph.box);
    this.glyphs.push(glyph);
  }
}

const isWhite = ({ textFilled, textStroked, fillsWhite, strokesWhite }: GraphicsState): boolean =>
  (fillsWhite || !textFilled) && (strokesWhite || !textStroked);

const isBold = (font: PdfFont): boolean =>
  font.bold === true || font.black === true || /bold|black|heavy/i.test(font.name ?? '');

/** @param entries of a graphics state, as `isOpaque` takes them */
const blends = (entries: unknown): boolean =>
  Array.isArray(entries) &&
  (entries as [string, unknown][]).some(([key, value]) => key === 'BM' && value !== 'source-over');

/** Bounds of what a path paints, in page points, by those that pdf.js gives of it; null where it paints nothing. */
function paintedBounds([op, , bounds]: unknown[], { ctm, lineWidth }: GraphicsState): Box | null {
  if (!bounds || op === OPS.endPath) return null;
  const [x0, y0, x1, y1] = bounds as unknown as Box;
  const [left, top, right, bottom] = applyToBox(ctm, [x0, y0, x1, y1]);
  const reach = lineWidth * Math.hypot(ctm[0], ctm[1]);
  return [left - reach, top - reach, right + reach, bottom + reach];
}

const paintsOnlyWhite = (op: unknown, { fillsWhite }: GraphicsState): boolean =>
  fillsWhite && (op === OPS.fill || op === OPS.eoFill);

/** Around the unit square, which pictures are drawn into. */
const boundsOf = (matrix: Matrix): Box => applyToBox(matrix, [0, 0, 1, 1]);

/** Runs the operators of a page. `base` maps PDF user space to page points from the upper left corner. */
export function readPageContent(
  operators: OperatorList,
  options: { base: Matrix; font: (name: string) => unknown; maxGlyphs: number },
): PageContent {
  const reader = new PageReader(options.base, (name) => options.font(name) as PdfFont | null);
  const count = operators.fnArray.length;
  let index = 0;
  for (; index < count && reader.glyphs.length < options.maxGlyphs; index++)
    reader.read(operators.fnArray[index]!, operators.argsArray[index] ?? []);
  reader.leaveFrame();
  return {
    glyphs: reader.glyphs,
    covers: reader.covers,
    backdrops: reader.backdrops,
    shapes: reader.paths.shapes,
    isDrawing: reader.isDrawing || reader.paths.isDrawing,
    unmapped: reader.unmapped,
    truncated: index < count,
  };
}
