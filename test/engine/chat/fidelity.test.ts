import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KernelFamily } from '../../../server/engine/engine.ts';
import { convertDecoder } from '../../../server/engine/model-import/convert.ts';
import { shapeFromConfig } from '../../../server/engine/model-import/sources/hf-config.ts';
import { openSafetensors } from '../../../server/engine/model-import/sources/safetensors-source.ts';
import type { Preset } from '../../../server/engine/model-import/types.ts';
import { cosine, referenceLogits } from '../../support/chat/reference.ts';
import { runGraph } from '../../support/chat/run-graph.ts';
import { servingFamilies } from '../../support/chat/serving-families.ts';
import { type Config, tinyConfigs, tinyTensors, writeTinyModel } from '../../support/chat/tiny-decoder.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'lokal-chat-'));
});
afterAll(() => rmSync(root, { recursive: true }));

const serving = await servingFamilies();

const tokens = Array.from({ length: 40 }, (_, index) => (index * 37 + 11) % 96);

async function convert(config: Config, preset: Preset, prepacked = false) {
  const folder = mkdtempSync(join(root, 'model-'));
  const target = join(folder, 'pack');
  mkdirSync(target);
  const tensors = tinyTensors(config);
  writeTinyModel(folder, config, tensors);
  const shape = shapeFromConfig(config);
  const source = await openSafetensors(folder, shape);
  const report = await convertDecoder({
    shape,
    source,
    target,
    preset,
    prepacked,
    context: 64,
    onProgress: () => {},
    signal: new AbortController().signal,
  });
  await source.close();
  return { report, shape, target, reference: referenceLogits(config, tensors, tokens) };
}

describe.each(Object.entries(tinyConfigs))('%s', (_name, config) => {
  it('gives the logits of the reference, whole and in chunks', async () => {
    const { shape, target, reference } = await convert(config, 'float32');
    const whole = await runGraph(target, shape, [tokens]);
    const chunked = await runGraph(target, shape, [
      tokens.slice(0, 7),
      tokens.slice(7, 30),
      ...tokens.slice(30).map((token) => [token]),
    ]);
    const least = (rows: Float32Array[]) =>
      Math.min(...rows.map((row, index) => cosine(row, reference[index]!)));
    expect(least(whole)).toBeGreaterThan(0.99999);
    expect(least(chunked)).toBeGreaterThan(0.99999);
  });

  it.each(['quality', 'speed'] as const)('stays near the reference when quantized for %s', async (preset) => {
    const { report, shape, target, reference } = await convert(config, preset, true);
    const rows = await runGraph(target, shape, [tokens]);
    const portable = await runGraph(target, shape, [tokens], { graph: 'model.portable.onnx' });
    for (const [index, row] of rows.entries()) expect(cosine(row, portable[index]!)).toBeGreaterThan(0.99999);
    const mean = rows.reduce((sum, row, index) => sum + cosine(row, reference[index]!), 0) / rows.length;
    expect(mean).toBeGreaterThan(0.9);
    expect(report.relativeError).toBeGreaterThan(0);
    expect(report.relativeError).toBeLessThan(0.02);
  });

  it.each(serving)('is the same by custom kernels: %s', async (family) => {
    const { shape, target } = await convert(config, 'quality');
    const run = (customKernels: KernelFamily | false) => runGraph(target, shape, [tokens], { customKernels });
    const [rows, expected] = [await run(family), await run(false)];
    // Sums in another order: where x lies between two bytes one layer may round it the other way, and the next ones follow.
    for (const [index, row] of rows.entries()) expect(cosine(row, expected[index]!)).toBeGreaterThan(0.9995);
  });
});
