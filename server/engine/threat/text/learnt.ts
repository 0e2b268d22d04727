/**
 * A linear judge over the words of a short text and what the rules found in it: it knows what attacks are told like, not each by
 * name.
 * Weights by models/recipes/guard-prose, which reads texts by the same features.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../engine.ts';
import type { LogEvent } from '../readers/event.ts';
import { type Finding, LEVELS } from '../types.ts';
import { isWebEvent } from '../web/request/web-request.ts';

/** Texts longer than this are logs, which rules know better. */
export const MAX_JUDGED = 4096;
/** `LKTJ`, bucket bits, scale, bias, threshold: then a signed byte for each bucket. */
const HEAD = 20;
const MAGIC = 0x4a_54_4b_4c;
const MAX_BITS = 20;

const HAN = /\p{Script=Han}/u;
const TOKEN = /\p{Script=Han}+|[\p{L}\p{M}\p{N}_]+|[^\s\p{L}\p{N}]/gu;
const GRAM = 4;

/** Names, numbers and encoded runs differ from text to text and tell nothing. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[a-z0-9+/]{40,}={0,2}/gu, ' zblob ')
    .replace(/\b\d{1,3}(?:\[?\.\]?\d{1,3}){3}\b/gu, ' zaddress ')
    .replace(/\b[0-9a-f]{12,}\b/gu, ' zhex ')
    .replace(/\d+/gu, '0');

function hash(text: string, seed: number): number {
  let value = seed;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 16_777_619);
  value = Math.imul(value ^ (value >>> 15), 0x2c_1b_3c_6d);
  return (value ^ (value >>> 13)) >>> 0;
}

/** Buckets of the words, word pairs, pairs with a gap and parts of words of a text, each once. */
export function featuresOf(text: string, bits: number): Set<number> {
  const mask = 2 ** bits - 1;
  const features = new Set<number>();
  const add = (key: string, seed: number) => features.add(hash(key, seed) & mask);
  let [before, earlier] = ['^', '^'];
  for (const [token] of plain(text.slice(0, MAX_JUDGED)).matchAll(TOKEN)) {
    if (HAN.test(token)) {
      for (let size = 1; size <= 4; size += 1)
        for (let i = 0; i + size <= token.length; i += 1) add(token.slice(i, i + size), 11);
    } else {
      add(token, 1);
      const padded = `<${token}>`;
      for (let i = 0; i + GRAM <= padded.length; i += 1) add(padded.slice(i, i + GRAM), 5);
    }
    add(`${before} ${token}`, 2);
    add(`${earlier} ${token}`, 3);
    [earlier, before] = [before, token];
  }
  return features;
}

/** A finding of the rules, as evidence. */
export type Evidence = Pick<Finding, 'ruleId' | 'level' | 'source'>;

/** Beside words, whose features share a length of 1 among them. */
export const EVIDENCE_WEIGHT = 0.15;

/** Buckets of the rules, families of rules and levels that have spoken, each once. */
export function evidenceOf(findings: readonly Evidence[], bits: number): Set<number> {
  const mask = 2 ** bits - 1;
  const features = new Set<number>();
  const add = (key: string) => features.add(hash(key, 23) & mask);
  let best = -1;
  for (const { ruleId, level, source } of findings) {
    add(`rule ${ruleId}`);
    add(`family ${ruleId.split('-').slice(0, 2).join('-')}`);
    add(`${source} ${level}`);
    best = Math.max(best, LEVELS.indexOf(level));
  }
  add(`best ${best}`);
  return features;
}

export interface Learnt {
  /** 0 to 1: how likely the text tells of an attack or is a part of one, given what the rules found in it. */
  probability(text: string, findings?: readonly Evidence[]): number;
  /** Probability from which a text is reported. */
  threshold: number;
}

/** @throws EngineError internal_error when the bytes are no weights of this kind */
export function readLearnt(bytes: Uint8Array): Learnt {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const bits = bytes.length > HEAD && view.getUint32(0, true) === MAGIC ? view.getUint32(4, true) : 0;
  if (bits < 8 || bits > MAX_BITS || bytes.length !== HEAD + 2 ** bits)
    throw new EngineError('internal_error', 'the learnt weights of the pack are not of the expected form');
  const [scale, bias, threshold] = [8, 12, 16].map((at) => view.getFloat32(at, true)) as [
    number,
    number,
    number,
  ];
  const weights = new Int8Array(bytes.buffer, bytes.byteOffset + HEAD, 2 ** bits);
  const total = (features: ReadonlySet<number>) => {
    let sum = 0;
    for (const feature of features) sum += weights[feature] as number;
    return scale * sum;
  };
  const probability = (text: string, findings: readonly Evidence[] = []) => {
    const words = featuresOf(text, bits);
    const evidence = EVIDENCE_WEIGHT * total(evidenceOf(findings, bits));
    return 1 / (1 + Math.exp(-(bias + evidence + total(words) / Math.sqrt(Math.max(words.size, 1)))));
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
export function loadLearnt({ folder }: { folder: string }): Learnt {
  try {
    return readLearnt(readFileSync(join(folder, 'learnt.bin')));
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw new EngineError('internal_error', 'the pack has no learnt.bin');
  }
}
