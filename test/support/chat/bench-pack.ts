/** A chat pack of random weights for benches: a byte-level tokenizer whose vocabulary is filled up with characters. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EnginePack } from '../../../server/engine/engine.ts';
import { convertDecoder } from '../../../server/engine/model-import/convert.ts';
import type { Preset } from '../../../server/engine/model-import/types.ts';
import { type LlamaSize, llamaShape, randomWeights } from './random-weights.ts';
import { chatMl, tinyTokenizer } from './tiny-pack.ts';

/** Every token but the end tokens is text, so that every token is an event. */
function tokenizerOf(vocab: number): { tokenizer: Record<string, unknown>; end: number } {
  const tiny = tinyTokenizer() as {
    added_tokens: { id: number }[];
    model: { vocab: Record<string, number> };
  };
  const end = tiny.added_tokens.at(-1)!.id;
  const bytes = byteLevelOf();
  for (let id = end + 1; id < vocab; id += 1) {
    const character = Buffer.from(String.fromCodePoint(0x4e00 + id));
    tiny.model.vocab[[...character].map((byte) => bytes[byte]).join('')] = id;
  }
  return { tokenizer: tiny, end };
}

/** GPT-2's character of each byte. */
function byteLevelOf(): string[] {
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    return String.fromCharCode(printable ? byte : next++);
  });
}

export interface BenchPackOptions {
  size: LlamaSize;
  preset: Preset;
  /** Over the manifest's `chat` block. */
  chat?: Record<string, unknown>;
}

/** Writes the pack into `folder`, which must not be there. */
export async function writeBenchPack(folder: string, options: BenchPackOptions): Promise<EnginePack> {
  const { preset, size } = options;
  await mkdir(folder, { recursive: true });
  const shape = llamaShape(size);
  await convertDecoder({
    shape,
    source: randomWeights(shape),
    target: folder,
    preset,
    context: size.context,
    onProgress: () => {},
    signal: new AbortController().signal,
  });
  const { end, tokenizer } = tokenizerOf(size.vocab);
  const manifest = {
    id: 'bench-chat',
    version: preset,
    name: 'Bench',
    publisher: 'bench',
    roles: ['svc-lingua-7b'],
    format: 'onnx',
    engine: 'chat',
    files: [],
    licence: 'none',
    languages: [],
    // Bound without being asked.
    status: 'starter',
    description: 'Random weights.',
    memory_mb: 1000,
    chat: { graph: 'model.onnx', context: size.context, bos: null, eos: [end], ...options.chat },
  };
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
  await writeFile(join(folder, 'tokenizer_config.json'), JSON.stringify({ eos_token: '<|endoftext|>' }));
  await writeFile(join(folder, 'chat_template.jinja'), chatMl);
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return { ref: `bench-chat@${preset}`, folder, manifest };
}

/** Ids that must not end an answer whose length is measured, with what to add to their logits. */
export function neverEnding(pack: EnginePack): Record<string, number> {
  const [end] = (pack.manifest.chat as { eos: number[] }).eos;
  return Object.fromEntries([end! - 2, end! - 1, end!].map((id) => [id, -100]));
}
