/**
 * The kind of a picture from more than its look: what the scene network says, weighed by the shape of the picture, by the
 * words on it and by what covers it. Pure. For the kinds of the starter; other packs' scenes are left as they are.
 */

import type { Texture } from './attributes.ts';
import { roundScore } from './models/detectors/boxes.ts';
import type { NameTable } from './models/model.ts';
import type { FoundObject } from './types.ts';

export interface Clues {
  /** Width over height. */
  aspect: number;
  objects: readonly FoundObject[];
  /** Lines that were read. */
  lines: readonly string[];
  /** Unknown: not measured. */
  texture?: Texture;
}

/** Kinds that come upright, or lying, with what is left of their probability in the other shape. */
const upright = { mobile: 0.1, invoice: 0.3, receipt: 0.3, letter: 0.3, form: 0.3 } as const;
const lying = { desktop: 0.3 } as const;
const clearlyUpright = 0.85;
const clearlyLying = 1.15;

/** Each different match speaks for the kind; after three there is nothing to add. */
const words: Record<string, readonly RegExp[]> = {
  receipt: [
    /\breceipt\b|\bresit\b|收据|小票/i,
    /\bcash\b|\btunai\b|现金/i,
    /\bchange\b|\bbaki\b|找零/i,
    /\bcashier\b|\bjuruwang\b|收银/i,
    /\brounding|\bpembundaran\b|舍入/i,
    /\btotal\b|\bjumlah\b|合计|总计/i,
    /\bqty\b|\bkuantiti\b|数量/i,
    /\bgst\b|\bsst\b|\bvat\b/i,
  ],
  invoice: [
    /\binvoice\b|\binvois\b|\bfacture\b|\brechnung\b|发票/i,
    /\bbill to\b|\bbil kepada\b/i,
    /\bdue date\b|\bamount due\b|\btarikh akhir\b|应付/i,
    /\bsubtotal\b|\bsub total\b|小计/i,
  ],
  letter: [
    /^(dear|dear sir|tuan\/puan|kepada)\b|尊敬的/i,
    /\b(sincerely|faithfully|regards)\b|yang (ikhlas|benar)|此致|敬上/i,
  ],
  id_card: [
    /identity card|kad pengenalan|身份证|driving licen[cs]e|lesen memandu|\bpersonalausweis\b/i,
    /\b\d{6}-\d{2}-\d{4}\b/,
    /\b(nationality|warganegara|citizen)|性别|民族/i,
  ],
  passport: [/\bpassport\b|\bpasport\b|\bpasseport\b|护照/i, /^[PIV][A-Z<][A-Z]{3}[A-Z]+<+/, /<{4,}/],
  terminal: [/^[\w.-]+@[\w.-]+[:~ ].*[$#]/, /^[$#] ?[a-z]/, /^(PS )?[A-Z]:\\.*>/],
};

/** Objects that are a kind when they fill the picture. */
const whole: Record<string, string> = {
  receipt: 'receipt',
  id_card: 'id_card',
  bar_chart: 'chart',
  line_chart: 'chart',
  pie_chart: 'chart',
  scatter_chart: 'chart',
};
const filledShare = 0.4;
const certain = 0.7;
const mostMatches = 3;
const filledVotes = 2;

export function classifyScene(
  scene: Record<string, number>,
  clues: Clues,
  names: NameTable | undefined,
): Record<string, number> {
  const kinds = [...(names?.kinds ?? [])].filter(([id]) => id in scene);
  const weighed = kinds.map(
    ([id, { group }]) =>
      scene[id]! *
      shapeFactor(id, clues.aspect) *
      textureFactor(id, group, clues.texture) *
      controlsFactor(id, clues.objects) *
      Math.exp(votes(id, clues)),
  );
  const sum = weighed.reduce((total, value) => total + value, 0);
  if (!(sum > 0)) return scene;
  const scores = { ...scene };
  for (const [, { group }] of kinds) scores[group] = 0;
  for (const [index, [id, { group }]] of kinds.entries()) {
    const share = weighed[index]! / sum;
    if (group !== id) scores[group]! += share;
    scores[id] = roundScore(share);
  }
  for (const group of new Set(kinds.map(([, { group }]) => group)))
    scores[group] = roundScore(scores[group]!);
  return scores;
}

function shapeFactor(id: string, aspect: number): number {
  if (aspect > clearlyLying) return upright[id as keyof typeof upright] ?? 1;
  return aspect < clearlyUpright ? (lying[id as keyof typeof lying] ?? 1) : 1;
}

export const isNatural = ({ flat, commonest }: Texture): boolean =>
  flat < natural.flat && commonest < natural.commonest;

/**
 * Cameras leave hardly two neighbors alike and no color that prevails: of 90 real and drawn pictures of other kinds none came
 * near that. What a program drew is flat and of few colors. Wallpapers and web pages may be full of photographs.
 */
const natural = { flat: 0.35, commonest: 0.25 };
const drawn = { flat: 0.75, commonest: 0.65 };
const unlikely = 0.002;
const mayHoldPhotographs = new Set(['desktop', 'web_page']);

function textureFactor(id: string, group: string, texture: Texture | undefined): number {
  if (!texture) return 1;
  const { flat, commonest } = texture;
  if (isNatural(texture))
    return (group === 'graphic' || group === 'screenshot') && !mayHoldPhotographs.has(id) ? unlikely : 1;
  return flat > drawn.flat && commonest > drawn.commonest && group === 'photograph' ? unlikely : 1;
}

/** Terminals and editors of text show none, or hardly any. */
const withoutControls = new Set(['terminal', 'code_editor']);
const controls = new Set(['button', 'text_field']);
const [claimed, clear] = [0.5, 2];

function controlsFactor(id: string, objects: readonly FoundObject[]): number {
  if (!withoutControls.has(id)) return 1;
  const found = objects.filter(({ label, confidence }) => controls.has(label) && confidence >= claimed);
  return found.length >= clear ? 0.1 : 1;
}

function votes(id: string, { lines, objects }: Clues): number {
  const matches = (words[id] ?? []).filter((word) => lines.some((line) => word.test(line))).length;
  const covers = objects.some(
    ({ label, confidence, bbox: [x0, y0, x1, y1] }) =>
      whole[label] === id && confidence >= certain && (x1 - x0) * (y1 - y0) >= filledShare,
  );
  return Math.min(mostMatches, matches) + (covers ? filledVotes : 0);
}

/** The look does not tell: words are worth reading. Photographs have none that would. */
export function isDoubtful(scene: Record<string, number>, names: NameTable | undefined): boolean {
  const best = Math.max(0, ...[...(names?.kinds.keys() ?? [])].map((id) => scene[id] ?? 0));
  return best > 0 && best < sure && (scene.photograph ?? 0) < best;
}
const sure = 0.85;
