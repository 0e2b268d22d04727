/** Opens what a person has, a Hugging Face folder or a GGUF file, as one kind of thing. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelShape, WeightSource } from './graph/model-shape.ts';
import { GgufFile } from './sources/gguf-file.ts';
import { ggufWeights, shapeFromGguf } from './sources/gguf-source.ts';
import { tokenizerFromGguf } from './sources/gguf-tokenizer.ts';
import { shapeFromConfig } from './sources/hf-config.ts';
import { openSafetensors } from './sources/safetensors-source.ts';

type Json = Record<string, unknown>;

export interface ModelFiles {
  format: 'safetensors' | 'gguf';
  name: string | null;
  shape: ModelShape;
  weights: WeightSource;
  /** Contents of the tokenizer's files, by name. */
  tokenizer: Record<string, string>;
  bos: number | null;
  /** Tokens that end an answer. */
  eos: number[];
}

/** @throws Error naming what is missing or wrong */
export async function openModelFiles(source: string): Promise<ModelFiles> {
  return (await stat(source)).isDirectory() ? openFolder(source) : openGguf(source);
}

async function openGguf(path: string): Promise<ModelFiles> {
  const file = await GgufFile.open(path);
  try {
    const shape = await shapeFromGguf(file);
    const { tokenizer, config, bos, eos } = tokenizerFromGguf(file.metadata);
    const name = file.metadata['general.name'];
    return {
      format: 'gguf',
      name: typeof name === 'string' ? name : null,
      shape,
      weights: ggufWeights(file, shape),
      tokenizer: {
        'tokenizer.json': JSON.stringify(tokenizer),
        'tokenizer_config.json': JSON.stringify(config, null, 2),
      },
      bos,
      eos,
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

const tokenizerFiles = [
  'tokenizer.json',
  'tokenizer_config.json',
  'chat_template.jinja',
  'special_tokens_map.json',
];
/** A vocabulary of 262,144 pieces with its merges is about 35 MB. */
const longestText = 200 * 1024 * 1024;

async function openFolder(folder: string): Promise<ModelFiles> {
  const config = await readJson(folder, 'config.json');
  if (!config) throw new Error('config.json is missing');
  const generation = (await readJson(folder, 'generation_config.json')) ?? {};
  const tokenizer = await readTokenizerFiles(folder);
  const shape = shapeFromConfig(config);
  return {
    format: 'safetensors',
    name:
      typeof config._name_or_path === 'string' && config._name_or_path !== '' ? config._name_or_path : null,
    shape,
    weights: await openSafetensors(folder, shape),
    tokenizer,
    bos: ids(config.bos_token_id)[0] ?? null,
    eos: [...new Set([...ids(generation.eos_token_id), ...ids(config.eos_token_id)])],
  };
}

/** Contents by name. @throws Error where there is no tokenizer.json */
export async function readTokenizerFiles(folder: string): Promise<Record<string, string>> {
  const tokenizer: Record<string, string> = {};
  for (const name of tokenizerFiles) {
    const text = await readText(folder, name);
    if (text !== null) tokenizer[name] = text;
  }
  if (!tokenizer['tokenizer.json']) throw new Error('tokenizer.json is missing');
  return tokenizer;
}

const ids = (value: unknown): number[] => [value].flat().filter((id): id is number => Number.isInteger(id));

async function readText(folder: string, name: string): Promise<string | null> {
  const path = join(folder, name);
  const info = await stat(path).catch(() => null);
  if (!info?.isFile()) return null;
  if (info.size > longestText) throw new Error(`${name} is longer than any tokenizer`);
  return readFile(path, 'utf8');
}

async function readJson(folder: string, name: string): Promise<Json | null> {
  const text = await readText(folder, name);
  if (text === null) return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new Error(`${name} is not valid JSON`);
  }
}
