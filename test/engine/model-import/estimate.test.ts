import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { convertDecoder } from '../../../server/engine/model-import/convert.ts';
import { openEngine } from '../../../server/engine/model-import/engine.ts';
import { openModelFiles } from '../../../server/engine/model-import/model-files.ts';
import type { ModelEstimate } from '../../../server/engine/model-import/types.ts';
import { type Config, tinyConfigs, tinyTensors, writeTinyModel } from '../../support/chat/tiny-decoder.ts';
import { tinyTokenizer } from '../../support/chat/tiny-pack.ts';

const root = mkdtempSync(join(tmpdir(), 'lokal-estimate-'));
afterAll(() => rmSync(root, { recursive: true }));
const signal = new AbortController().signal;

/** Large enough for its weights to outweigh the borders of the file. */
const config: Config = { ...tinyConfigs.llama!, hidden_size: 256, intermediate_size: 1024, vocab_size: 2048 };

async function estimate(source: string): Promise<ModelEstimate> {
  const engine = await openEngine({ ref: 'estimate', folder: '', manifest: {} });
  return engine.methods.estimate({ source }, { signal });
}

it('comes close to what the import writes, and writes nothing itself', async () => {
  const source = mkdtempSync(join(root, 'model-'));
  writeTinyModel(source, config, tinyTensors(config, 1));
  writeFileSync(join(source, 'tokenizer.json'), JSON.stringify(tinyTokenizer()));
  const { options, weights, context } = await estimate(source);
  expect(context).toBe(config.max_position_embeddings);
  for (const preset of ['speed', 'float32'] as const) {
    const { pack_bytes, disk_bytes } = options.find((option) => option.preset === preset)!;
    const target = mkdtempSync(join(root, `${preset}-`));
    const files = await openModelFiles(source);
    const plan = { shape: files.shape, source: files.weights, target, preset, context, signal };
    const converted = await convertDecoder({ ...plan, onProgress: () => {} });
    await files.weights.close();
    expect(converted.weights).toBe(weights);
    const written = statSync(join(target, 'model.data')).size;
    expect(written / pack_bytes, preset).toBeGreaterThan(0.8);
    expect(written / pack_bytes, preset).toBeLessThan(1.35);
    expect(disk_bytes).toBeGreaterThanOrEqual(pack_bytes);
  }
});

it('refuses what is no model, naming the path', async () => {
  const empty = mkdtempSync(join(root, 'empty-'));
  await expect(estimate(empty)).rejects.toMatchObject({ code: 'invalid_value', param: 'path' });
  const file = join(root, 'broken.gguf');
  writeFileSync(file, 'GGUF and nothing more');
  await expect(estimate(file)).rejects.toMatchObject({ code: 'invalid_value', param: 'path' });
  expect(readFileSync(file, 'utf8')).toBe('GGUF and nothing more');
});
