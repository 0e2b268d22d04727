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

function rivalFeatures({ run, own, other }: Rated, all: readonly Rated[]): Features {
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
    rivalContact: of('blockContact'),
    rivalNotice: of('blockNotice'),
    rivalBuyerLabel: of('fromBuyerLabel'),
    rivalSellerLabel: of('fromSellerLabel'),
    rivalPayable: of('echoPayable'),
    rivalLegal: of('echoLegal'),
    rivalDomain: of('domain'),
    rivalCompany: of('company'),
    rivalAlone: flag(rival === undefined),
  };
}

/** The likeliest runs with what their rivals tell of them; scores are those of the runs for each party. */
export function rivalRuns(
  runs: readonly LineRun[],
  own: readonly number[],
  other: readonly number[],
): LineRun[] {
  const limited = (score: number): number => clamp(score, maxScore);
  const rated = runs
    .map((run, at): Rated => ({ run, own: limited(own[at]!), other: limited(other[at]!) }))
    .sort((a, b) => b.own - a.own)
    .slice(0, maxRivals);
  return rated.map((one) => ({
    ...one.run,
    features: { ...one.run.features, ...rivalFeatures(one, rated) },
  }));
}
