import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { beyondBounds, gates, missingData } from './gates.ts';
import { alternate, median } from './measure.ts';

const runner = new URL('run.ts', import.meta.url).pathname;

/** The last line of a quick run. */
async function quick(name: string): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(process.execPath, [runner, name, '--json', '--quick']);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!);
}

describe('the runner', () => {
  test('embeddings: a quick run ends with one line of JSON', async () => {
    const result = await quick('embeddings');
    expect(result).toMatchObject({ bench: 'embeddings', quick: true });
    expect(result.ratio).toBeGreaterThan(0);
    expect(result.foreign_cpu).toBeGreaterThanOrEqual(0);
    expect(result.min_cosine).toBeGreaterThanOrEqual(0.9999);
  });

  test('chat-quality: figures and floors of the shipped starter', async () => {
    const { bfcl, blind, perplexity } = (await quick('chat-quality')) as {
      bfcl: { accuracy: number } | null;
      blind: { score: number; questions: number };
      perplexity: { en: number };
    };
    // Two of three questions and one call, with the shipped weights and without sampling.
    expect(blind).toMatchObject({ questions: 3, score: 0.6667 });
    if (bfcl) expect(bfcl.accuracy).toBe(1);
    expect(perplexity.en).toBeLessThan(1000);
  }, 240_000);

  test('chat-quantization: eight bits stay near float32', async () => {
    const { rows } = (await quick('chat-quantization')) as { rows: { kl: number; same_first: number }[] };
    expect(rows[0]).toMatchObject({ kl: 0, same_first: 1 });
    expect(rows[1]!.kl).toBeGreaterThan(0);
    expect(rows[1]!.kl).toBeLessThan(0.02);
  }, 240_000);

  test.each(['nothing', '../bench/measure', 'measure', 'bench.test', ''])(
    '%j is not a bench',
    async (name) => {
      const failure = await promisify(execFile)(process.execPath, [runner, name]).catch(
        (error: unknown) => error,
      );
      expect(failure).toMatchObject({ code: 2 });
      expect((failure as { stderr: string }).stderr).toMatch(/NAME is one of: .*embeddings/);
    },
  );
});

describe('bounds', () => {
  const gate = { floors: { words: { recall: 0.9, precision: 0.9 }, ratio: 1 }, ceilings: { peak_mb: 100 } };

  test('a figure beyond its bound is named by its path', () => {
    const figures = { words: { recall: 0.8, precision: 0.9 }, ratio: 1, peak_mb: 101 };
    expect(beyondBounds(figures, gate)).toEqual(['words.recall', 'peak_mb']);
    expect(beyondBounds({ words: { recall: 0.9, precision: 0.95 }, ratio: 2, peak_mb: 1 }, gate)).toEqual([]);
  });

  test('a figure that is missing or null is beyond its bound', () => {
    expect(beyondBounds({ words: null, peak_mb: null }, gate)).toEqual([
      'words.recall',
      'words.precision',
      'ratio',
      'peak_mb',
    ]);
  });

  test('data that is not there is named', () => {
    expect(missingData({ needs: ['no-such-set'] })).toEqual(['no-such-set']);
  });

  test('every gate has a bench', async () => {
    const failure = await promisify(execFile)(process.execPath, [runner, '']).catch(
      (error: unknown) => error,
    );
    const names = /NAME is one of: (.*)/.exec((failure as { stderr: string }).stderr)?.[1]?.split(', ');
    expect(Object.keys(gates).filter((name) => !names?.includes(name))).toEqual([]);
  });
});

describe('measuring', () => {
  test('medians', () => {
    expect(median([5, 1, 3])).toBe(3);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  test('runs take turns, and the first round does not count', async () => {
    const order: string[] = [];
    await alternate({ runs: 2, ours: () => order.push('ours'), peer: () => order.push('peer') });
    expect(order).toEqual(['ours', 'peer', 'ours', 'peer', 'ours', 'peer']);
  });
});
