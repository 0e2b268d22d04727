import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openEngine } from '../../server/engine/images/engine.ts';
import { importPack } from '../../server/packs/import.ts';
import { detectSourceKind } from '../../server/packs/imports/detect-source-kind.ts';
import type { Pack } from '../../server/packs/registry.ts';
import { detrGraph } from '../support/images/tiny-packs.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lokal-vision-import-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function writeFolder(files: Record<string, Uint8Array | object>): string {
  const folder = join(root, 'my-detector');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content instanceof Uint8Array ? content : JSON.stringify(content));
  }
  return folder;
}

/** The words of captions come from the starter. */
const starter = {
  folder: join(import.meta.dirname, '../../models/packs/vision-starter'),
  manifest: {},
};

/** As the supervisor does it, without the process. */
async function tryPack(pack: Pack): Promise<void> {
  const engine = await openEngine(
    { ref: pack.ref, folder: pack.folder, manifest: pack.manifest, starter },
    { threads: 1, providers: ['cpu'] },
  );
  await engine.check?.({ signal: new AbortController().signal });
  await engine.close();
}

const convert = async () => expect.fail('nothing here is to be converted');
const run = (source: string) =>
  importPack(
    source,
    { packs: join(root, 'packs'), tryPack, convert, admit: () => {} },
    { signal: new AbortController().signal },
  );

it('a D-FINE folder becomes a vision pack, smoke-tested, with what it needs and nothing else', async () => {
  const source = writeFolder({
    'onnx/model.onnx': detrGraph([{ logits: [1, 2], box: [0.5, 0.5, 0.2, 0.2] }], 32),
    'onnx/model_fp16.onnx': Uint8Array.of(1),
    'config.json': { model_type: 'd_fine', id2label: { 0: 'cat', 1: 'dog' } },
    'preprocessor_config.json': { size: { width: 32, height: 32 } },
    'README.md': {},
  });
  const pack = await run(source);
  expect(pack.manifest).toMatchObject({ id: 'my-detector', roles: ['svc-vision-pro'], engine: 'images' });
  expect(JSON.parse(readFileSync(join(pack.folder, 'manifest.json'), 'utf8')).vision).toEqual({
    parts: [{ family: 'detr' }],
  });
  expect(pack.manifest.files.map(({ path }) => path)).toEqual([
    'config.json',
    'preprocessor_config.json',
    'onnx/model.onnx',
  ]);
});

it('a folder without its graph is refused and leaves nothing behind', async () => {
  const source = writeFolder({ 'config.json': { model_type: 'florence2' } });
  await expect(run(source)).rejects.toThrow(/vision_encoder\.onnx/);
  expect(readdirSync(join(root, 'packs'))).toEqual([]);
});

it('says of a chat model that sees that it is not served, before anything is copied', async () => {
  const graph = new Uint8Array(1);
  const folder = writeFolder({
    'config.json': {
      architectures: ['Idefics3ForConditionalGeneration'],
      model_type: 'idefics3',
      vision_config: {},
      text_config: {},
    },
    'tokenizer.json': {},
    'onnx/vision_encoder.onnx': graph,
    'onnx/embed_tokens.onnx': graph,
    'onnx/decoder_model_merged.onnx': graph,
  });
  await expect(detectSourceKind(folder)).rejects.toThrow(/chat model that sees/);
});

it('says that pickled weights are not read, and safetensors are', async () => {
  const folder = writeFolder({ 'config.json': {}, 'pytorch_model.bin': {} });
  await expect(detectSourceKind(folder)).rejects.toThrow(/a pickle.* not read; safetensors/);
});
