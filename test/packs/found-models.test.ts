/** Models of other programs, as they lie on disk. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sourceName } from '../../server/engine/source-name.ts';
import { checksumsOf } from '../../server/packs/checksums.ts';
import { findModels } from '../../server/packs/found-models.ts';
import { detectSourceKind } from '../../server/packs/imports/detect-source-kind.ts';

let home: string;
const digest = 'a'.repeat(64);

async function put(path: string, content: string): Promise<string> {
  const whole = join(home, path);
  await mkdir(dirname(whole), { recursive: true });
  await writeFile(whole, content);
  return whole;
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'lokal-found-'));
  const layers = (model: string) =>
    JSON.stringify({
      layers: [
        { mediaType: 'application/vnd.ollama.image.license', digest: `sha256:${'b'.repeat(64)}` },
        { mediaType: 'application/vnd.ollama.image.model', digest: model },
      ],
    });
  await put('ollama/manifests/registry.ollama.ai/library/llama3.2/1b', layers(`sha256:${digest}`));
  await put('ollama/manifests/registry.ollama.ai/mallory/evil/latest', layers('sha256:../../../etc/passwd'));
  await put('ollama/manifests/registry.ollama.ai/library/gone/latest', layers(`sha256:${'c'.repeat(64)}`));
  await put(`ollama/blobs/sha256-${digest}`, 'GGUF and more');
  await put('lm/qwen/Qwen3-4B-GGUF/Qwen3-4B-Q4_K_M.gguf', 'GGUF');
  await put('lm/qwen/Qwen3-4B-GGUF/mmproj-f16.gguf', 'GGUF');
  const snapshot = 'hub/models--HuggingFaceTB--SmolLM2-135M/snapshots/1';
  const blob = await put('hub/models--HuggingFaceTB--SmolLM2-135M/blobs/x', '12345678');
  await put(`${snapshot}/config.json`, '{}');
  await symlink(blob, join(home, snapshot, 'model.safetensors'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

it('models of Ollama, LM Studio and the Hugging Face cache are found, with the sizes of their files', async () => {
  const found = await findModels({
    ollama: [join(home, 'ollama'), join(home, 'nowhere')],
    lmStudio: [join(home, 'lm')],
    huggingFace: [join(home, 'hub')],
  });
  expect(found.map(({ source, name, kind, size_bytes }) => ({ source, name, kind, size_bytes }))).toEqual([
    { source: 'hugging_face', name: 'HuggingFaceTB/SmolLM2-135M', kind: 'decoder', size_bytes: 10 },
    { source: 'ollama', name: 'llama3.2:1b', kind: 'decoder', size_bytes: 13 },
    { source: 'lm_studio', name: 'qwen/Qwen3-4B-Q4_K_M', kind: 'decoder', size_bytes: 4 },
  ]);
});

it('a file without an ending is a model by its first bytes alone', async () => {
  expect(await detectSourceKind(join(home, `ollama/blobs/sha256-${digest}`))).toBe('decoder');
  await expect(detectSourceKind(await put('text', 'GGU'))).rejects.toThrow('only .lokalpack and .gguf');
});

it('checksums are those of the file, or of the weights in a folder, and stop with the signal', async () => {
  const sha256 = createHash('sha256').update('12345678').digest('hex');
  const folder = join(home, 'hub/models--HuggingFaceTB--SmolLM2-135M/snapshots/1');
  const { signal } = new AbortController();
  const expected = [{ name: 'model.safetensors', size_bytes: 8, sha256 }];
  expect(await checksumsOf(folder, signal)).toEqual(expected);
  expect(await checksumsOf(join(folder, 'model.safetensors'), signal)).toEqual(expected);
  await expect(checksumsOf(folder, AbortSignal.abort())).rejects.toThrow('aborted');
});

it('models are named as people know them, also in a cache', () => {
  const hub = '/home/me/.cache/huggingface/hub/models--Qwen--Qwen3-4B/snapshots/0123abc';
  expect(
    [
      '/models/Phi-4.GGUF',
      '/models/folder/',
      hub,
      `${hub}/Qwen3-4B-Q8_0.gguf`,
      `/blobs/sha256-${digest}`,
    ].map(sourceName),
  ).toEqual(['Phi-4', 'folder', 'Qwen3-4B', 'Qwen3-4B-Q8_0', null]);
});
