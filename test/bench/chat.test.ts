import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const runner = new URL('run.ts', import.meta.url).pathname;

async function quick(name: string): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(process.execPath, [runner, name, '--json', '--quick']);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!);
}

const rate = { ours: expect.any(Number), peer: expect.any(Number), ratio: expect.any(Number) };

test('chat-http: one and eight clients, a second turn, drafts', async () => {
  expect(await quick('chat-http')).toMatchObject({
    one: rate,
    eight: rate,
    second_turn_ttft_ratio: expect.any(Number),
    lookup_speedup: expect.any(Number),
  });
}, 240_000);

test('chat: every preset, with or without the peer', async () => {
  const result = await quick('chat');
  for (const preset of ['quality', 'speed', 'exact_q4_0']) {
    const measured = result[preset] as Record<string, { ours: number }>;
    for (const name of ['decode_128', 'prefill_512', 'eight', 'load', 'bits_per_weight', 'kl'])
      expect(measured[name]!.ours).toBeGreaterThan(0);
  }
  const { memory_share: share } = result as { memory_share: { ours: number } | null };
  if (share) expect(share.ours).toBeGreaterThan(0);
  expect(result.transformers_js).toMatchObject({ decode_128: { quality: rate, speed: rate } });
}, 240_000);

test('grammar: times of masks, and the suite where it is there', async () => {
  const result = await quick('grammar');
  for (const name of ['mask_p50_ms', 'mask_p99_ms', 'step_ms']) expect(result[name]).toBeGreaterThan(0);
  expect(result.hidden_share).toBeLessThanOrEqual(1);
  expect(result.invalid ?? 0).toBe(0);
}, 240_000);
