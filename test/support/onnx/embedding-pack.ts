import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EnginePack } from '../../../server/engine/engine.ts';
import { type BertShape, bertModel, tinyBert } from './bert-graph.ts';
import { randomNumbers, randomWeights } from './random.ts';
import { wordPieceTokenizer } from './word-piece.ts';

export interface PackOptions {
  shape?: BertShape;
  /** The manifest's `encoder` block. */
  encoder?: Record<string, unknown>;
  /** Replaces or adds files; JSON unless bytes. */
  files?: Record<string, unknown>;
}

/** float32 safetensors with one dense layer of random weights. */
export function denseFile(inputs: number, outputs: number): Uint8Array {
  const weight = randomWeights(randomNumbers(9), inputs * outputs, 0.2);
  const entry = { dtype: 'F32', shape: [outputs, inputs], data_offsets: [0, weight.byteLength] };
  const header = Buffer.from(JSON.stringify({ 'linear.weight': entry }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header, Buffer.from(weight.buffer)]);
}

function standardFiles(shape: BertShape): Record<string, unknown> {
  return {
    'onnx/model.onnx': bertModel(shape),
    'tokenizer.json': wordPieceTokenizer(shape.vocabulary),
    'tokenizer_config.json': {
      tokenizer_class: 'BertTokenizer',
      model_max_length: shape.positions,
      pad_token: '[PAD]',
    },
    'config.json': {
      model_type: 'bert',
      hidden_size: shape.hidden,
      max_position_embeddings: shape.positions,
      pad_token_id: 0,
    },
    '1_Pooling/config.json': { pooling_mode_mean_tokens: true, pooling_mode_cls_token: false },
  };
}

/** What makes vectors of a small encoder 1,024 long, as sentence-transformers lays it out. */
function denseFiles(hidden: number): Record<string, unknown> {
  return {
    'modules.json': [
      { path: '', type: 'sentence_transformers.models.Transformer' },
      { path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
      { path: '2_Dense', type: 'sentence_transformers.models.Dense' },
    ],
    '2_Dense/config.json': {
      in_features: hidden,
      out_features: 1024,
      bias: false,
      activation_function: 'torch.nn.modules.activation.Tanh',
    },
    '2_Dense/model.safetensors': denseFile(hidden, 1024),
  };
}

/** Writes an embedding pack of random weights in the Hugging Face layout; a `null` file is left out. */
export async function writeEmbeddingPack(folder: string, options: PackOptions = {}): Promise<EnginePack> {
  const shape = options.shape ?? tinyBert;
  const dense = options.shape ? {} : denseFiles(shape.hidden);
  const files = { ...standardFiles(shape), ...dense, ...options.files };
  for (const [path, content] of Object.entries(files)) {
    if (content === null) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content instanceof Uint8Array ? content : JSON.stringify(content));
  }
  return { ref: 'test-embed@1.0.0', folder, manifest: { encoder: options.encoder ?? {} } };
}
