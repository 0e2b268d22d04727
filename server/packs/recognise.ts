/** What lies at a path that a person wants to import. */
import { readdir, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { bundleSuffix } from './bundle.ts';
import { isEncoderFolder } from './import-encoder.ts';

/**
 * `pack`: a folder with manifest.json; `bundle`: one in a file; `decoder`: a chat model whose weights are converted, or
 * whose ONNX graph is taken as it is; `encoder`: an ONNX encoder with its tokenizer.
 */
export type SourceKind = 'pack' | 'bundle' | 'decoder' | 'encoder';

/** @throws Error saying what is missing */
export async function recognise(source: string): Promise<SourceKind> {
  const info = await stat(source).catch(() => null);
  if (!info) throw new Error('there is nothing at this path');
  if (info.isFile()) {
    if (extname(source).toLowerCase() === '.gguf') return 'decoder';
    if (extname(source) === bundleSuffix) return 'bundle';
    throw new Error(`it is a file, and only ${bundleSuffix} and .gguf files are read`);
  }
  const names = await readdir(source);
  if (names.includes('manifest.json')) return 'pack';
  if (isDecoderFolder(names)) return 'decoder';
  if (await isEncoderFolder(source)) return 'encoder';
  throw new Error(
    `it is no pack: a folder with manifest.json, a ${bundleSuffix} or .gguf file, a Hugging Face folder with safetensors, or one with ONNX and tokenizer.json`,
  );
}

/** config.json and safetensors: a chat model. Encoders bring their graph as ONNX. */
const isDecoderFolder = (names: string[]): boolean =>
  names.includes('config.json') && names.some((name) => name.endsWith('.safetensors'));
