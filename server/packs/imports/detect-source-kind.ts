/** The kind of files at a path that a person wants to import. */
import { open, readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { bundleSuffix } from '../bundle.ts';
import { readSmallFile } from '../small-file.ts';
import { isEncoderFolder } from './import-encoder.ts';
import { isRecogniserFolder } from './import-recognizer.ts';
import { isVisionFolder } from './import-vision.ts';

/**
 * `pack`: a folder with manifest.json; `bundle`: one in a file; `decoder`: a chat model whose weights are converted, or
 * whose ONNX graph is taken as it is; `encoder`: an ONNX encoder with its tokenizer; `vision`: an ONNX vision
 * model; `recognizer`: PaddleOCR's text detector, recognizer or both.
 */
export type SourceKind = 'pack' | 'bundle' | 'decoder' | 'encoder' | 'vision' | 'recognizer';

/** @throws Error saying what is missing */
export async function detectSourceKind(source: string): Promise<SourceKind> {
  const info = await stat(source).catch(() => null);
  if (!info) throw new Error('there is nothing at this path');
  if (info.isFile()) {
    if (extname(source).toLowerCase() === '.gguf') return 'decoder';
    if (extname(source) === bundleSuffix) return 'bundle';
    // Ollama keeps them under their digest.
    if (await beginsAsGguf(source)) return 'decoder';
    throw new Error(`it is a file, and only ${bundleSuffix} and .gguf files are read`);
  }
  const names = await readdir(source);
  if (names.includes('manifest.json')) return 'pack';
  refusePickle(names);
  if (await isVisionFolder(source)) return 'vision';
  if (await isRecogniserFolder(source)) return 'recognizer';
  if (await isDecoderFolder(source, names)) return 'decoder';
  if (await seesAndTalks(source))
    throw new Error(
      'it is a chat model that sees, which is not served yet; pictures in chats are described by the images model',
    );
  if (await isEncoderFolder(source)) return 'encoder';
  throw new Error(
    `it is no pack: a folder with manifest.json, a ${bundleSuffix} or .gguf file, a Hugging Face folder with safetensors, or one with ONNX and tokenizer.json`,
  );
}

/** Reading a pickle runs what its maker put into it. */
function refusePickle(names: readonly string[]): void {
  const isPickle = (name: string) => /^pytorch_model.*\.bin$|\.(pt|pth|ckpt)$/.test(name);
  const isRead = (name: string) => /\.(safetensors|onnx|gguf)$|^(onnx|genai_config\.json)$/.test(name);
  if (names.some(isPickle) && !names.some(isRead))
    throw new Error('its weights are a pickle (.bin), which is not read; safetensors, GGUF and ONNX are');
}

async function beginsAsGguf(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && buffer.toString('latin1') === 'GGUF';
  } finally {
    await file.close();
  }
}

/**
 * A chat model: config.json with safetensors, or with ONNX where it says that it generates text, or a folder of
 * onnxruntime-genai. Other ONNX folders are encoders.
 */
async function isDecoderFolder(folder: string, names: string[]): Promise<boolean> {
  if (await holds(folder, 'genai_config.json', deepest)) return true;
  if (!names.includes('config.json')) return false;
  if (names.some((name) => name.endsWith('.safetensors'))) return true;
  const { architectures } = (await readConfig(folder)) ?? {};
  return [architectures].flat().some((name) => /ForCausalLM$|LMHeadModel$/.test(String(name)));
}

/** LLaVA, SmolVLM and their like: a tower for pictures, tables of tokens and a decoder, each a graph of its own. */
async function seesAndTalks(folder: string): Promise<boolean> {
  const config = await readConfig(folder);
  return config?.vision_config !== undefined && (await holds(folder, 'vision_encoder.onnx', 1));
}

const deepest = 5;
const mostFolders = 200;

/** True if the file lies in the folder or below. */
async function holds(root: string, name: string, depth: number): Promise<boolean> {
  let level = [root];
  for (let at = 0; at <= depth && level.length > 0 && level.length <= mostFolders; at += 1) {
    const next: string[] = [];
    for (const folder of level) {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      if (entries.some((entry) => entry.name === name && !entry.isDirectory())) return true;
      for (const entry of entries)
        if (entry.isDirectory() && !entry.name.startsWith('.')) next.push(join(folder, entry.name));
    }
    level = next;
  }
  return false;
}

async function readConfig(folder: string): Promise<Record<string, unknown> | null> {
  try {
    return JSON.parse(readSmallFile(join(folder, 'config.json')).toString('utf8')) as Record<string, unknown>;
  } catch {
    return null; // the importer says what is wrong with it
  }
}
