/** Floors over the shared development sets. Skipped by name where they are absent. */
import { expect, test } from 'vitest';
import { run } from '../../bench/threat-quality.ts';
import { hasShared, openThreatEngine, ruleFiles, sharedRules } from '../../support/threat-engine.ts';

test.skipIf(!hasShared)('all 600 shared Sigma rules compile or are named with their error', async () => {
  const engine = await openThreatEngine();
  const files = ruleFiles(sharedRules);
  const { imported, errors } = await engine.methods.importRules({ files });
  expect(imported + errors.length).toBe(files.length);
  expect(imported).toBeGreaterThanOrEqual(598);
});

test.skipIf(!hasShared)('the quality bench over a sample of the shared sets', async () => {
  const report = (await run({ quick: true })) as Record<string, number>;
  expect(report.sigma_match).toBeGreaterThanOrEqual(0.95);
  expect(report.indicator_f1).toBeGreaterThanOrEqual(0.95);
  expect(report.web_macro_f1).toBeGreaterThan(0.7);
  expect(report.benign_hits).toBe(0);
});
