/**
 * Trains how names and addresses of seller and buyer and the total are chosen, and writes them into the pack.
 *
 * usage: node train.ts [--papers 1] [--run 0] [--pack ../../packs/parse-starter] [--wrong FILE] [--keep]
 *
 * Trained on generated receipts and invoices of the families that are not held back, and on the annotated lines of
 * doc-sroie-dev where they are there. Folds hold families and shops together; calibration and the figures of the
 * development data are of the folds not trained on, the figures of held-back families of the whole. FILE gets the papers
 * of the folds whose choice was wrong, none that is held back. With --keep all weights of the pack stay but those that
 * compare names with their rivals; these learn from the scattered papers and a third of the other families. Another --run
 * draws other papers of each family and other chances of the trees: the mean of runs hangs less on either.
 */

import { appendFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  calibrated,
  type Features,
  type Ranker,
  scoreOf,
  sureness,
} from '../../../server/engine/documents/scoring/boosted-trees.ts';
import type { DocumentScoring } from '../../../server/engine/documents/scoring/document-scoring.ts';
import { amountCandidates } from '../../../server/engine/documents/templates/invoice/invoice-amounts.ts';
import { readLineItems } from '../../../server/engine/documents/templates/invoice/invoice-items.ts';
import { addressCandidates } from '../../../server/engine/documents/templates/invoice/parties/address-candidates.ts';
import { partyContextOf } from '../../../server/engine/documents/templates/invoice/parties/invoice-parties.ts';
import { nameCandidates } from '../../../server/engine/documents/templates/invoice/parties/name-candidates.ts';
import type { LineRun } from '../../../server/engine/documents/templates/invoice/parties/place-features.ts';
import {
  rivalAddresses,
  rivalNames,
  type ScoredRuns,
} from '../../../server/engine/documents/templates/invoice/parties/rival-runs.ts';
import { totalCandidates } from '../../../server/engine/documents/templates/invoice/total-candidates.ts';
import { documentScoring } from '../../../server/engine/documents/vocabulary/words.ts';
import { firstScattered } from '../../../test/support/documents/generated/receipts.ts';
import { createChance } from '../../../test/support/documents/specimens/chance.ts';
import { sameText } from '../../../test/support/documents/sroie.ts';
import { type BoostOptions, boost, type Row } from './boost.ts';
import { type Example, generatedExamples, receiptExamples } from './examples.ts';

const { values: options } = parseArgs({
  options: {
    papers: { type: 'string', default: '1' },
    run: { type: 'string', default: '0' },
    wrong: { type: 'string' },
    keep: { type: 'boolean', default: false },
    pack: { type: 'string', default: new URL('../../packs/parse-starter', import.meta.url).pathname },
  },
});
const shares = { depth: 4, rowShare: 0.6, featureShare: 0.4 };
const choosing: BoostOptions = { ...shares, trees: 180, rate: 0.1, minLeaf: 0.6, loss: 'choice' };
/** Among the likeliest names the first trees have done most of it. */
const comparing: BoostOptions = { ...choosing, trees: 120, rate: 0.08 };
/** Amounts repeat on a paper: several candidates are right, and none is right for its place. */
const judging: BoostOptions = {
  ...shares,
  trees: 120,
  rate: 0.12,
  minLeaf: 1.5,
  loss: 'each',
};
const foldCount = 3;
/** Weight of a real paper; a generated one weighs 1. */
const realWeight = 6;
/** Candidates that are wrong, of one paper, that are learnt from. */
const maxWrong = 24;

interface Candidate {
  features: Features;
  key: string;
  right: boolean;
}
interface Task {
  field: keyof Example['truth'];
  boosting: BoostOptions;
  candidatesOf(example: Example, index: number): Candidate[];
}

const foldOf = (group: string): number =>
  [...group].reduce((hash, char) => (Math.imul(hash, 31) + char.charCodeAt(0)) >>> 0, 7) % foldCount;

interface Lessons {
  trust: readonly number[];
  /** The paper has no such field: every candidate is wrong. */
  isNone: readonly boolean[];
  /** Papers whose truth is not known are not learnt from. */
  known: readonly boolean[];
  loss: BoostOptions['loss'];
}

function toRows(
  papers: readonly Candidate[][],
  { trust, isNone, known, loss }: Lessons,
  seed: number,
): Row[] {
  const chance = createChance(seed);
  return papers.flatMap((candidates, index) => {
    const weight = trust[index]!;
    const right = candidates.filter((each) => each.right);
    if (!known[index] || (right.length === 0 && !isNone[index])) return [];
    const wrong = candidates.filter((each) => !each.right);
    const rightWeight = loss === 'choice' ? weight * right.length : 4 * weight;
    const share = Math.min(1, maxWrong / Math.max(1, wrong.length));
    return [
      ...right.map(({ features }) => ({
        features,
        right: true,
        weight: rightWeight / right.length,
        paper: index,
      })),
      ...wrong
        .filter(() => chance.happens(share))
        .map(({ features }) => ({ features, right: false, weight, paper: index })),
    ];
  });
}

interface Chosen {
  at: number;
  right: boolean;
  raw: number;
}

function chooseBy(scores: readonly number[], candidates: readonly Candidate[]): Chosen {
  if (candidates.length === 0) return { at: -1, right: false, raw: 0 };
  const at = scores.indexOf(Math.max(...scores));
  const { key, right } = candidates[at]!;
  const others = scores.filter((_, index) => candidates[index]!.key !== key);
  return { at, right, raw: sureness(scores[at]!, others) };
}

/** Shares that are right by raw sureness, made to rise (pool adjacent violators). */
function calibrationOf(chosen: readonly Chosen[]): [number, number][] {
  const sorted = chosen.filter(({ at }) => at >= 0).toSorted((a, b) => a.raw - b.raw);
  const pools: { raw: number; right: number; count: number }[] = [];
  const step = Math.max(1, Math.floor(sorted.length / 40));
  for (let from = 0; from < sorted.length; from += step) {
    const part = sorted.slice(from, from + step);
    pools.push({
      raw: part.reduce((sum, { raw }) => sum + raw, 0),
      right: part.filter(({ right }) => right).length,
      count: part.length,
    });
    for (;;) {
      const [before, last] = pools.slice(-2);
      if (!before || !last || before.right / before.count < last.right / last.count) break;
      pools.splice(-2, 2, {
        raw: before.raw + last.raw,
        right: before.right + last.right,
        count: before.count + last.count,
      });
    }
  }
  const share = (value: number): number => Math.round(1000 * value) / 1000;
  // One more of each kind keeps a small pool from being quite sure.
  return [
    [0, 0],
    ...pools.map(({ raw, right, count }): [number, number] => [
      share(raw / count),
      share((right + 0.5) / (count + 1)),
    ]),
  ];
}

const shareRight = (chosen: readonly Chosen[]): string =>
  (chosen.filter(({ right }) => right).length / Math.max(1, chosen.length)).toFixed(3);

/** The lines of a paper below what was chosen and what would be right. */
function wrongPaper(task: Task, { group, reading, truth }: Example, key = ''): string {
  const lines = reading.rows.map(({ pieces }) => `    ${pieces.map(({ text }) => text).join(' || ')}`);
  return `${task.field} of ${group}: ${key} FOR ${truth[task.field]}\n${lines.join('\n')}\n`;
}

interface Trained {
  ranker: Ranker;
  chosen: Chosen[];
  heldChosen: Chosen[];
  /** Scores of all candidates, paper by paper, by trees that were not trained on it. */
  scores: number[][];
}

function trainTask(task: Task, trained: readonly Example[], held: readonly Example[]): Trained {
  const known = trained.map(({ truth }) => truth[task.field] !== undefined);
  const papers = trained.map((example, index) => task.candidatesOf(example, index));
  const folds = trained.map(({ group }) => foldOf(group));
  const trust = trained.map(({ set }) => (set === 'sroie' ? realWeight : 1));
  const isNone = trained.map(({ truth }) => truth[task.field] === '');
  const { loss } = task.boosting;
  const chosen: Chosen[] = new Array(trained.length);
  const scores: number[][] = new Array(trained.length);
  const scoresOf = (ranker: Omit<Ranker, 'calibration'>, candidates: readonly Candidate[]): number[] =>
    candidates.map(({ features }) => scoreOf(ranker, features));
  for (let fold = 0; fold < foldCount; fold++) {
    const others = <T>(list: readonly T[]): T[] => list.filter((_, index) => folds[index] !== fold);
    const ranker = boost(
      toRows(
        others(papers),
        { trust: others(trust), isNone: others(isNone), known: others(known), loss },
        fold,
      ),
      task.boosting,
      createChance(fold + 10 * run),
    );
    for (const [index, own] of folds.entries())
      if (own === fold) {
        scores[index] = scoresOf(ranker, papers[index]!);
        chosen[index] = chooseBy(scores[index]!, papers[index]!);
      }
  }
  if (options.wrong)
    for (const [index, { at, right }] of chosen.entries())
      if (!right && trained[index]!.truth[task.field])
        appendFileSync(options.wrong, wrongPaper(task, trained[index]!, papers[index]![at]?.key));
  const whole = boost(
    toRows(papers, { trust, isNone, known, loss }, 9 + 10 * run),
    task.boosting,
    createChance(9 + 10 * run),
  );
  const heldPapers = held.map((example, index) => task.candidatesOf(example, trained.length + index));
  scores.push(...heldPapers.map((candidates) => scoresOf(whole, candidates)));
  const heldChosen = heldPapers.map((candidates, index) =>
    chooseBy(scores[trained.length + index]!, candidates),
  );
  const figures = (
    examples: readonly Example[],
    all: readonly Chosen[],
    candidates?: readonly Candidate[][],
  ): string =>
    [...new Set(examples.map(({ set }) => set))]
      .map((set) => {
        const asked = ({ set: other, truth }: Example): boolean =>
          other === set && Boolean(truth[task.field]);
        const own = all.filter((_, index) => asked(examples[index]!));
        const reachable = candidates?.filter(
          (each, index) => asked(examples[index]!) && each.some(({ right }) => right),
        ).length;
        return `${set} ${shareRight(own)}${reachable === undefined ? '' : ` of ${(reachable / own.length).toFixed(3)}`}`;
      })
      .join(', ');
  console.log(
    `${task.field}: folds ${figures(trained, chosen, papers)}; held back ${figures(held, heldChosen)}`,
  );
  return {
    ranker: { ...whole, calibration: calibrationOf(chosen.filter((_, index) => known[index])) },
    chosen,
    heldChosen,
    scores,
  };
}

const run = Number(options.run);
const { trained: made, held } = generatedExamples(Number(options.papers), run);
/** Papers that the kept trees were not trained on as they are now, and some that they were. */
const forRivals = ({ group }: Example): boolean => {
  const family = Number(group.split(' ')[1]);
  return family >= firstScattered || family % 3 === 1;
};
const trained = options.keep ? made.filter(forRivals) : [...made, ...receiptExamples()];
const all = [...trained, ...held];
console.log(`${trained.length} papers to train on, ${held.length} held back`);

const contexts = all.map(({ reading }) => partyContextOf(reading));
const names = contexts.map((context) => nameCandidates(context));
const toCandidates = (runs: readonly LineRun[], truth = ''): Candidate[] =>
  runs.map(({ features, value }) => ({ features, key: value, right: sameText(value, truth) }));

type Role = 'seller' | 'buyer';

/** How likely each name is to be a party's, by itself. */
const trainNames = (role: Role): Trained =>
  trainTask(
    {
      field: `${role}_name`,
      boosting: choosing,
      candidatesOf: ({ truth }, index) => toCandidates(names[index]!, truth[`${role}_name`]),
    },
    trained,
    held,
  );

const keptScores = (ranker: Ranker): number[][] =>
  names.map((runs) => runs.map(({ features }) => scoreOf(ranker, features)));

const rivalsBy = (own: readonly number[][], other: readonly number[][]): LineRun[][] =>
  names.map((runs, index) => rivalNames(runs, { own: own[index]!, other: other[index]! }));

/** Chooses a party's name among its rivals. */
const trainAmong = (role: Role, rivals: readonly LineRun[][]): Trained =>
  trainTask(
    {
      field: `${role}_name`,
      boosting: comparing,
      candidatesOf: ({ truth }, index) => toCandidates(rivals[index]!, truth[`${role}_name`]),
    },
    trained,
    held,
  );

const noName: LineRun = { pieces: [], value: '', features: {} };

/** Chooses an address by the names that other folds chose. */
const trainAddress = (role: Role, runs: readonly LineRun[][]): Trained =>
  trainTask(
    {
      field: `${role}_address`,
      boosting: choosing,
      candidatesOf: ({ truth }, index) => toCandidates(runs[index]!, truth[`${role}_address`]),
    },
    trained,
    held,
  );

/** Chooses an address among its rivals, those of the other party's name too. */
const trainAddressAmong = (role: Role, own: readonly ScoredRuns[], other: readonly ScoredRuns[]): Trained =>
  trainTask(
    {
      field: `${role}_address`,
      boosting: comparing,
      candidatesOf: ({ truth }, index) =>
        toCandidates(rivalAddresses(own[index]!, other[index]!), truth[`${role}_address`]),
    },
    trained,
    held,
  );

const noRuns: ScoredRuns = { runs: [], scores: [] };
/** Less sure names are rather none, as where the pack is used. */
const minSure = 0.25;

interface TrainedParty {
  among: Ranker;
  address: Ranker;
  /** The addresses of each paper with their scores by other folds; none where nobody is named. */
  addresses: ScoredRuns[];
}

function trainParty(role: Role, own: Trained, other: Trained): TrainedParty {
  const rivals = rivalsBy(own.scores, other.scores);
  const name = trainAmong(role, rivals);
  const namedBy = [...name.chosen, ...name.heldChosen];
  const runs = namedBy.map(({ at }, index) =>
    addressCandidates(rivals[index]![at] ?? noName, contexts[index]!),
  );
  const address = trainAddress(role, runs);
  const addresses = runs.map((each, index) =>
    calibrated(name.ranker, namedBy[index]!.raw) < minSure
      ? noRuns
      : { runs: each, scores: address.scores[index]! },
  );
  return { among: name.ranker, address: address.ranker, addresses };
}

function trainAll(): DocumentScoring {
  const [sellerNames, buyerNames] = [trainNames('seller'), trainNames('buyer')];
  const seller = trainParty('seller', sellerNames, buyerNames);
  const buyer = trainParty('buyer', buyerNames, sellerNames);
  const addressAmong = trainAddressAmong('seller', seller.addresses, buyer.addresses).ranker;
  const buyerAddressAmong = trainAddressAmong('buyer', buyer.addresses, seller.addresses).ranker;
  const total = trainTask(
    {
      field: 'total',
      boosting: judging,
      candidatesOf: ({ reading, truth }) =>
        totalCandidates(reading, amountCandidates(reading), readLineItems(reading).sum).map(
          ({ amount, features }) => ({
            features,
            key: amount.value.toFixed(2),
            right: Math.abs(amount.value - truth.total) < 0.005,
          }),
        ),
    },
    trained,
    held,
  );
  return {
    name: sellerNames.ranker,
    nameAmong: seller.among,
    address: seller.address,
    addressAmong,
    buyerName: buyerNames.ranker,
    buyerNameAmong: buyer.among,
    buyerAddress: buyer.address,
    buyerAddressAmong,
    total: total.ranker,
  };
}

function trainRivals(): DocumentScoring {
  const kept = documentScoring();
  const [asSeller, asBuyer] = [keptScores(kept.name), keptScores(kept.buyerName)];
  return {
    ...kept,
    nameAmong: trainAmong('seller', rivalsBy(asSeller, asBuyer)).ranker,
    buyerNameAmong: trainAmong('buyer', rivalsBy(asBuyer, asSeller)).ranker,
  };
}

const weights = options.keep ? trainRivals() : trainAll();
writeFileSync(`${options.pack}/scoring.json`, `${JSON.stringify(weights)}\n`);
