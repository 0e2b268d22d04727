/**
 * A linear judge over the words of a short text and what the rules found in it: it knows what attacks are told like, not each by
 * name.
 * Weights by models/recipes/guard-prose, which reads texts by the same features.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../engine.ts';
import type { LogEvent } from '../readers/event.ts';
import { isWebEvent } from '../web/request/web-request.ts';
import { Concepts } from './concepts.ts';
import { type Evidence, featureGroups, MAX_JUDGED } from './features.ts';

/** `LKTJ`, bucket bits, scale, bias, threshold: then a signed byte for each bucket. */
const HEAD = 20;
const MAGIC = 0x4a_54_4b_4c;
const MAX_BITS = 20;

export interface Learnt {
  /** 0 to 1: how likely the text tells of an attack or is a part of one, given what the rules found in it. */
  probability(text: string, findings?: readonly Evidence[]): number;
  /** Probability from which a text is reported. */
  threshold: number;
}

/** @throws EngineError internal_error when the bytes are no weights of this kind */
export function readLearnt(bytes: Uint8Array, concepts = new Concepts()): Learnt {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const bits = bytes.length > HEAD && view.getUint32(0, true) === MAGIC ? view.getUint32(4, true) : 0;
  const isWhole = bits >= 8 && bits <= MAX_BITS && bytes.length === HEAD + 2 ** bits;
  const figures = isWhole ? [8, 12, 16].map((at) => view.getFloat32(at, true)) : [];
  if (!isWhole || !figures.every(Number.isFinite))
    throw new EngineError('internal_error', 'the learnt weights of the pack are not of the expected form');
  const [scale, bias, threshold] = figures as [number, number, number];
  const weights = new Int8Array(bytes.buffer, bytes.byteOffset + HEAD, 2 ** bits);
  const probability = (text: string, findings: readonly Evidence[] = []) => {
    let sum = bias;
    for (const { features, unit } of featureGroups(text, findings, { bits, concepts }))
      for (const feature of features) sum += unit * scale * (weights[feature] as number);
    return 1 / (1 + Math.exp(-sum));
  };
  return { probability, threshold };
}

/** Logs of more events are counted and correlated, not read as prose. */
const MAX_EVENTS = 12;

/** False where rules know better: long texts, logs, requests, and what a product says it stopped or does by routine. */
export const isJudged = (text: string, events: readonly LogEvent[]): boolean =>
  text.length <= MAX_JUDGED &&
  events.length > 0 &&
  events.length <= MAX_EVENTS &&
  events.every((event) => event.standing === undefined && !isWebEvent(event));

/** The event that tells most of it. */
export function likeliest(events: readonly LogEvent[], { probability }: Learnt): LogEvent {
  const likely = events.map((event) => probability(event.raw));
  return events[likely.indexOf(Math.max(...likely))] as LogEvent;
}

/** Bytes of trained weights, as {@link readLearnt} takes them. */
export function writeLearnt(
  weights: Float64Array,
  { bias, threshold }: { bias: number; threshold: number },
): Uint8Array {
  let most = 0;
  for (const weight of weights) most = Math.max(most, Math.abs(weight));
  const scale = most / 127 || 1;
  const bytes = new Uint8Array(HEAD + weights.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, Math.log2(weights.length), true);
  [scale, bias, threshold].forEach((value, i) => {
    view.setFloat32(8 + 4 * i, value, true);
  });
  weights.forEach((weight, i) => {
    view.setInt8(HEAD + i, Math.round(weight / scale));
  });
  return bytes;
}

/** @throws EngineError internal_error when the pack lacks the weights or they are of another form */
export function loadLearnt({ folder }: { folder: string }, concepts: Concepts): Learnt {
  try {
    return readLearnt(readFileSync(join(folder, 'learnt.bin')), concepts);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw new EngineError('internal_error', 'the pack has no learnt.bin');
  }
}
