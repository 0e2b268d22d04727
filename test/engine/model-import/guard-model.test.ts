import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openEngine } from '../../../server/engine/model-import/engine.ts';
import { type Config, tinyConfigs, tinyTensors, writeTinyModel } from '../../support/chat/tiny-decoder.ts';
import { chatMl, tinyTokenizer, tinyVocabulary } from '../../support/chat/tiny-pack.ts';

const root = mkdtempSync(join(tmpdir(), 'lokal-guard-import-'));
afterAll(() => rmSync(root, { recursive: true }));
const config: Config = { ...tinyConfigs.llama!, vocab_size: tinyVocabulary };

async function imported(template: string): Promise<Record<string, unknown>> {
  const [source, folder] = [mkdtempSync(join(root, 'model-')), mkdtempSync(join(root, 'pack-'))];
  writeTinyModel(source, config, tinyTensors(config, 1));
  writeFileSync(join(source, 'tokenizer.json'), JSON.stringify(tinyTokenizer()));
  writeFileSync(join(source, 'tokenizer_config.json'), JSON.stringify({ chat_template: template }));
  const engine = await openEngine({ ref: 'convert', folder, manifest: {} });
  const params = { source, preset: 'float32', context: null } as const;
  for await (const _ of engine.methods.convert(params, { signal: new AbortController().signal }));
  return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Record<string, unknown>;
}

test('a guard model is imported for moderation, by what its chat template says', async () => {
  const manifest = await imported(`Task: Check if there is unsafe content in the messages.\n${chatMl}`);
  expect(manifest).toMatchObject({
    roles: ['svc-shield-base'],
    engine: 'moderation',
    classifier: { kind: 'guard-chat', style: 'llama-guard' },
  });
  expect(manifest.chat).toMatchObject({ graph: 'model.onnx' });
});

test('any other chat model is imported for chat', async () => {
  expect(await imported(chatMl)).toMatchObject({ roles: ['svc-lingua-7b'], engine: 'chat' });
});
