import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
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
    expect(result).toMatchObject({
      bench: 'embeddings',
      quick: true,
      ratio: expect.any(Number),
      foreign_cpu: expect.any(Number),
    });
    expect(result.min_cosine).toBeGreaterThanOrEqual(0.9999);
  });

  test('chat-quality: figures and floors of the shipped starter', async () => {
    const result = await quick('chat-quality');
    expect(result).toMatchObject({
      well_formed: expect.any(Number),
      perplexity: { en: expect.any(Number) },
      floors: expect.any(Object),
    });
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
