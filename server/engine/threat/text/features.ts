/**
 * Features by which the judge of words reads a text: its words, the meanings of those that the pack knows, marks such as large numbers,
 * and what the rules found. Each is a bucket of a hash table of weights.
 */
import { type Finding, LEVELS } from '../types.ts';
import { type Concepts, wordTokens } from './concepts.ts';
import { decodeCommands } from './decoded.ts';
import { ADDRESS, isInner, marksOf } from './marks.ts';

/** Texts longer than this are logs, which rules know better. */
export const MAX_JUDGED = 4096;

const HAN = /\p{Script=Han}/u;
const GRAM = 4;

const lower = (text: string) => text.normalize('NFKC').toLowerCase();

/** Names, numbers and encoded runs differ from text to text and tell nothing. */
const plain = (text: string, addressName: (address: string) => string) =>
  lower(text)
    .replace(/[a-z0-9+/]{40,}={0,2}/gu, ' zblob ')
    .replace(ADDRESS, (address) => ` ${addressName(address)} `)
    .replace(/\b[0-9a-f]{12,}\b/gu, ' zhex ')
    .replace(/\d+/gu, '0');

function hash(text: string, seed: number): number {
  let value = seed;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 16_777_619);
  value = Math.imul(value ^ (value >>> 15), 0x2c_1b_3c_6d);
  return (value ^ (value >>> 13)) >>> 0;
}

interface Words {
  words: Set<number>;
  /** Pairs of words, without and with a gap. */
  pairs: Set<number>;
  /** Parts of words, and three or four signs of Chinese. */
  parts: Set<number>;
}

/** Buckets of the words of a plain text, of pairs and parts of them, each once. */
function wordsOf(text: string, bits: number): Words {
  const mask = 2 ** bits - 1;
  const [words, pairs, parts] = [new Set<number>(), new Set<number>(), new Set<number>()];
  const add = (to: Set<number>, key: string, seed: number) => to.add(hash(key, seed) & mask);
  let [before, earlier] = ['^', '^'];
  for (const token of wordTokens(text)) {
    if (HAN.test(token)) {
      [words, pairs, parts, parts].forEach((to, at) => {
        for (let i = 0; i + at < token.length; i += 1) add(to, token.slice(i, i + at + 1), 11);
      });
    } else {
      add(words, token, 1);
      const padded = `<${token}>`;
      for (let i = 0; i + GRAM <= padded.length; i += 1) add(parts, padded.slice(i, i + GRAM), 5);
    }
    add(pairs, `${before} ${token}`, 2);
    add(pairs, `${earlier} ${token}`, 3);
    [earlier, before] = [before, token];
  }
  return { words, pairs, parts };
}

/** A finding of the rules, as evidence. */
export type Evidence = Pick<Finding, 'ruleId' | 'level' | 'source'>;

/** Weight of each kind of features, shared among those of the kind; each finding counts for itself. */
const UNITS = { words: 1.1, pairs: 1.5, parts: 1.1, meanings: 0.55, marks: 0.66, evidence: 0.33 } as const;
/** As packs were trained before words, pairs and parts were told apart: all of them share 1. */
const EARLIER_UNITS = { words: 1, meanings: 0.25, evidence: 0.15 } as const;
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
  for (const { ruleId, level, source } of findings) {
    add(`rule ${ruleId}`);
    add(`family ${ruleId.split('-').slice(0, 2).join('-')}`);
    add(`${source} ${level}`);
  }
  add(`best ${bestOf(findings)}`);
  return features;
}

const bestOf = (findings: readonly Evidence[]): number =>
  Math.max(-1, ...findings.map(({ level }) => LEVELS.indexOf(level)));

/** Features of one kind and how much each of them counts. */
export interface FeatureGroup {
  features: Uint32Array;
  unit: number;
}

interface Reading {
  bits: number;
  concepts: Concepts;
  /** Reads as packs were trained before words, pairs and parts were told apart. */
  isEarlier?: boolean;
}

/** A text and the commands that it holds in base64: what they run tells more than that they are encoded. */
const opened = (text: string) =>
  [text.slice(0, MAX_JUDGED), ...decodeCommands(text).map((decoded) => decoded.text)]
    .join('\n')
    .slice(0, 2 * MAX_JUDGED);

export function featureGroups(
  text: string,
  findings: readonly Evidence[],
  { bits, concepts, isEarlier = false }: Reading,
): FeatureGroup[] {
  const whole = opened(text);
  const shared = (features: Set<number>, weight: number): FeatureGroup => ({
    features: Uint32Array.from(features),
    unit: weight / Math.sqrt(Math.max(features.size, 1)),
  });
  const meanings = meaningsOf(whole, bits, concepts);
  const evidence = Uint32Array.from(evidenceOf(findings, bits));
  if (isEarlier) {
    const { words, pairs, parts } = wordsOf(
      plain(whole, () => 'zaddress'),
      bits,
    );
    return [
      shared(new Set([...words, ...pairs, ...parts]), EARLIER_UNITS.words),
      shared(meanings, EARLIER_UNITS.meanings),
      { features: evidence, unit: EARLIER_UNITS.evidence },
    ];
  }
  const { words, pairs, parts } = wordsOf(
    plain(whole, (address) => (isInner(address) ? 'zinner' : 'zouter')),
    bits,
  );
  const marks = new Set<number>();
  for (const mark of marksOf(lower(whole), bestOf(findings))) marks.add(hash(mark, 53) & (2 ** bits - 1));
  return [
    shared(words, UNITS.words),
    shared(pairs, UNITS.pairs),
    shared(parts, UNITS.parts),
    shared(meanings, UNITS.meanings),
    shared(marks, UNITS.marks),
    { features: evidence, unit: UNITS.evidence },
  ];
}
