import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { auprc, macroF1 } from './figures.ts';
import { readProbes } from './probes.ts';

describe('figures of moderation-quality', () => {
  it('average precision of a ranking', () => {
    const rows = [0.9, 0.8, 0.7, 0.6].map((score, index) => ({ score, truth: index % 2 === 0 }));
    expect(auprc(rows)).toBeCloseTo((1 + 2 / 3) / 2);
    expect(macroF1(rows.map(({ truth }) => ({ truth, said: truth })))).toBe(1);
    expect(macroF1(rows.map(({ truth }) => ({ truth, said: true })))).toBeCloseTo(1 / 3);
  });

  it('every probe has a language and a heading', () => {
    const probes = readProbes();
    expect(probes.length).toBeGreaterThan(150);
    expect(new Set(probes.map(({ language }) => language))).toEqual(new Set(['en', 'ms', 'zh']));
    expect(probes.filter(({ kind }) => kind === '')).toEqual([]);
  });

  it('a quick run ends with one line of JSON', async () => {
    const runner = new URL('../run.ts', import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(process.execPath, [
      runner,
      'moderation-quality',
      '--json',
      '--quick',
    ]);
    const report = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    expect(report).toMatchObject({ bench: 'moderation-quality', quick: true });
    expect(report.score).toBeGreaterThan(report.floors.score ?? 0);
    expect(Object.keys(report.per_language)).toEqual(['en', 'ms', 'zh']);
  }, 60_000);
});
