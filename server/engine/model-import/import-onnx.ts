/** An ONNX decoder becomes a pack as it lies: graph, weights and tokenizer are copied, the manifest says how to run it. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sourceName } from '../source-name.ts';
import { estimatedSlots, hashFiles, importedChatPack, overheadMb, toPackId } from './decoder-pack-files.ts';
import { readTokenizerFiles } from './model-files.ts';
import type { OnnxDecoder } from './sources/onnx-decoder.ts';
import type { ModelEstimate } from './types.ts';

export interface OnnxImport {
  decoder: OnnxDecoder;
  /** Path the person named; the pack is called after it. */
  source: string;
  /** A folder that is there and empty. */
  target: string;
  context: number;
  onProgress: (done: number, total: number) => void;
  signal: AbortSignal;
}

/** @throws Error naming what is missing; the caller removes the folder */
export async function importOnnxDecoder(options: OnnxImport): Promise<void> {
  const { decoder, target, signal } = options;
  const tokenizer = await readTokenizerFiles(decoder.folder);
  await mkdir(target, { recursive: true });
  const folder = dirname(decoder.graph);
  let done = 0;
  for (const name of [basename(decoder.graph), ...decoder.dataFiles]) {
    const read = createReadStream(join(folder, name), { highWaterMark: 1 << 20 });
    read.on('data', (chunk) => {
      done += chunk.length;
      options.onProgress(Math.min(done, decoder.sizeBytes), decoder.sizeBytes);
    });
    await pipeline(read, createWriteStream(join(target, name)), { signal });
  }
  for (const [name, content] of Object.entries(tokenizer)) await writeFile(join(target, name), content);
  const manifest = { ...toManifest(options), files: await hashFiles(target) };
  await writeFile(join(target, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function toManifest({ decoder, source, context }: OnnxImport) {
  const { format, architecture, layout, graph, bos, eos } = decoder;
  const name = (sourceName(source) ?? 'model').slice(0, 200);
  return {
    id: toPackId(name),
    version: 'onnx',
    name,
    ...importedChatPack,
    description: `Imported from ${format} (${architecture}, ${basename(graph)}), as it was; ${layout.shared ? 'keys and values stay in place' : 'keys and values are copied at every step'}.`,
    context,
    memory_mb: memoryMb(decoder, context),
    provenance: { format, architecture, graph: basename(graph) },
    chat: { graph: basename(graph), past: layout, architecture, context, bos, eos },
  };
}

function memoryMb({ layout, sizeBytes }: OnnxDecoder, context: number): number {
  const positionBytes = layout.layers * 2 * layout.heads * layout.headDim * 4;
  return Math.ceil((sizeBytes + positionBytes * Math.min(context, estimatedSlots)) / 1_048_576 + overheadMb);
}

export function estimateOnnx(decoder: OnnxDecoder, context: number): ModelEstimate {
  const { format, architecture, sizeBytes } = decoder;
  const memory = memoryMb(decoder, context);
  return {
    name: null,
    format,
    architecture,
    weights: null,
    context,
    options: [{ preset: null, pack_bytes: sizeBytes, disk_bytes: sizeBytes, memory_mb: memory }],
  };
}
