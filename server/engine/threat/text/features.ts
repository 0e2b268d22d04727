/**
 * Features by which the judge of words reads a text: its words, the meanings of those that the pack knows, and what the rules found.
 * Each is a bucket of a hash table of weights.
 */
import { type Finding, LEVELS } from '../types.ts';
import { type Concepts, wordTokens } from './concepts.ts';
import { decodeCommands } from './decoded.ts';

/** Texts longer than this are logs, which rules know better. */
export const MAX_JUDGED = 4096;

const HAN = /\p{Script=Han}/u;
const GRAM = 4;

const lower = (text: string) => text.normalize('NFKC').toLowerCase();

/** Names, numbers and encoded runs differ from text to text and tell nothing. */
const plain = (text: string) =>
  lower(text)
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
function wordsOf(text: string, bits: number): Set<number> {
  const mask = 2 ** bits - 1;
  const features = new Set<number>();
  const add = (key: string, seed: number) => features.add(hash(key, seed) & mask);
  let [before, earlier] = ['^', '^'];
  for (const token of wordTokens(plain(text))) {
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
const EVIDENCE_WEIGHT = 0.15;
const MEANING_WEIGHT = 0.25;
/** Meanings of a text that are paired with each other. */
const MAX_PAIRED = 40;

/** Buckets of the meanings of a text, each with the two before it, and each with each other. */
function meaningsOf(text: string, bits: number, concepts: Concepts): Set<number> {
  const mask = 2 ** bits - 1;
  const features = new Set<number>();
  const add = (key: string, seed: number) => features.add(hash(key, seed) & mask);
  const found = concepts.of(wordTokens(lower(text)));
  let [before, earlier] = ['^', '^'];
  for (const concept of found) {
    add(concept, 31);
    add(`${before} ${concept}`, 37);
    add(`${earlier} ${concept}`, 41);
    [earlier, before] = [before, concept];
  }
  const all = [...new Set(found)].sort().slice(0, MAX_PAIRED);
  all.forEach((one, i) => {
    for (const other of all.slice(i + 1)) add(`${one}&${other}`, 43);
  });
  return features;
}

/** Buckets of the rules, families of rules and levels that have spoken, each once. */
function evidenceOf(findings: readonly Evidence[], bits: number): Set<number> {
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

/** Features of one kind and how much each of them counts. */
export interface FeatureGroup {
  features: Uint32Array;
  unit: number;
}

interface Reading {
  bits: number;
  concepts: Concepts;
}

/** A text and the commands that it holds in base64: what they run tells more than that they are encoded. */
const opened = (text: string) =>
  [text.slice(0, MAX_JUDGED), ...decodeCommands(text).map((decoded) => decoded.text)]
    .join('\n')
    .slice(0, 2 * MAX_JUDGED);

export function featureGroups(
  text: string,
  findings: readonly Evidence[],
  { bits, concepts }: Reading,
): FeatureGroup[] {
  const whole = opened(text);
  const shared = (features: Set<number>, weight: number): FeatureGroup => ({
    features: Uint32Array.from(features),
    unit: weight / Math.sqrt(Math.max(features.size, 1)),
  });
  return [
    shared(wordsOf(whole, bits), 1),
    shared(meaningsOf(whole, bits, concepts), MEANING_WEIGHT),
    { features: Uint32Array.from(evidenceOf(findings, bits)), unit: EVIDENCE_WEIGHT },
  ];
}
