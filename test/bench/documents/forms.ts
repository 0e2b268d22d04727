/**
 * Checkboxes and signatures of forms made for this bench (test/support/documents/forms), as scans. A box is right where
 * it lies on the true one (intersection over union above 0.5) and is ticked or empty as drawn; `labelled_f1` asks for
 * its label too, `digital_f1` for all of that on the PDF before it is scanned. A signature is right above 0.4.
 */

import { GlobalFonts } from '@napi-rs/canvas';
import type { ParseResult } from '../../../server/engine/documents/types.ts';
import type { Box } from '../../../server/engine/vision/geometry.ts';
import { drawForm, type FormTruth } from '../../support/documents/forms/form-maker.ts';
import { drawPages, scanned } from '../../support/documents/forms/scanner.ts';
import { drawPdf, drawPicture, pageHeight, pageWidth } from '../../support/documents/forms/surface.ts';
import { progress, rounded } from '../measure.ts';
import { part } from './data.ts';
import { parse } from './parse.ts';

/** Seeds below this were looked at while the finders were written. */
const firstSeed = 1001;
const chineseFont = 'Noto Sans CJK SC';
const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

class Matches {
  #found = 0;
  #expected = 0;
  #right = 0;
  add(found: number, expected: number, right: number): void {
    this.#found += found;
    this.#expected += expected;
    this.#right += right;
  }
  f1(): number | null {
    const all = this.#found + this.#expected;
    return all === 0 ? null : rounded((2 * this.#right) / all);
  }
}

const toUnit = ([x0, y0, x1, y1]: Box): Box => [
  x0 / pageWidth,
  y0 / pageHeight,
  x1 / pageWidth,
  y1 / pageHeight,
];

function overlapOf(a: Box, b: Box): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (width <= 0 || height <= 0) return 0;
  const area = (box: Box): number => (box[2] - box[0]) * (box[3] - box[1]);
  return (width * height) / (area(a) + area(b) - width * height);
}

/** How many of the true ones have a found one at their place that also passes. */
function count<T extends { box: Box }, F extends { bbox: Box }>(
  truth: T[],
  found: F[],
  rule: { overlap: number; passes: (one: T, other: F) => boolean },
): number {
  const left = new Set(found);
  let right = 0;
  for (const one of truth) {
    const match = [...left].find((other) => overlapOf(toUnit(one.box), other.bbox) > rule.overlap);
    if (!match) continue;
    left.delete(match);
    if (rule.passes(one, match)) right++;
  }
  return right;
}

type TrueBox = FormTruth['checkboxes'][number];
type FoundBox = ParseResult['checkboxes'][number];
const sameState = (one: TrueBox, other: FoundBox): boolean => one.checked === other.checked;
const sameLabel = (one: TrueBox, other: FoundBox): boolean =>
  sameState(one, other) && plain(one.label) === plain(other.label);

interface Form {
  truth: FormTruth;
  /** Null where it was drawn as a picture at once. */
  pdf: Uint8Array | null;
  scan: Buffer;
}

async function makeForm(seed: number): Promise<Form> {
  let truth: FormTruth = { checkboxes: [], signatures: [] };
  const dotsPerInch = seed % 2 === 0 ? 150 : 200;
  if (seed % 4 === 0 && GlobalFonts.has(chineseFont)) {
    const draw = (surface: Parameters<typeof drawForm>[0]): void => {
      truth = drawForm(surface, seed, 'zh');
    };
    const picture = await drawPicture(draw, chineseFont, dotsPerInch);
    return { truth, pdf: null, scan: await scanned(picture, seed) };
  }
  const pdf = await drawPdf((surface) => {
    truth = drawForm(surface, seed, seed % 4 === 1 ? 'ms' : 'en');
  });
  const [picture] = await drawPages(pdf, [1], dotsPerInch);
  return { truth, pdf, scan: await scanned(picture!, seed) };
}

export type FormFigures = Record<'checkboxes' | 'signatures', Record<string, number | null>>;

export async function measureForms(quick: boolean): Promise<FormFigures> {
  const [boxes, labelled, digital, signatures] = [new Matches(), new Matches(), new Matches(), new Matches()];
  const seeds = Array.from({ length: quick ? 2 : 32 }, (_, index) => firstSeed + index);
  for (const seed of part(seeds)) {
    const { truth, pdf, scan } = await makeForm(seed);
    const found = await parse(scan);
    const at = (passes: typeof sameState) => ({ overlap: 0.5, passes });
    const expected = truth.checkboxes.length;
    const right = count(truth.checkboxes, found.checkboxes, at(sameState));
    boxes.add(found.checkboxes.length, expected, right);
    labelled.add(found.checkboxes.length, expected, count(truth.checkboxes, found.checkboxes, at(sameLabel)));
    const marks = found.signatures.filter((signature) => signature.signed);
    const signed = count(truth.signatures, marks, { overlap: 0.4, passes: () => true });
    signatures.add(marks.length, truth.signatures.length, signed);
    progress(
      `form ${seed}: ${right} of ${expected} boxes, ${found.checkboxes.length} found; ${signed} of ${truth.signatures.length} signatures, ${marks.length} found`,
    );
    if (!pdf) continue;
    const read = (await parse(pdf)).checkboxes;
    digital.add(read.length, expected, count(truth.checkboxes, read, at(sameLabel)));
  }
  return {
    checkboxes: { f1: boxes.f1(), labelled_f1: labelled.f1(), digital_f1: digital.f1() },
    signatures: { f1: signatures.f1() },
  };
}
