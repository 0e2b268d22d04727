/** Runs beside their rivals: by how much each is likelier than the others of its paper, and what the likeliest of those is like. */

import type { Features } from '../../../scoring/boosted-trees.ts';
import { clamp, flag, type LineRun } from './place-features.ts';

/** Likeliest runs that are compared. */
const maxRivals = 24;
const maxScore = 8;

export const shareLines = (a: LineRun, b: LineRun): boolean =>
  a.pieces.some((piece) => b.pieces.includes(piece));

interface Rated {
  run: LineRun;
  /** Log odds of being who is looked for, and of being the other party. */
  own: number;
  other: number;
}

const best = (rated: readonly Rated[], by: 'own' | 'other'): Rated | undefined =>
  rated.reduce<Rated | undefined>((top, one) => (top && top[by] >= one[by] ? top : one), undefined);

/** Features of the likeliest rival that are told, by what they are called there. */
type ToldOfRival = Readonly<Record<string, string>>;

const toldOfNames: ToldOfRival = {
  rivalContact: 'blockContact',
  rivalNotice: 'blockNotice',
  rivalBuyerLabel: 'fromBuyerLabel',
  rivalSellerLabel: 'fromSellerLabel',
  rivalPayable: 'echoPayable',
  rivalLegal: 'echoLegal',
  rivalDomain: 'domain',
  rivalCompany: 'company',
};

const toldOfAddresses: ToldOfRival = {
  rivalBuyerLabel: 'fromBuyerLabel',
  rivalSellerLabel: 'fromSellerLabel',
  rivalDelivery: 'fromDeliveryLabel',
  rivalSkipped: 'skipped',
  rivalBehindName: 'behindName',
  rivalSameBlock: 'sameBlock',
  rivalFromName: 'fromName',
  rivalLines: 'lines',
  rivalAddressLines: 'addressLines',
  rivalPostcodes: 'postcodes',
  rivalContact: 'blockContact',
};

function rivalFeatures({ run, own, other }: Rated, all: readonly Rated[], told: ToldOfRival): Features {
  const others = all.filter((one) => one.run.value !== run.value);
  const apart = others.filter((one) => !shareLines(one.run, run));
  const shared = others.filter((one) => shareLines(one.run, run));
  const [rival, elder] = [best(apart, 'own'), best(apart, 'other')];
  const gapTo = (score: number | undefined, from = own): number =>
    score === undefined ? maxScore : clamp(from - score, maxScore);
  const of = (name: string): number => rival?.run.features[name] ?? -1;
  return {
    ownScore: own,
    otherScore: other,
    ownRank: new Set(others.filter((one) => one.own > own).map((one) => one.run.value)).size,
    ownGap: gapTo(rival?.own),
    sharedGap: gapTo(best(shared, 'own')?.own),
    otherGap: gapTo(elder?.other, other),
    otherElse: elder?.other ?? -maxScore,
    rivalOther: rival?.other ?? -maxScore,
    rivalRows: rival ? clamp(rival.run.pieces[0]!.row - run.pieces[0]!.row, 20) : 21,
    rivalX: rival ? of('x') - run.features.x! : 2,
    rivalSize: rival ? of('size') / run.features.size! : 0,
    ...Object.fromEntries(Object.entries(told).map(([key, name]) => [key, of(name)])),
    rivalAlone: flag(rival === undefined),
  };
}

/** Log odds of each run being of whom is looked for, and of the other party. */
interface RunScores {
  own: readonly number[];
  other: readonly number[];
}

function rated(runs: readonly LineRun[], { own, other }: RunScores): Rated[] {
  const limited = (score: number): number => clamp(score, maxScore);
  return runs
    .map((run, at): Rated => ({ run, own: limited(own[at]!), other: limited(other[at]!) }))
    .sort((a, b) => b.own - a.own)
    .slice(0, maxRivals);
}

/** The likeliest names with what their rivals tell of them. */
export function rivalNames(runs: readonly LineRun[], scores: RunScores): LineRun[] {
  const all = rated(runs, scores);
  return all.map((one) => ({
    ...one.run,
    features: { ...one.run.features, ...rivalFeatures(one, all, toldOfNames) },
  }));
}

/** Log odds of the likeliest run of a kind; the least of all where there is none. */
const bestOf = (all: readonly Rated[], isAsked: (run: LineRun) => boolean): number =>
  best(
    all.filter(({ run }) => isAsked(run)),
    'own',
  )?.own ?? -maxScore;

/** The runs of a paper in their order, and the log odds of each being an address of whom one name tells. */
export interface ScoredRuns {
  runs: readonly LineRun[];
  scores: readonly number[];
}

/** The likeliest addresses of whom the one name tells, with what the others tell of them, those of the other's name too. */
export function rivalAddresses(own: ScoredRuns, other: ScoredRuns): LineRun[] {
  const otherFeatures = new Map(own.runs.map((run, at) => [run, other.runs[at]?.features]));
  const scores = { own: own.scores, other: own.runs.map((_, at) => other.scores[at] ?? -maxScore) };
  const all = rated(own.runs, scores);
  return all.map((one) => {
    const { run } = one;
    const count = run.pieces.length;
    const ofOther = otherFeatures.get(run);
    const isOnLines = (rival: LineRun): boolean => rival !== run && shareLines(rival, run);
    return {
      ...run,
      features: {
        ...run.features,
        ...rivalFeatures(one, all, toldOfAddresses),
        longer: one.own - bestOf(all, (rival) => isOnLines(rival) && rival.pieces.length > count),
        shorter: one.own - bestOf(all, (rival) => isOnLines(rival) && rival.pieces.length < count),
        sameLines: one.own - bestOf(all, (rival) => isOnLines(rival) && rival.pieces.length === count),
        otherNamed: flag(ofOther !== undefined),
        otherSkipped: ofOther?.skipped ?? -2,
        otherBehindName: ofOther?.behindName ?? -1,
        otherFromName: ofOther?.fromName ?? -1,
        otherSameBlock: ofOther?.sameBlock ?? -1,
        otherCoversName: ofOther?.coversName ?? -1,
      },
    };
  });
}
