/** The rest of a chat pack, once its graph is there: the tokenizer's files and the manifest with every file's hash. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cpuSignature } from '../onnx/providers/cpu-signature.ts';
import { sourceName } from '../source-name.ts';
import { type Converted, type ConvertedPack, graphName, portableGraphName } from './convert.ts';
import type { ModelShape } from './graph/model-shape.ts';
import { guardStyleOf } from './guard-template.ts';
import type { ModelFiles } from './model-files.ts';
import type { Preset } from './types.ts';

export interface PackContents {
  files: ModelFiles;
  target: string;
  source: string;
  preset: Preset;
  context: number;
  converted: ConvertedPack;
}

/** Positions of keys and values that the memory estimate counts with, besides the weights. */
export const estimatedSlots = 4096;
export const overheadMb = 200;

export async function writePackFiles(contents: PackContents): Promise<void> {
  const { files, target } = contents;
  for (const [name, text] of Object.entries(files.tokenizer)) await writeFile(join(target, name), text);
  const manifest = {
    ...describeModel(contents),
    ...guardService(files.tokenizer),
    files: await hashFiles(target),
  };
  await writeFile(join(target, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** A guard model by its chat template serves moderation instead of chat. */
function guardService(tokenizer: ModelFiles['tokenizer']) {
  const { 'chat_template.jinja': template = '', 'tokenizer_config.json': config = '' } = tokenizer;
  const style = guardStyleOf(template + config);
  if (style === null) return {};
  return { roles: ['svc-shield-base'], engine: 'moderation', classifier: { kind: 'guard-chat', style } };
}

/** Alike in every chat model that a person imports. */
export const importedChatPack = {
  publisher: 'imported',
  roles: ['svc-lingua-7b'],
  format: 'onnx',
  engine: 'chat',
  licence: 'as stated by the model’s publisher',
  languages: [],
  status: 'imported',
};

function describeModel({ files, source, preset, context, converted }: PackContents) {
  const { shape } = files;
  const fileName = sourceName(source) ?? files.name ?? 'model';
  const bits = Math.round(converted.bitsPerWeight * 100) / 100;
  return {
    id: toPackId(fileName),
    version: preset,
    name: (files.name ?? fileName).slice(0, 200),
    ...importedChatPack,
    description: `Imported from ${files.format} (${shape.architecture}), ${bits} bits a weight.`,
    context,
    quantization: `${preset}, ${bits} bits a weight`,
    memory_mb: memoryMb(shape, converted, context),
    provenance: {
      format: files.format,
      architecture: shape.architecture,
      weights: converted.weights,
      bits_per_weight: bits,
      relative_squared_error: converted.relativeError,
    },
    chat: {
      graph: graphName,
      portable_graph: converted.prepacked ? portableGraphName : graphName,
      prepacked_for: converted.prepacked ? cpuSignature() : null,
      architecture: shape.architecture,
      vocab: shape.vocab,
      layers: shape.layers.length,
      kv_heads: shape.kvHeads,
      head_dim: shape.headDim,
      context,
      bos: files.bos,
      eos: files.eos,
    },
  };
}

/** Resident megabytes of a host that serves it. */
export function memoryMb(
  shape: ModelShape,
  { bitsPerWeight, weights }: Pick<Converted, 'bitsPerWeight' | 'weights'>,
  context: number,
): number {
  const weightBytes = (weights * bitsPerWeight) / 8;
  const slotBytes = shape.layers.length * 2 * shape.kvHeads * shape.headDim * 4;
  return Math.ceil((weightBytes + slotBytes * Math.min(context, estimatedSlots)) / 1_048_576 + overheadMb);
}

export const toPackId = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 64) || 'model';

export async function hashFiles(folder: string) {
  const names = (await readdir(folder)).filter((name) => name !== 'manifest.json').sort();
  const files = [];
  for (const path of names) {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(join(folder, path), { highWaterMark: 1 << 20 }))
      hash.update(chunk as Buffer);
    files.push({ path, size_bytes: (await stat(join(folder, path))).size, sha256: hash.digest('hex') });
  }
  return files;
}
