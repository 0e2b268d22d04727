/**
 * Trained weights (a Hugging Face folder) to the pack that ships: our importer reads them, our quantizer writes them, and the
 * graph stays portable, since prepacked weights serve one kind of processor only.
 *
 *     node pack.ts WEIGHTS_FOLDER PACK_FOLDER [eight|quality|speed]
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeGraph } from '../../../server/engine/model-import/convert.ts';
import { openModelFiles } from '../../../server/engine/model-import/model-files.ts';
import type { PrecisionPolicy } from '../../../server/engine/model-import/weights/weight-writer.ts';

const policies: Record<string, PrecisionPolicy> = {
  eight: () => ({ bits: 8, block: 64 }),
  quality: ([first]) => ({ bits: first === 'embedding' ? 8 : 4, block: 64 }),
  speed: () => ({ bits: 4, block: 128 }),
};
/** Written by hand beside what is made here. */
const card = 'README.md';

const [source, target, choice = 'eight'] = process.argv.slice(2);
const precision = policies[choice];
if (!source || !target || !precision)
  throw new Error('node pack.ts WEIGHTS_FOLDER PACK_FOLDER [eight|quality|speed]');

mkdirSync(target, { recursive: true });
for (const name of readdirSync(target)) if (name !== card) rmSync(join(target, name));
const files = await openModelFiles(source);
const { shape } = files;
const converted = await writeGraph({
  shape,
  source: files.weights,
  target,
  precision,
  exactQ4_0: false,
  graph: 'model.onnx',
  data: 'model.data',
  context: shape.context,
  onProgress: () => {},
  signal: new AbortController().signal,
});
await files.weights.close();
for (const [name, text] of Object.entries(files.tokenizer)) writeFileSync(join(target, name), text);

const bits = Number(converted.bitsPerWeight.toFixed(2));
const millions = (converted.weights / 1e6).toFixed(1);
const manifest = {
  id: 'lingua-starter',
  version: '0.1.0',
  name: 'Lokal Lingua Starter',
  publisher: 'Lokal',
  roles: ['svc-lingua-7b'],
  format: 'onnx',
  engine: 'chat',
  files: readdirSync(target)
    .filter((path) => path !== card)
    .sort()
    .map((path) => ({
      path,
      size_bytes: statSync(join(target, path)).size,
      sha256: createHash('sha256')
        .update(readFileSync(join(target, path)))
        .digest('hex'),
    })),
  licence: 'Apache-2.0',
  languages: ['en', 'ms', 'zh'],
  status: 'starter',
  description: `Two small networks that work on what they are given: one points at answers in a text, fields, functions and their arguments; the other (${millions} million weights) writes the rest. It knows nothing of the world; bring a bigger model for that.`,
  descriptions: {
    ms: `Dua rangkaian kecil yang bekerja dengan apa yang diberikan: satu menunjuk kepada jawapan dalam teks, medan, fungsi dan argumennya; satu lagi (${millions} juta pemberat) menulis selebihnya. Ia tidak tahu apa-apa tentang dunia; gunakan model yang lebih besar untuk itu.`,
    zh: `两个小型网络，只处理交给它们的内容：一个在文本中指出答案、字段、函数及其参数；另一个（${Math.round(converted.weights / 1e4)} 万个权重）写出其余部分。它不了解世界；这类问题请用更大的模型。`,
  },
  context: shape.context,
  quantization: `${bits} bits a weight, blocks of 64`,
  memory_mb: 300,
  provenance: {
    recipe: 'models/recipes/lingua-starter',
    trained_by: 'Lokal',
    weights: converted.weights,
    bits_per_weight: bits,
    relative_squared_error: converted.relativeError,
    training: JSON.parse(readFileSync(join(source, 'training.json'), 'utf8')) as unknown,
  },
  chat: {
    graph: 'model.onnx',
    portable_graph: 'model.onnx',
    prepacked_for: null,
    architecture: shape.architecture,
    vocab: shape.vocab,
    layers: shape.layers.length,
    kv_heads: shape.kvHeads,
    head_dim: shape.headDim,
    context: shape.context,
    bos: files.bos,
    eos: files.eos,
  },
};
writeFileSync(join(target, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
