import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelShape, WeightName } from '../../../server/engine/model-import/graph/model-shape.ts';
import { blockFormats, decodeBlocks } from '../../../server/engine/model-import/sources/ggml-types.ts';
import { GgufFile } from '../../../server/engine/model-import/sources/gguf-file.ts';
import { ggufWeights, shapeFromGguf } from '../../../server/engine/model-import/sources/gguf-source.ts';
import { tokenizerFromGguf } from '../../../server/engine/model-import/sources/gguf-tokenizer.ts';
import { shapeFromConfig } from '../../../server/engine/model-import/sources/hf-config.ts';
import { SafetensorsFile } from '../../../server/engine/model-import/sources/safetensors.ts';
import { openSafetensors } from '../../../server/engine/model-import/sources/safetensors-source.ts';
import { repackQ4_0 } from '../../../server/engine/model-import/weights/quantize.ts';
import { decodeHalf } from '../../../server/engine/onnx/float16.ts';
import { ggufMetadata, ggufTensors, writeGguf } from '../../support/chat/gguf-writer.ts';
import {
  tinyConfigs,
  tinyTensors,
  writeSafetensors,
  writeTinyModel,
} from '../../support/chat/tiny-decoder.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'lokal-sources-'));
});
afterAll(() => rmSync(root, { recursive: true }));

interface BlockFixture {
  type: number;
  name: string;
  bytes: string;
  values: string;
}
const fixtures = JSON.parse(
  readFileSync(new URL('../../fixtures/chat/ggml-blocks.json', import.meta.url), 'utf8'),
) as BlockFixture[];

describe('GGUF block types', () => {
  it.each(fixtures)('$name decodes as the gguf package does', ({ type, bytes, values }) => {
    const raw = Buffer.from(values, 'base64');
    const expected = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
    const actual = decodeBlocks(blockFormats[type]!, Buffer.from(bytes, 'base64'));
    expect(actual.length).toBe(expected.length);
    for (const [index, value] of expected.entries()) expect(actual[index]).toBeCloseTo(value, 5);
  });

  it('repacks Q4_0 without a change of any weight', () => {
    const { bytes } = fixtures.find(({ name }) => name === 'Q4_0')!;
    const packed = Buffer.from(bytes, 'base64');
    const weights = decodeBlocks(blockFormats[2]!, packed);
    const { codes, scales } = repackQ4_0(packed, 256, decodeHalf);
    for (const [index, weight] of weights.entries()) {
      const code = (codes[index >> 1]! >> ((index & 1) * 4)) & 15;
      expect((code - 8) * scales[index >> 5]!).toBe(weight);
    }
  });
});

const names: WeightName[] = ['embedding', 'final_norm', 'layers.1.attention_norm', 'layers.1.ffn_norm'];
const matrices = ['q', 'k', 'v', 'o', 'gate', 'up', 'down'].map(
  (part): WeightName => `layers.2.${part as 'q'}`,
);

describe('the same weights', () => {
  const comparable = Object.entries(tinyConfigs).filter(([, config]) => !config.rope_scaling);
  it.each(comparable)('of %s are the same from GGUF and from safetensors', async (_name, config) => {
    const folder = mkdtempSync(join(root, 'pair-'));
    const tensors = tinyTensors(config);
    writeTinyModel(folder, config, tensors);
    writeGguf(join(folder, 'model.gguf'), ggufMetadata(config), ggufTensors(config, tensors));
    const file = await GgufFile.open(join(folder, 'model.gguf'));
    const shapes: ModelShape[] = [shapeFromConfig(config), await shapeFromGguf(file)];
    const [fromFolder, fromGguf] = [await openSafetensors(folder, shapes[0]!), ggufWeights(file, shapes[1]!)];
    const gemma = shapes[0]!.normOffset;
    for (const name of [...names, ...matrices]) {
      const [a, b] = [fromFolder.get(name), fromGguf.get(name)];
      expect([b.rows, b.cols], name).toEqual([a.rows, a.cols]);
      const offset = name.includes('norm') ? gemma : 0;
      const whole = (await a.read(0, a.rows)).map((value) => value + offset);
      expect(await b.read(0, b.rows), name).toEqual(whole);
      if (a.rows > 4) expect(await b.read(3, 1)).toEqual(whole.slice(3 * a.cols, 4 * a.cols));
    }
    const { hidden, heads, kvHeads, headDim, ffn, vocab, layers } = shapes[0]!;
    expect(shapes[1]).toMatchObject({ hidden, heads, kvHeads, headDim, ffn, vocab });
    expect(
      shapes[1]!.layers.map(({ window, rope }) => [
        config.model_type === 'mistral' || config.model_type === 'phi3' ? null : window,
        rope.theta,
        rope.dims,
      ]),
    ).toEqual(
      layers.map(({ window, rope }) => [
        config.model_type === 'mistral' || config.model_type === 'phi3' ? null : window,
        rope.theta,
        rope.dims,
      ]),
    );
    await Promise.all([fromFolder.close(), fromGguf.close()]);
  });
});

describe('hostile and damaged files', () => {
  const path = () => join(root, `file-${Math.random()}.gguf`);
  const good = () => {
    const at = path();
    writeGguf(
      at,
      ggufMetadata(tinyConfigs.llama!),
      ggufTensors(tinyConfigs.llama!, tinyTensors(tinyConfigs.llama!)),
    );
    return at;
  };

  it.each([1025, 2 ** 31])('takes no model of %i layers', async (count) => {
    const at = path();
    const config = tinyConfigs.llama!;
    const metadata = { ...ggufMetadata(config), 'llama.block_count': count };
    writeGguf(at, metadata, ggufTensors(config, tinyTensors(config)));
    const file = await GgufFile.open(at);
    await expect(shapeFromGguf(file)).rejects.toThrow('block_count must be a whole number from 1 to 1024');
    await file.close();
  });

  it('names what is no GGUF file, or one of a version that is not read', async () => {
    const at = path();
    writeFileSync(at, 'not a model');
    await expect(GgufFile.open(at)).rejects.toThrow(/not a GGUF file/);
    const head = Buffer.alloc(24);
    head.write('GGUF');
    head.writeUInt32LE(1, 4);
    writeFileSync(at, head);
    await expect(GgufFile.open(at)).rejects.toThrow(/version 1/);
  });

  it('refuses huge counts before it allocates', async () => {
    const at = path();
    const head = Buffer.alloc(64);
    head.write('GGUF');
    head.writeUInt32LE(3, 4);
    head.writeBigUInt64LE(2n ** 60n, 8);
    writeFileSync(at, head);
    await expect(GgufFile.open(at)).rejects.toThrow(/more tensors/);
  });

  it('refuses a file that is cut off, wherever', async () => {
    const whole = readFileSync(good()).length;
    for (const share of [0.001, 0.004, 0.3, 0.7, 0.99]) {
      const at = good();
      truncateSync(at, Math.floor(whole * share));
      await expect(GgufFile.open(at), String(share)).rejects.toThrow(/cut off|damaged|more tensors/);
    }
  });

  it('refuses tensors that overlap or are of an unknown type', async () => {
    const [first, second] = ggufTensors(tinyConfigs.llama!, tinyTensors(tinyConfigs.llama!));
    const at = path();
    writeGguf(at, {}, [{ ...first!, type: 99 }, second!]);
    await expect(GgufFile.open(at)).rejects.toThrow(/type 99/);
    writeGguf(at, {}, [{ ...first!, dims: [2 ** 40, 2 ** 40] }, second!]);
    await expect(GgufFile.open(at)).rejects.toThrow(/makes no sense|lies outside|damaged/);
    writeGguf(at, {}, [{ ...first!, dims: [128, 97] }, second!]);
    await expect(GgufFile.open(at)).rejects.toThrow(/overlaps/);
  });

  it('refuses damaged safetensors, naming the tensor', async () => {
    const at = join(root, 'model.safetensors');
    writeSafetensors(at, new Map([['w', { dims: [4, 4], values: new Float32Array(16) }]]));
    const bytes = readFileSync(at);
    const open = async (damage: (copy: Buffer) => Buffer) => {
      writeFileSync(at, damage(Buffer.from(bytes)));
      return SafetensorsFile.open(at, 'model.safetensors');
    };
    const edit = (from: string, to: string) => (copy: Buffer) =>
      Buffer.from(copy.toString('latin1').replace(from, to), 'latin1');
    await expect(open((copy) => copy.subarray(0, -1))).rejects.toThrow(/w lies outside/);
    await expect(open((copy) => copy.subarray(0, 9))).rejects.toThrow(/cut off/);
    await expect(open(edit('[0,64]', '[0,60]'))).rejects.toThrow(/w lies outside/);
    await expect(open(edit('"F32"', '"X32"'))).rejects.toThrow(/X32/);
    await expect(open(edit('[4,4]', '[4,-'))).rejects.toThrow(/not valid JSON|shape/);
    await expect(open((copy) => Buffer.concat([Buffer.alloc(8, 0xff), copy.subarray(8)]))).rejects.toThrow(
      /cut off/,
    );
  });

  it.runIf(process.platform === 'linux')('leaves no shard open beside one that is damaged', async () => {
    const folder = mkdtempSync(join(root, 'shards-'));
    const shard = join(folder, 'a.safetensors');
    writeSafetensors(shard, new Map([['w', { dims: [4, 4], values: new Float32Array(16) }]]));
    writeFileSync(join(folder, 'b.safetensors'), 'damaged');
    await expect(openSafetensors(folder, shapeFromConfig(tinyConfigs.llama!))).rejects.toThrow('cut off');
    const opened = readdirSync('/proc/self/fd').map((file) => {
      try {
        return readlinkSync(`/proc/self/fd/${file}`);
      } catch {
        return null;
      }
    });
    expect(opened).not.toContain(shard);
  });

  it('names an architecture or a setting that is not supported', () => {
    expect(() => shapeFromConfig({ model_type: 'mamba' })).toThrow(/mamba/);
    expect(() => shapeFromConfig({ ...tinyConfigs.llama, hidden_size: 1e12 })).toThrow(/hidden_size/);
    expect(() => shapeFromConfig({ ...tinyConfigs.llama, rope_scaling: { type: 'odd' } })).toThrow(/odd/);
    expect(() => shapeFromConfig({ ...tinyConfigs.llama, hidden_act: 'relu' })).toThrow(/relu/);
  });

  it('names the weight that is missing', async () => {
    const folder = mkdtempSync(join(root, 'missing-'));
    const tensors = tinyTensors(tinyConfigs.llama!);
    tensors.delete('model.layers.1.mlp.up_proj.weight');
    writeTinyModel(folder, tinyConfigs.llama!, tensors);
    const source = await openSafetensors(folder, shapeFromConfig(tinyConfigs.llama!));
    expect(() => source.get('layers.1.up')).toThrow(/layers.1.mlp.up_proj/);
    await source.close();
  });
});

describe('GGUF tokenizers', () => {
  const encode = (metadata: Record<string, unknown>, text: string) => {
    const { tokenizer, config } = tokenizerFromGguf(metadata);
    const loaded = new Tokenizer(tokenizer as never, config as never);
    const { ids } = loaded.encode(text);
    return { ids, back: loaded.decode(ids, { skip_special_tokens: true }) };
  };

  it('byte-level BPE comes over with its merges and special tokens', () => {
    const metadata = {
      'tokenizer.ggml.model': 'gpt2',
      'tokenizer.ggml.pre': 'qwen2',
      'tokenizer.ggml.tokens': ['a', 'b', 'c', 'Ġ', 'ab', 'Ġc', '<|end|>'],
      'tokenizer.ggml.merges': ['a b', 'Ġ c'],
      'tokenizer.ggml.token_type': [1, 1, 1, 1, 1, 1, 3],
      'tokenizer.ggml.eos_token_id': 6,
    };
    expect(encode(metadata, 'ab c<|end|>')).toEqual({ ids: [4, 5, 6], back: 'ab c' });
    expect(tokenizerFromGguf(metadata).eos).toEqual([6]);
  });

  it('SentencePiece merges are rebuilt from scores, bytes stand in for what is unknown', () => {
    const pieces = [
      '<unk>',
      '<s>',
      '</s>',
      ...Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`),
    ];
    const words = ['▁', 'h', 'i', 'hi', '▁hi', 't', 'ti', 'it'];
    const metadata = {
      'tokenizer.ggml.model': 'llama',
      'tokenizer.ggml.tokens': [...pieces, ...words],
      'tokenizer.ggml.scores': [...pieces.map(() => 0), ...words.map((_, index) => -index)],
      'tokenizer.ggml.token_type': [2, 3, 3, ...Array(256).fill(6), ...words.map(() => 1)],
      'tokenizer.ggml.bos_token_id': 1,
      'tokenizer.ggml.add_bos_token': true,
    };
    const at = (piece: string) => pieces.length + words.indexOf(piece);
    expect(encode(metadata, 'hi').ids).toEqual([1, at('▁hi')]);
    expect(encode(metadata, 'hi é')).toMatchObject({
      ids: [1, at('▁hi'), at('▁'), 3 + 0xc3, 3 + 0xa9],
      back: 'hi é',
    });
  });

  it('names a kind that is not supported', () => {
    expect(() =>
      tokenizerFromGguf({ 'tokenizer.ggml.model': 'bert', 'tokenizer.ggml.tokens': ['a'] }),
    ).toThrow(/bert/);
    expect(() => tokenizerFromGguf({})).toThrow(/no tokenizer/);
  });
});
