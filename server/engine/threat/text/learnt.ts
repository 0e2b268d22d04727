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

/** Magic, bucket bits, scale, bias, threshold. */
const HEAD = 20;
/** `LKTL`: gaps between the buckets that are known, seven bits a byte, each with its weight. */
const KNOWN = 0x4c_54_4b_4c;
/** `LKTK`: the same for a reading without marks, as earlier packs have it. */
const EARLIER = 0x4b_54_4b_4c;
/** `LKTJ`: a signed byte for each bucket, known or not, as older packs have it. */
const DENSE = 0x4a_54_4b_4c;
const MAX_BITS = new Map([
  [KNOWN, 22],
  [EARLIER, 22],
  [DENSE, 20],
]);

export interface Learnt {
  /** 0 to 1: how likely the text tells of an attack or is a part of one, given what the rules found in it. */
  probability(text: string, findings?: readonly Evidence[]): number;
  /** Probability from which a text is reported. */
  threshold: number;
}

/** @throws EngineError internal_error when the bytes are no weights of this kind */
export function readLearnt(bytes: Uint8Array, concepts = new Concepts()): Learnt {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = bytes.length >= HEAD ? view.getUint32(0, true) : 0;
  const bits = bytes.length >= HEAD ? view.getUint32(4, true) : 0;
  const isSized = bits >= 8 && bits <= (MAX_BITS.get(magic) ?? 0);
  const weights = isSized ? weightsOf(bytes.subarray(HEAD), { bits, isDense: magic === DENSE }) : null;
  const figures = [8, 12, 16].map((at) => (weights === null ? Number.NaN : view.getFloat32(at, true)));
  if (weights === null || !figures.every(Number.isFinite))
    throw new EngineError('internal_error', 'the learnt weights of the pack are not of the expected form');
  const [scale, bias, threshold] = figures as [number, number, number];
  const reading = { bits, concepts, isEarlier: magic !== KNOWN };
  const probability = (text: string, findings: readonly Evidence[] = []) => {
    let sum = bias;
    for (const { features, unit } of featureGroups(text, findings, reading))
      for (const feature of features) sum += unit * scale * (weights[feature] as number);
    return 1 / (1 + Math.exp(-sum));
  };
  return { probability, threshold };
}

/** The weights of all buckets; null where bytes are missing or too many. */
function weightsOf(
  bytes: Uint8Array,
  { bits, isDense }: { bits: number; isDense: boolean },
): Int8Array | null {
  const buckets = 2 ** bits;
  if (isDense)
    return bytes.length === buckets ? new Int8Array(bytes.buffer, bytes.byteOffset, buckets) : null;
  const weights = new Int8Array(buckets);
  let bucket = -1;
  for (let at = 0; at < bytes.length; at += 1) {
    let gap = 0;
    for (let shift = 0; ; shift += 7, at += 1) {
      const byte = bytes[at];
      if (byte === undefined || shift > 21) return null;
      gap += (byte & 127) << shift;
      if (byte < 128) break;
    }
    at += 1;
    bucket += gap + 1;
    if (at >= bytes.length || bucket >= buckets) return null;
    weights[bucket] = bytes[at] as number;
  }
  return weights;
}

/** Logs of more events are counted and correlated, not read as prose; files and letters have more lines. */
export const MAX_EVENTS = 12;
const MAX_LINES = 40;

/** False where rules know better: long texts, logs, and what a product says it stopped or does by routine, line by line. */
export const isJudged = (text: string, events: readonly LogEvent[]): boolean =>
  text.length <= MAX_JUDGED &&
  events.length > 0 &&
  events.length <= (events.every(({ format }) => format === 'text') ? MAX_LINES : MAX_EVENTS) &&
  events.some((event) => event.standing === undefined);

/** True where the words are believed over a rule's medium or high finding: neither tales of requests nor files of many lines. */
export const isOnlyWords = (events: readonly LogEvent[]): boolean =>
  events.length <= MAX_EVENTS && !events.some(isWebEvent);

/** The event that tells most of it. */
export function likeliest(events: readonly LogEvent[], { probability }: Learnt): LogEvent {
  const likely = events.map((event) => probability(event.raw));
  return events[likely.indexOf(Math.max(...likely))] as LogEvent;
}

/** Bytes of trained weights, as {@link readLearnt} takes them; those that round to nothing are left out. */
export function writeLearnt(
  weights: Float64Array,
  { bias, threshold }: { bias: number; threshold: number },
): Uint8Array {
  let most = 0;
  for (const weight of weights) most = Math.max(most, Math.abs(weight));
  const scale = most / 127 || 1;
  const bytes: number[] = [];
  let before = -1;
  weights.forEach((weight, bucket) => {
    const rounded = Math.round(weight / scale);
    if (rounded === 0) return;
    let gap = bucket - before - 1;
    for (; gap > 127; gap >>= 7) bytes.push((gap & 127) | 128);
    bytes.push(gap, rounded & 255);
    before = bucket;
  });
  const head = new DataView(new ArrayBuffer(HEAD));
  head.setUint32(0, KNOWN, true);
  head.setUint32(4, Math.log2(weights.length), true);
  [scale, bias, threshold].forEach((value, i) => {
    head.setFloat32(8 + 4 * i, value, true);
  });
  return Uint8Array.from([...new Uint8Array(head.buffer), ...bytes]);
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
