import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  type CanaryName,
  canaries,
  disagreement,
  tryProvider,
} from '../../../server/engine/onnx/providers/canary.ts';
import { type ProviderReport, providerOrder } from '../../../server/engine/onnx/providers/providers.ts';

const probePath = new URL('../../../server/engine/onnx/providers/probe.ts', import.meta.url).pathname;

async function probe(...args: string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [probePath, ...args]);
  return JSON.parse(stdout);
}

describe('the canary', () => {
  const expected = Float32Array.from({ length: 48 * 8 }, (_, index) => Math.sin(index));

  test('takes other rounding, refuses another answer', () => {
    const rounded = expected.map((value) => Math.round(value * 500) / 500);
    expect(disagreement(expected, rounded)).toBeUndefined();
    expect(
      disagreement(
        expected,
        expected.map((value) => value * -1),
      ),
    ).toContain('cosine -1');
    expect(disagreement(expected, expected.slice(0, 100))).toContain('differs');
    expect(disagreement(expected, new Float32Array(expected.length))).toContain('differs');
    expect(disagreement(expected, expected.with(5, Number.NaN))).toContain('differs');
  });

  test('refuses an answer that goes wrong after 32 positions only', () => {
    const late = expected.map((value, index) => (index < 32 * 8 ? value : value * 0.7));
    expect(disagreement(expected, late)).toContain('differs');
  });

  test.each(Object.keys(canaries) as CanaryName[])('%s graphs run on the CPU', async (name) => {
    expect(await tryProvider('cpu', name)).toBeUndefined();
  });
});

describe('providers', () => {
  test.each([
    ['win32', 'x64'],
    ['win32', 'arm64'],
    ['darwin', 'arm64'],
    ['linux', 'x64'],
    ['linux', 'arm64'],
    ['freebsd', 'x64'],
  ] as const)('%s %s ends with the CPU', (platform, arch) => {
    const order = providerOrder(platform, arch);
    expect(order.at(-1)).toBe('cpu');
    expect(new Set(order).size).toBe(order.length);
  });

  test('the throw-away process names the order, trusts the CPU and says why it does not trust others', async () => {
    const { order } = (await probe()) as { order: string[] };
    expect(order.at(-1)).toBe('cpu');
    const known = providerOrder(process.platform, process.arch);
    expect(known.filter((name) => order.includes(name))).toEqual(order);
    expect(await probe('cpu')).toEqual({ provider: 'cpu', trusted: ['encoder', 'chat'], refused: {} });
    const absent = process.platform === 'darwin' ? 'directml' : 'coreml';
    const report = (await probe(absent)) as ProviderReport;
    expect(report.trusted).toEqual([]);
    expect(report.refused.encoder).toMatch(/not supported/);
  });
});
