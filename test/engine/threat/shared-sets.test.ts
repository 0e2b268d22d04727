/** Floors over the shared development sets. Skipped by name where they are absent. */
import { expect, test } from 'vitest';
import { webRows } from '../../bench/threat/web-requests.ts';
import { benignHits, indicatorF1, sigmaMatch, webScores } from '../../bench/threat-quality.ts';
import { hasShared, openThreatEngine, ruleFiles, sharedRules } from '../../support/threat-engine.ts';

const engine = await openThreatEngine();

test('indicators of labelled texts', async () => {
  expect(await indicatorF1(engine, 50)).toBeGreaterThanOrEqual(0.95);
});

test('nothing is found in one log of each ordinary kind', async () => {
  expect(await benignHits(engine, 1)).toBe(0);
});

test.skipIf(!hasShared)('every twentieth shared web request', async () => {
  expect((await webScores(engine, webRows(20))).macro).toBeGreaterThan(0.7);
});

test.skipIf(!hasShared)('all 600 shared Sigma rules compile or are named with their error', async () => {
  const files = ruleFiles(sharedRules);
  const { imported, errors } = await engine.methods.importRules({ files });
  expect(imported + errors.length).toBe(files.length);
  expect(imported).toBeGreaterThanOrEqual(598);
});

// Last: the shared rules stay imported.
test.skipIf(!hasShared)('shared Sigma rules match their own events', async () => {
  expect((await sigmaMatch(engine)).share).toBeGreaterThanOrEqual(0.95);
});
