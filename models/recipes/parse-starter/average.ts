/**
 * Writes the mean of the weights of two runs: choices of one run hang on its chance, those of two together hang on it less.
 *
 * usage: node average.ts --first FILE --second FILE --out FILE [--shares name=1,total=1,nameAmong=0.5]
 *
 * A share is that of the first run, 0 where none is told; what the first lacks is the second's. Calibrations are the second's
 * unless the share is 1.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Ranker } from '../../../server/engine/documents/scoring/boosted-trees.ts';
import type { DocumentScoring } from '../../../server/engine/documents/scoring/document-scoring.ts';

const { values: options } = parseArgs({
  options: {
    first: { type: 'string', default: '' },
    second: { type: 'string', default: '' },
    out: { type: 'string', default: '' },
    shares: { type: 'string', default: '' },
  },
});
const read = (path: string): DocumentScoring => JSON.parse(readFileSync(path, 'utf8')) as DocumentScoring;
const rounded = (value: number): number => Number(value.toPrecision(4));

/** The trees of a run over the features of both, their values taken in part. */
function treesOf({ trees, features }: Ranker, all: readonly string[], share: number): Ranker['trees'] {
  const places = features.map((name) => all.indexOf(name));
  return trees.map((tree) => ({
    ...tree,
    feature: tree.feature.map((at) => (at < 0 ? at : places[at]!)),
    value: tree.value.map((value) => rounded(share * value)),
  }));
}

function meanOf(first: Ranker, second: Ranker, share: number): Ranker {
  const features = [...new Set([...first.features, ...second.features])];
  return {
    features,
    bias: rounded(share * first.bias + (1 - share) * second.bias),
    trees: [...treesOf(first, features, share), ...treesOf(second, features, 1 - share)],
    calibration: second.calibration,
  };
}

const shares = new Map(
  options.shares
    .split(',')
    .filter((part) => part !== '')
    .map((part) => part.split('='))
    .map(([key, share]) => [key!, Number(share)]),
);
const [first, second] = [read(options.first), read(options.second)];
const mean = Object.fromEntries(
  Object.entries(second).map(([key, ranker]) => {
    const own = first[key as keyof DocumentScoring];
    const share = shares.get(key) ?? 0;
    if (!own || share === 0) return [key, ranker];
    return [key, share === 1 ? own : meanOf(own, ranker, share)];
  }),
);
writeFileSync(options.out, `${JSON.stringify(mean)}\n`);
