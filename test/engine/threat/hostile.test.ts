import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { ThreatEngine } from '../../../server/engine/threat/engine.ts';
import { HOSTILE } from '../../support/logs/hostile.ts';
import { hasShared, never, openThreatEngine } from '../../support/threat-engine.ts';

let engine: ThreatEngine;
beforeAll(async () => {
  engine = await openThreatEngine();
});

async function answers(text: string): Promise<void> {
  const analysis = await engine.methods.analyze({ text }, never);
  expect(analysis.confidence).toBeGreaterThanOrEqual(0);
  expect(analysis.confidence).toBeLessThan(1);
  for (const indicator of analysis.indicators) {
    for (const { start, end } of indicator.offsets)
      expect(start >= 0 && start < end && end <= text.length).toBe(true);
  }
  for (const { lines } of analysis.findings)
    for (const { start, end } of lines) expect(start < end && end <= text.length).toBe(true);
}

const fits = (text: string) => {
  let cut = text;
  while (Buffer.byteLength(cut) > 32_768) cut = cut.slice(0, Math.floor(cut.length * 0.9));
  return cut;
};

test.each(HOSTILE)('answers %s', async (_, text) => {
  await answers(fits(text));
});

test('any text at all', async () => {
  await fc.assert(fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 400 }), answers), { numRuns: 200 });
});

test.skipIf(!hasShared)('the shared list of naughty strings, in a line and in a request', async () => {
  const strings = JSON.parse(
    readFileSync(new URL('../../../../shared/data/robust-blns/blns.json', import.meta.url), 'utf8'),
  ) as string[];
  for (const text of strings) {
    await answers(text);
    await answers(`GET /?a=${text} HTTP/1.1`);
  }
});
