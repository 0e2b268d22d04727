/**
 * Trains `learnt.bin` of the guard starter: node models/recipes/guard-prose/train.ts [--judge]. Logistic regression over hashed
 * words, their meanings and what the rules found. With --judge a quarter of the authors is left out at a time, and found and
 * flagged are told for thresholds.
 */
import { writeFileSync } from 'node:fs';
import { detectThreats, doubted, leastOf } from '../../../server/engine/threat/analyze.ts';
import { rank } from '../../../server/engine/threat/answer/score.ts';
import { loadAttackTable } from '../../../server/engine/threat/attack/table.ts';
import { RuleSet } from '../../../server/engine/threat/rule-set.ts';
import { loadConcepts } from '../../../server/engine/threat/text/concepts.ts';
import { type FeatureGroup, featureGroups } from '../../../server/engine/threat/text/features.ts';
import { isJudged, type Learnt, readLearnt, writeLearnt } from '../../../server/engine/threat/text/learnt.ts';
import { blindRows, corpora } from '../../../test/bench/threat-blind/score.ts';
import { familyRows } from '../../../test/bench/threat-families/rows.ts';
import { createRandom } from '../../../test/support/logs/random.ts';
import { benignRequest } from '../../../test/support/logs/requests.ts';
import { guardPack, knowledge, ruleFiles, samples } from '../../../test/support/threat-engine.ts';
import { attackTexts, ordinaryTexts } from '../../../test/support/threat-texts.ts';
import { readWritten } from '../shield-names/written.ts';
import { authors, writtenRows } from './written.ts';

const BITS = 22;
/** Features of fewer texts are not learnt: an unknown text that shares their bucket would be read by them. */
const LEAST_TEXTS = 3;
const EPOCHS = 20;
const RATE = 0.3;
const SHRINK = 1e-3;
/** Trainings in other orders, whose weights are averaged: what one of them leaves out by chance moves a text less. */
const SEEDS = [7, 8, 9];
/** Share of a text's features that each pass leaves out: no author's turn of phrase may carry the answer alone. */
const DROPPED = 0.5;
/** Authors left out have 1.4 to 10.3 % of their ordinary texts flagged at it: README.md. */
const THRESHOLD = 0.5;
/** Groups of authors that are left out together by --judge. */
const GROUPS = 4;

/** Ordinary requests that are generated, by another seed than those which the bench generates. */
const GENERATED = { requests: 300, seed: 77 };

/** Letters, news, forms and remarks about anything: no rule speaks of them, nor do they tell of what opens an account. */
const everyday = (['en', 'ms', 'zh'] as const)
  .flatMap((language) =>
    ['written', 'written-next'].flatMap((folder) =>
      readWritten(new URL(`../shield-names/${folder}/${language}.tsv`, import.meta.url), language),
    ),
  )
  .filter(({ text }) => !/mailbox|password/iu.test(text));

/** All that may be read. */
const readable = corpora.filter((corpus) => corpus !== 'unseen');

interface Example extends ReturnType<typeof detectThreats> {
  text: string;
  parts: FeatureGroup[];
  isAttack: boolean;
  weight: number;
  author: string;
  isJudged: boolean;
}

const rules = new RuleSet();
rules.add(ruleFiles(`${guardPack}/rules`), 'built-in');
const concepts = await loadConcepts({ folder: guardPack });
const analyzer = { rules, table: loadAttackTable(guardPack), knowledge };

function toExample(row: Pick<Example, 'text' | 'isAttack' | 'weight' | 'author'>): Example {
  const detected = detectThreats(row.text, analyzer);
  return {
    ...row,
    ...detected,
    parts: featureGroups(row.text, detected.findings.list(), { bits: BITS, concepts }),
    isJudged: isJudged(row.text, detected.events),
  };
}

function examples(): Example[] {
  const rows = samples().flatMap(({ text, not }) => [
    toExample({ text, isAttack: true, weight: 0.5, author: 'samples' }),
    ...(not ? [toExample({ text: not, isAttack: false, weight: 0.5, author: 'samples' })] : []),
  ]);
  const random = createRandom(GENERATED.seed);
  for (let i = 0; i < GENERATED.requests; i += 1)
    rows.push(toExample({ text: benignRequest(random), isAttack: false, weight: 0.5, author: 'generated' }));
  const others = everyday.map(({ text }) =>
    toExample({ text, isAttack: false, weight: 1, author: 'everyday' }),
  );
  rows.push(...others.filter(({ findings }) => findings.list().length === 0));
  for (const set of ['attacks', 'ordinary'] as const) {
    const isAttack = set === 'attacks';
    const add = (texts: readonly { text: string }[], author: string, weight: number) =>
      rows.push(...texts.map(({ text }) => toExample({ text, isAttack, weight, author })));
    for (const corpus of readable) add(blindRows(set, corpus), corpus, isAttack ? 1 : 2);
    for (const author of authors) add(writtenRows(set, author), author, isAttack ? 1 : 2);
    add(familyRows(set, 'tune'), 'families', 1);
    add(
      (isAttack ? attackTexts : ordinaryTexts).map((text) => ({ text })),
      'development',
      1,
    );
  }
  return rows;
}

/** Same numbers at each build. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c_1b_3c_6d) + 0x6d_2b_79_f5;
    state = Math.imul(state ^ (state >>> 12), 0x29_7a_2d_39);
    state ^= state >>> 15;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Number of texts that each feature stands in. */
function textsOf(rows: readonly Example[]): Uint16Array {
  const texts = new Uint16Array(2 ** BITS);
  for (const { parts } of rows)
    for (const { features } of parts)
      for (const feature of features) texts[feature] = (texts[feature] as number) + 1;
  return texts;
}

interface Trained {
  weights: Float64Array;
  bias: number;
}

function trainOnce(rows: readonly Example[], seed: number): Trained {
  const weights = new Float64Array(2 ** BITS);
  const squares = new Float64Array(2 ** BITS).fill(0.1);
  let bias = 0;
  const random = randomOf(seed);
  const texts = textsOf(rows);
  const known = rows.map(({ parts }) =>
    parts.map(({ features, unit }) => ({
      features: features.filter((feature) => (texts[feature] as number) >= LEAST_TEXTS),
      unit,
    })),
  );
  const order = rows.map((_, i) => i);
  const kept = ({ features, unit }: FeatureGroup): FeatureGroup => ({
    features: features.filter(() => random() >= DROPPED),
    unit: unit / (1 - DROPPED),
  });
  const step = ({ features, unit }: FeatureGroup, error: number) => {
    const slope = error * unit;
    for (const feature of features) {
      const whole = slope + SHRINK * (weights[feature] as number);
      squares[feature] = (squares[feature] as number) + whole * whole;
      weights[feature] =
        (weights[feature] as number) - (RATE * whole) / Math.sqrt(squares[feature] as number);
    }
  };
  const total = ({ features, unit }: FeatureGroup) => {
    let sum = 0;
    for (const feature of features) sum += weights[feature] as number;
    return sum * unit;
  };
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    for (let i = order.length - 1; i > 0; i -= 1) {
      const j = Math.floor(random() * (i + 1));
      [order[i], order[j]] = [order[j] as number, order[i] as number];
    }
    for (const at of order) {
      const { isAttack, weight } = rows[at] as Example;
      const parts = (known[at] as FeatureGroup[]).map(kept);
      const sum = parts.reduce((all, part) => all + total(part), bias);
      const error = (1 / (1 + Math.exp(-sum)) - Number(isAttack)) * weight;
      bias -= 0.01 * error;
      for (const part of parts) step(part, error);
    }
  }
  return { weights, bias };
}

function weightsOf(rows: readonly Example[]): Uint8Array {
  const [first, ...others] = SEEDS.map((seed) => trainOnce(rows, seed)) as [Trained, ...Trained[]];
  for (const { weights, bias } of others) {
    first.bias += bias;
    weights.forEach((weight, at) => {
      first.weights[at] = (first.weights[at] as number) + weight;
    });
  }
  const bias = first.bias / SEEDS.length;
  return writeLearnt(
    first.weights.map((weight) => weight / SEEDS.length),
    { bias, threshold: THRESHOLD },
  );
}

/** Tells what the whole analysis would find and flag of an author by such weights, for thresholds. */
function tell(author: string, learnt: Learnt): void {
  const left = all
    .filter((row) => row.author === author)
    .map((row) => ({ ...row, p: learnt.probability(row.text, row.findings.list()) }));
  const raised = (threshold: number) => (row: (typeof left)[number]) => {
    const lowered = row.isJudged
      ? doubted(
          row.text,
          row.p,
          row,
          () => true,
          (core) => learnt.probability(core, row.findings.list()),
        )
      : [];
    const levels = row.findings
      .list()
      .filter(({ ruleId }) => !lowered.includes(ruleId))
      .map(({ level }) => rank(level));
    return (
      Math.max(-1, ...levels) >= rank('medium') ||
      (row.isJudged && row.p >= leastOf(row.text, row, threshold))
    );
  };
  const share = (isAttack: boolean, threshold: number) => {
    const of = left.filter((row) => row.isAttack === isAttack);
    return (of.filter(raised(threshold)).length / of.length).toFixed(3);
  };
  const told = [2, 0.6, 0.55, 0.5, 0.45].map((at) => `${at}: ${share(true, at)}/${share(false, at)}`);
  console.log(author, told.join('  '));
}

const all = examples();
console.log({ rows: all.length });
if (process.argv.includes('--judge')) {
  const everybody = [...readable, ...authors];
  for (let group = 0; group < GROUPS; group += 1) {
    const out = everybody.filter((_, i) => i % GROUPS === group);
    const rest = all.filter((row) => !(out as string[]).includes(row.author));
    const learnt = readLearnt(weightsOf(rest), concepts);
    for (const author of out) tell(author, learnt);
  }
}
writeFileSync(new URL('../../packs/guard-starter/learnt.bin', import.meta.url), weightsOf(all));
