/** Which of the objects found may be said in words: those that fit the kind of picture, and those that a second look confirms. */
import type { Attributes } from '../attributes.ts';
import { chartKinds } from '../charts.ts';
import { isNatural } from '../classify-scene.ts';
import { roundScore } from '../models/detectors/boxes.ts';
import type { FoundObject } from '../types.ts';
import type { Fact } from './facts.ts';

/** Objects below are listed with their confidence, but not claimed in words. */
const claimedConfidence = 0.5;
/** Codes that could not be decoded: stripes are met in many things. Decoded ones are surer than that. */
const claimedCode = 0.75;
/** A portrait on a card makes it one, even a doubtful one. */
const portraitConfidence = 0.15;

const screenParts = ['window', 'dialog', 'button', 'text_field'];
const formParts = ['form', 'checkbox', 'checkbox_ticked', 'radio', 'radio_selected'];
const papers = ['signature', 'stamp', 'mrz', 'receipt', 'id_card'];
const drawings = ['table', 'diagram', 'code', 'photo'];
const charts = [...chartKinds, 'map'];

/** Labels that pictures of a group do not show; where one is found all the same, something that looks like it was met. */
const foreign: Record<string, ReadonlySet<string>> = {
  document: new Set(screenParts),
  screenshot: new Set(['signature', 'stamp', 'mrz']),
  graphic: new Set([...screenParts, ...formParts, ...papers]),
  photograph: new Set([...screenParts, ...formParts, ...drawings, ...charts, 'signature', 'stamp', 'mrz']),
};

/** Left of the confidence in what photographs do not show; photographs of a screen or a page show them all the same. */
const foreignShare = 0.3;
const surelyPhotograph = 0.75;

/** Parts of pages and screens that were seen in what a camera took of the world. */
export function doubtForeign(
  objects: readonly FoundObject[],
  scene: Record<string, number>,
  { texture }: Pick<Attributes, 'texture'>,
): FoundObject[] {
  if ((scene.photograph ?? 0) < surelyPhotograph || !isNatural(texture)) return [...objects];
  return objects
    .map((object) =>
      foreign.photograph!.has(object.label)
        ? { ...object, confidence: roundScore(object.confidence * foreignShare) }
        : object,
    )
    .sort((a, b) => b.confidence - a.confidence);
}

/** Reads what stands in a part of the picture. */
export type ReadBox = (box: FoundObject['bbox']) => Promise<readonly string[]>;

export async function claimable(
  objects: readonly FoundObject[],
  kind: Fact | undefined,
  read: ReadBox,
): Promise<FoundObject[]> {
  const likely = objects.filter(
    ({ confidence, label }) => confidence >= leastOf(label) && !isForeign(label, kind),
  );
  const confirmed = await Promise.all(likely.map((object) => isConfirmed(object, objects, read)));
  return likely.filter((_, index) => confirmed[index]);
}

const leastOf = (label: string): number =>
  label === 'barcode' || label === 'qr_code' ? claimedCode : claimedConfidence;

/** A picture of one program shows no windows beside its own. */
function isForeign(label: string, kind: Fact | undefined): boolean {
  if (!kind) return false;
  if (label === 'window' && kind.id !== undefined && kind.id !== 'desktop') return true;
  return foreign[kind.group]?.has(label) ?? false;
}

async function isConfirmed(
  { label, bbox }: FoundObject,
  objects: readonly FoundObject[],
  read: ReadBox,
): Promise<boolean> {
  if (label === 'mrz') return (await read(bbox)).some((line) => /<{2}/.test(line));
  if (label !== 'id_card') return true;
  const holds = ([x0, y0, x1, y1]: FoundObject['bbox']) =>
    (x0 + x1) / 2 > bbox[0] && (x0 + x1) / 2 < bbox[2] && (y0 + y1) / 2 > bbox[1] && (y0 + y1) / 2 < bbox[3];
  return objects.some(
    (other) =>
      (other.label === 'photo' || other.label === 'mrz') &&
      other.confidence >= portraitConfidence &&
      holds(other.bbox),
  );
}
