import { expect, it } from 'vitest';
import { fuzzImages } from '../../support/images/fuzz.ts';
import { sampleFiles } from '../../support/images/sample-files.ts';

it('a host outlives damaged files and answers each with a code of the contract', async () => {
  const report = await fuzzImages(await sampleFiles(), { seed: 7, count: 40 });
  expect(report.crashes).toEqual([]);
  const codes = Object.keys(report.refused);
  expect(codes.filter((code) => code !== 'invalid_value' && code !== 'unsupported_media')).toEqual([]);
  expect(codes.length).toBeGreaterThan(0);
  expect(report.peakMb).toBeGreaterThan(0);
  expect(report.peakMb).toBeLessThanOrEqual(report.promisedMb);
});
