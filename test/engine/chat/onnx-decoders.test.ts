/** Chat models that come as ONNX graphs, in both layouts: the same logits as the reference, imported and served. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readDecoderIo } from '../../../server/engine/chat/decoder-io.ts';
import { openEngine } from '../../../server/engine/chat/engine.ts';
import { ExternalDecoderRunner } from '../../../server/engine/chat/runners/external-decoder-runner.ts';
import { openEngine as openConverter } from '../../../server/engine/model-import/engine.ts';
import { findOnnxDecoder } from '../../../server/engine/model-import/sources/onnx-decoder.ts';
import { detectSourceKind } from '../../../server/packs/imports/detect-source-kind.ts';
import { ask, paramsOf } from '../../support/chat/ask.ts';
import { type Layout, writeOnnxDecoder } from '../../support/chat/onnx-decoders.ts';
import { cosine, referenceLogits } from '../../support/chat/reference.ts';
import { type Config, tinyConfigs, tinyTensors } from '../../support/chat/tiny-decoder.ts';
import { chatMl, tinyTokenizer, tinyVocabulary } from '../../support/chat/tiny-pack.ts';

const root = mkdtempSync(join(tmpdir(), 'lokal-onnx-chat-'));
afterAll(() => rmSync(root, { recursive: true }));
const signal = new AbortController().signal;
const config: Config = { ...tinyConfigs.llama!, vocab_size: tinyVocabulary };
const tensors = tinyTensors(config, 3);
const layouts: Layout[] = ['genai', 'optimum'];

function writeModel(layout: Layout): string {
  const folder = mkdtempSync(join(root, `${layout}-`));
  writeOnnxDecoder(folder, layout, { config, tensors });
  const tokenizerFolder = layout === 'genai' ? join(folder, 'cpu/int4') : folder;
  writeFileSync(join(tokenizerFolder, 'tokenizer.json'), JSON.stringify(tinyTokenizer()));
  writeFileSync(join(tokenizerFolder, 'chat_template.jinja'), chatMl);
  return folder;
}

const tokens = Array.from({ length: 90 }, (_, index) => (index * 37 + 11) % tinyVocabulary);

describe.each(layouts)('%s', (layout) => {
  const source = writeModel(layout);

  it('gives the logits of the reference, in long prompts, step by step, and in several slots', async () => {
    const decoder = (await findOnnxDecoder(source))!;
    expect(decoder.layout.shared).toBe(layout === 'genai');
    const runner = await ExternalDecoderRunner.open(decoder.graph, decoder.layout, { threads: 1 });
    const reference = referenceLogits(config, tensors, tokens);
    try {
      runner.allocate({ slots: 2, positions: 128 });
      const expectRow = (logits: Float32Array, index: number, position: number) => {
        const row = logits.subarray(index * tinyVocabulary, (index + 1) * tinyVocabulary);
        expect(cosine(row, reference[position]!)).toBeGreaterThan(0.99999);
      };
      // Longer than one run takes, and its last place and one in the middle wanted.
      const prompt = { tokens: tokens.slice(0, 80), past: 0 };
      const whole = await runner.run({ slot: 1, rows: [prompt], wanted: [10, 79] }, signal);
      expectRow(whole, 0, 10);
      expectRow(whole, 1, 79);
      await runner.run({ slot: 0, rows: [{ tokens: tokens.slice(0, 4), past: 0 }], wanted: [] }, signal);
      for (let step = 0; step < 3; step += 1) {
        const rows = [
          { tokens: [tokens[4 + step]!], past: 4 + step },
          { tokens: [tokens[80 + step]!], past: 80 + step },
        ];
        const logits = await runner.run({ slot: 0, rows, wanted: [0, 1] }, signal);
        expectRow(logits, 0, 4 + step);
        expectRow(logits, 1, 80 + step);
      }
    } finally {
      await runner.close();
    }
  });

  it('is recognized, estimated, imported and answers', async () => {
    expect(await detectSourceKind(source)).toBe('decoder');
    const target = mkdtempSync(join(root, 'pack-'));
    const converter = await openConverter({ ref: 'convert', folder: target, manifest: {} });
    const estimate = await converter.methods.estimate({ source }, { signal });
    expect(estimate).toMatchObject({ architecture: 'llama', context: 128, options: [{ preset: null }] });
    const conversion = { source, preset: 'quality', context: null } as const;
    for await (const { done, total } of converter.methods.convert(conversion, { signal }))
      expect(done).toBeLessThanOrEqual(total);
    const manifest = JSON.parse(readFileSync(join(target, 'manifest.json'), 'utf8'));
    const engine = await openEngine(
      { ref: 'onnx@1', folder: target, manifest },
      { threads: 1, providers: ['cpu'] },
    );
    try {
      await engine.check?.({ signal });
      const params = paramsOf('Hello', { seed: 5, temperature: 1 });
      const texts = async () => (await ask(engine, params)).choices.map(({ text }) => text);
      expect(await texts()).toEqual(await texts());
    } finally {
      await engine.close();
    }
  });
});

describe('hostile and unsuited folders', () => {
  it('are refused by name', async () => {
    const refused = async (change: (folder: string) => void, layout: Layout = 'genai') => {
      const folder = writeModel(layout);
      change(folder);
      return findOnnxDecoder(folder).then(
        () => '',
        (error: Error) => error.message,
      );
    };
    const edit = (path: string, from: string, to: string) => (folder: string) => {
      const file = join(folder, path);
      writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
    };
    const genai = 'cpu/int4/genai_config.json';
    expect(await refused(edit(genai, '"model.onnx"', '"../../../etc/passwd"'))).toMatch(
      /filename is not the name/,
    );
    expect(await refused(edit(genai, '"model.onnx"', '"none.onnx"'))).toMatch(/none.onnx is missing/);
    expect(await refused(edit(genai, '"num_hidden_layers":3', '"num_hidden_layers":-3'))).toMatch(
      /num_hidden_layers/,
    );
    expect(await refused(edit(genai, '"past_key_values.%d.key"', '"other.%d"'))).toMatch(/no past keys/);
    expect(await refused(edit(genai, '{', '['))).toMatch(/not valid JSON/);
    const cut = (folder: string) => {
      const file = join(folder, 'onnx/model.onnx');
      writeFileSync(file, readFileSync(file).subarray(0, 50_000));
    };
    expect(await refused(cut, 'optimum')).toMatch(/cut off/);
  });

  it('are no chat models: an encoder, and a manifest whose layout is none', async () => {
    const folder = join(root, 'encoder');
    mkdirSync(dirname(join(folder, 'onnx/model.onnx')), { recursive: true });
    for (const name of ['onnx/model.onnx', 'tokenizer.json']) writeFileSync(join(folder, name), '{}');
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ architectures: ['BertModel'] }));
    expect(await detectSourceKind(folder)).toBe('encoder');
    expect(readDecoderIo(undefined)).toBe(null);
    for (const layout of [{}, { layers: 1 }, { inputs: 1 }, 'x'])
      expect(() => readDecoderIo(layout)).toThrow(/chat.past/);
  });
});
