/**
 * Adds trees to those of the pack that compare names and addresses with their rivals: learnt from papers of strangers,
 * beside generated papers and the development receipts, which keep what is known already.
 *
 * usage: node strangers.ts [--weight 5] [--trees 40] [--share 12] [--runs 1] [--drop 0] [--without 8]
 *   [--pack ../../packs/parse-starter] [--out FILE]
 *
 * A paper of a stranger weighs as much as so many generated ones. `--without N` leaves the set N out and tells its figures,
 * before and after; nothing is written then. Trees that are there already are kept but for the last, so many as `--drop` tells.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { Word } from '../../../server/engine/documents/document.ts';
import { type DocumentText, toDocumentText } from '../../../server/engine/documents/fields/reading.ts';
import { type Ranker, scoreOf } from '../../../server/engine/documents/scoring/boosted-trees.ts';
import { addressCandidates } from '../../../server/engine/documents/templates/invoice/parties/address-candidates.ts';
import {
  partyContextOf,
  readParties,
} from '../../../server/engine/documents/templates/invoice/parties/invoice-parties.ts';
import { nameCandidates } from '../../../server/engine/documents/templates/invoice/parties/name-candidates.ts';
import type { LineRun } from '../../../server/engine/documents/templates/invoice/parties/place-features.ts';
import {
  rivalAddresses,
  rivalNames,
} from '../../../server/engine/documents/templates/invoice/parties/rival-runs.ts';
import { tidyAddress } from '../../../server/engine/documents/templates/invoice/parties/tidy-address.ts';
import { wholeAddress } from '../../../server/engine/documents/templates/invoice/parties/whole-address.ts';
import { wholeName } from '../../../server/engine/documents/templates/invoice/parties/whole-name.ts';
import { documentScoring } from '../../../server/engine/documents/vocabulary/words.ts';
import { createChance } from '../../../test/support/documents/specimens/chance.ts';
import { sameText } from '../../../test/support/documents/sroie.ts';
import { boost, type Row } from './boost.ts';
import { generatedExamples, receiptExamples } from './examples.ts';

const { values: options } = parseArgs({
  options: {
    weight: { type: 'string', default: '5' },
    trees: { type: 'string', default: '40' },
    share: { type: 'string', default: '12' },
    runs: { type: 'string', default: '1' },
    drop: { type: 'string', default: '0' },
    without: { type: 'string', default: '' },
    pack: { type: 'string', default: new URL('../../packs/parse-starter', import.meta.url).pathname },
    out: { type: 'string', default: '' },
  },
});

interface Learnt {
  reading: DocumentText;
  truth: Partial<Record<`${'seller' | 'buyer'}_${'name' | 'address'}`, string>>;
  /** Number of the stranger's set; 0 for generated papers and development receipts. */
  set: number;
  weight: number;
}

type StoredWord = [string, number, number, number, number, number, number, 0 | 1, 0 | 1, Word['source']];
interface StoredPaper extends Pick<Learnt, 'set' | 'truth'> {
  pages: { number: number; width: number; height: number; words: StoredWord[] }[];
}

function strangersPapers(): Learnt[] {
  const file = new URL('strangers.jsonl.gz', import.meta.url);
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n');
  return lines.map((line) => {
    const { set, truth, pages } = JSON.parse(line) as StoredPaper;
    const reading = toDocumentText(
      pages.map(({ words, ...page }) => ({
        ...page,
        words: words.map(([text, x0, y0, x1, y1, baseline, size, bold, turned, source]) => ({
          text,
          box: [x0, y0, x1, y1],
          baseline,
          size,
          bold: bold === 1,
          turned: turned === 1,
          source,
        })),
        horizontal: [],
        vertical: [],
        frames: [],
        fills: [],
        slants: [],
        toView: (box) => box,
      })),
    );
    return { set, truth, reading, weight: Number(options.weight) };
  });
}

const tasks = ['nameAmong', 'buyerNameAmong', 'addressAmong', 'buyerAddressAmong'] as const;
type Task = (typeof tasks)[number];
const roles = ['seller', 'buyer'] as const;
const kept = { ...documentScoring() };
const withoutLast = (ranker: Ranker): Ranker => ({
  ...ranker,
  trees: ranker.trees.slice(0, ranker.trees.length - Number(options.drop)),
});
const rankers: Record<Task, Ranker> = {
  nameAmong: withoutLast(kept.nameAmong),
  buyerNameAmong: withoutLast(kept.buyerNameAmong),
  addressAmong: withoutLast(kept.addressAmong ?? kept.address),
  buyerAddressAmong: withoutLast(kept.buyerAddressAmong ?? kept.buyerAddress),
};

const scoresBy = (ranker: Ranker, runs: readonly LineRun[]): number[] =>
  runs.map(({ features }) => scoreOf(ranker, features));

/** Less likely names are rather none. */
const minLikely = -1;

/** The rows of one paper for each choice; none where the right one is not among the candidates. */
function rowsOf({ reading, truth, weight }: Learnt, paper: number): Record<Task, Row[]> {
  const context = partyContextOf(reading);
  const runs = nameCandidates(context);
  const alone = { seller: scoresBy(kept.name, runs), buyer: scoresBy(kept.buyerName, runs) };
  const taken = new Set<never>();
  const found: Record<Task, Row[]> = {
    nameAmong: [],
    buyerNameAmong: [],
    addressAmong: [],
    buyerAddressAmong: [],
  };
  const add = (task: Task, candidates: readonly LineRun[], wanted: string | undefined, rights: boolean[]) => {
    if (wanted === undefined || (wanted !== '' && !rights.includes(true))) return;
    for (const [at, { features }] of candidates.entries())
      found[task].push({
        features,
        right: rights[at]!,
        weight,
        paper,
        start: scoreOf(rankers[task], features),
      });
  };
  const named = roles.map((role) => {
    const [own, other] = role === 'seller' ? [alone.seller, alone.buyer] : [alone.buyer, alone.seller];
    const rivals = rivalNames(runs, { own, other }).filter(({ features }) =>
      role === 'seller' ? !features.behindBuyer : !features.behindSeller,
    );
    const wanted = truth[`${role}_name`];
    const task = role === 'seller' ? 'nameAmong' : 'buyerNameAmong';
    const rights = rivals.map(
      (run) =>
        Boolean(wanted) &&
        (sameText(run.value, wanted!) ||
          (role === 'seller' && sameText(wholeName(run, context, taken).value, wanted!))),
    );
    add(task, rivals, wanted, rights);
    const likely = scoresBy(rankers[task], rivals);
    const best = Math.max(...likely.filter((_, at) => rights[at] || !rights.includes(true)));
    const isTold = rights.includes(true) || (wanted !== '' && best > minLikely);
    const name = rivals[likely.indexOf(best)];
    return isTold && name ? name : null;
  });
  const places = roles.map((role, at) => {
    const name = named[at];
    const own = name ? addressCandidates(name, context) : [];
    return { runs: own, scores: scoresBy(role === 'seller' ? kept.address : kept.buyerAddress, own) };
  });
  for (const [at, role] of roles.entries()) {
    const name = named[at];
    const rivals = rivalAddresses(places[at]!, places[1 - at]!);
    const wanted = truth[`${role}_address`];
    const isRight = (run: LineRun): boolean =>
      Boolean(wanted && name) &&
      (sameText(run.value, wanted!) ||
        sameText(tidyAddress(wholeAddress(run, name!, context, taken), name!.value, context).value, wanted!));
    add(role === 'seller' ? 'addressAmong' : 'buyerAddressAmong', rivals, wanted, rivals.map(isRight));
  }
  return found;
}

const shares = { depth: 3, rate: 0.08, minLeaf: 0.6, rowShare: 0.6, wholePapers: true, featureShare: 0.4 };

/** The ranker with more trees behind its own: the mean of so many runs. */
function withTrees(task: Task, rows: readonly Row[], runs: number): Ranker {
  const own = rankers[task];
  const more = Array.from({ length: runs }, (_, run) => {
    const chance = createChance(100 * run + tasks.indexOf(task) + 1);
    return boost(rows, { ...shares, trees: Number(options.trees), loss: 'choice' }, chance);
  });
  const features = [...new Set([...own.features, ...more.flatMap((one) => one.features)])];
  const trees = more.flatMap((one) => {
    const places = one.features.map((name) => features.indexOf(name));
    return one.trees.map((tree) => ({
      ...tree,
      feature: tree.feature.map((at) => (at < 0 ? at : places[at]!)),
      value: tree.value.map((value) => Math.round((1e5 * value) / runs) / 1e5),
    }));
  });
  return { ...own, features, trees: [...own.trees, ...trees] };
}

/** Fields of papers that are right, by kind. */
function figuresOf(papers: readonly Learnt[]): string {
  const counts = new Map<string, [right: number, all: number]>();
  for (const { reading, truth } of papers) {
    const parties = readParties(reading);
    for (const role of roles)
      for (const part of ['name', 'address'] as const) {
        const wanted = truth[`${role}_${part}`];
        if (!wanted) continue;
        const count = counts.get(`${role} ${part}`) ?? [0, 0];
        counts.set(`${role} ${part}`, count);
        count[1]++;
        if (sameText(parties[role][part]?.value ?? '', wanted)) count[0]++;
      }
  }
  return [...counts].map(([key, [right, all]]) => `${key} ${right}/${all}`).join(', ');
}

const strangers = strangersPapers();
const { trained } = generatedExamples(1, 3);
const others = [...trained.filter((_, at) => at % Number(options.share) === 0), ...receiptExamples()];
const learnt: Learnt[] = [
  ...strangers,
  ...others.map(({ reading, truth, set }) => ({ reading, truth, set: 0, weight: set === 'sroie' ? 2 : 1 })),
];
const rows = learnt.map((one, paper) => ({ set: one.set, rows: rowsOf(one, paper) }));
const rankersWithout = (set: number): Record<Task, Ranker> =>
  Object.fromEntries(
    tasks.map((task) => [
      task,
      withTrees(
        task,
        rows.filter((one) => one.set === 0 || one.set !== set).flatMap((one) => one.rows[task]),
        Number(options.runs),
      ),
    ]),
  ) as Record<Task, Ranker>;

if (options.without === '')
  writeFileSync(
    options.out || `${options.pack}/scoring.json`,
    `${JSON.stringify({ ...kept, ...rankersWithout(-1) })}\n`,
  );
else
  for (const set of options.without.split(',').map(Number)) {
    const own = strangers.filter((one) => one.set === set);
    console.log(`set ${set} before: ${figuresOf(own)}`);
    Object.assign(documentScoring(), rankersWithout(set));
    console.log(`set ${set} after: ${figuresOf(own)}`);
    Object.assign(documentScoring(), kept);
  }
