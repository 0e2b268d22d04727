import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  calibrated,
  choiceOf,
  choose,
  rankCandidates,
  scoreOf,
  sureness,
} from '../../../../server/engine/documents/scoring/boosted-trees.ts';
import {
  type DocumentScoring,
  toDocumentScoring,
} from '../../../../server/engine/documents/scoring/document-scoring.ts';

const leaf = { feature: -1, threshold: 0, left: 0, right: 0 };
const nodes = [
  { feature: 0, threshold: 2, left: 1, right: 2, value: 0 },
  { ...leaf, value: -1 },
  { ...leaf, value: 3 },
];
const ranker = {
  features: ['size'],
  bias: 0.5,
  trees: [
    {
      feature: nodes.map(({ feature }) => feature),
      threshold: nodes.map(({ threshold }) => threshold),
      left: nodes.map(({ left }) => left),
      right: nodes.map(({ right }) => right),
      value: nodes.map(({ value }) => value),
    },
  ],
  calibration: [
    [0, 0],
    [0.5, 0.2],
    [1, 0.9],
  ] as [number, number][],
};

describe('boosted trees', () => {
  test('go left up to a threshold and right above it', () => {
    expect(scoreOf(ranker, { size: 2 })).toBe(-0.5);
    expect(scoreOf(ranker, { size: 2.1 })).toBe(3.5);
  });

  test('are less sure where another candidate is as good', () => {
    expect(sureness(2, [])).toBeCloseTo(0.881, 3);
    expect(sureness(2, [2])).toBeCloseTo(0.468, 3);
  });

  test('read the share between two points of the table, and the ends beyond', () => {
    expect(calibrated(ranker, 0.75)).toBeCloseTo(0.55);
    expect(calibrated(ranker, 2)).toBe(0.9);
    expect(calibrated(ranker, 0)).toBe(0);
  });

  test('choose the best; candidates of the same value do not compete', () => {
    const candidates = [1, 3, 4].map((size) => ({ value: size > 2 ? 'big' : 'small', features: { size } }));
    const alone = choose(ranker, candidates.slice(1, 2), ({ value }) => value)!;
    const twice = choose(ranker, candidates.slice(1), ({ value }) => value)!;
    expect(twice.candidate.value).toBe('big');
    expect(twice.confidence).toBeCloseTo(alone.confidence);
    expect(choose(ranker, candidates, ({ value }) => value)!.confidence).toBeLessThan(alone.confidence);
    expect(choose(ranker, [], () => '')).toBeNull();
  });

  test('rank the best first; another than the best is less sure', () => {
    const ranked = rankCandidates(
      ranker,
      [1, 3].map((size) => ({ size, features: { size } })),
    );
    expect(ranked.map(({ candidate }) => candidate.size)).toEqual([3, 1]);
    const [best, second] = ranked.map((one) => choiceOf(ranker, ranked, one, ({ size }) => String(size)));
    expect(second!.confidence).toBeLessThan(best!.confidence);
  });
});

describe('weights of the pack', () => {
  test('that ask for features which no candidate has are refused by name', () => {
    const url = new URL('../../../../models/packs/parse-starter/scoring.json', import.meta.url);
    const scoring = () => JSON.parse(readFileSync(url, 'utf8')) as DocumentScoring;
    const [renamed, beyond] = [scoring(), scoring()];
    renamed.buyerAddress.features[2] = 'moonPhase';
    expect(() => toDocumentScoring(JSON.stringify(renamed))).toThrowError(/buyerAddress .*moonPhase/);
    beyond.total.trees[0]!.feature[0] = beyond.total.features.length;
    expect(() => toDocumentScoring(JSON.stringify(beyond))).toThrowError(/total .*beyond/);
  });

  test.each(['', '{}', '{"name":1,"address":2,"total":3}'])('%j is refused by name', (text) => {
    expect(() => toDocumentScoring(text)).toThrowError(/scoring\.json/);
  });
});
