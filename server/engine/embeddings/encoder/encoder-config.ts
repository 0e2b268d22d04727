import { stat } from 'node:fs/promises';
import { type Json, pathInPack, readJson, refusePack } from '../encoder-pack-files.ts';
import type { EmbeddingTask } from '../types.ts';

export type Pooling = 'mean' | 'cls' | 'last_token' | 'none';

/** Settings of a pack's encoder: the manifest's `encoder` block over what the Hugging Face files say (README.md). */
export interface EncoderConfig {
  /** Absolute path. */
  graph: string;
  tokenizer: string;
  output: string | undefined;
  pooling: Pooling | undefined;
  paddingSide: 'left' | 'right';
  padTokenId: number;
  maxTokens: number;
  prefixes: Partial<Record<EmbeddingTask, string>>;
  /** The tokenizer adds the tokens of its post-processor ([CLS], the end of text). */
  specialTokens: boolean;
  /** Numbers to keep of each vector. */
  dimensions: number;
  batchTokens: number;
  /** Folders of dense layers, in order. */
  denseFolders: string[];
}

interface PackFiles {
  model: Json;
  tokenizerConfig: Json;
  sentence: Json;
  prompts: Record<string, unknown>;
  modules: { path: string; type: string }[];
}

const graphPlaces = ['onnx/model.onnx', 'model.onnx'];
/** Models whose positions start after the padding token's id, so that the table holds that many less. */
const offsetPositions = new Set([
  'roberta',
  'xlm-roberta',
  'xlm-roberta-xl',
  'camembert',
  'mpnet',
  'longformer',
]);
const unlimited = 1_000_000;
const poolings: readonly string[] = ['mean', 'cls', 'last_token', 'none'];

async function readFiles(folder: string): Promise<PackFiles> {
  const read = async <T>(path: string, absent: T): Promise<T> => (await readJson<T>(folder, path)) ?? absent;
  const sentenceTransformers = await read<Json>('config_sentence_transformers.json', {});
  return {
    model: await read<Json>('config.json', {}),
    tokenizerConfig: await read<Json>('tokenizer_config.json', {}),
    sentence: await read<Json>('sentence_bert_config.json', {}),
    prompts: (sentenceTransformers.prompts as Json | undefined) ?? {},
    modules: await read<PackFiles['modules']>('modules.json', []),
  };
}

const positive = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < unlimited;

function positionLimit(model: Json): unknown {
  const positions = model.max_position_embeddings;
  if (!positive(positions) || !offsetPositions.has(String(model.model_type))) return positions;
  return positions - 1 - Number(model.pad_token_id ?? 1);
}

function tokenLimit({ model, tokenizerConfig, sentence }: PackFiles): number {
  const limits = [positionLimit(model), tokenizerConfig.model_max_length, sentence.max_seq_length];
  return Math.min(8192, ...limits.filter(positive));
}

/** The pooling of sentence-transformers' `1_Pooling/config.json`, old flags or new name. */
function poolingOf(config: Json): Pooling {
  const names: Record<string, Pooling> = {
    mean: 'mean',
    cls: 'cls',
    lasttoken: 'last_token',
    pooling_mode_mean_tokens: 'mean',
    pooling_mode_cls_token: 'cls',
    pooling_mode_lasttoken: 'last_token',
  };
  const chosen =
    typeof config.pooling_mode === 'string'
      ? [config.pooling_mode]
      : Object.keys(config).filter((key) => key.startsWith('pooling_mode_') && config[key] === true);
  const pooling = chosen.length === 1 ? names[chosen[0]!] : undefined;
  if (!pooling) throw refusePack(`its pooling (${chosen.join(' + ') || 'none named'}) is not supported.`);
  return pooling;
}

async function findGraph(folder: string, named: unknown): Promise<string> {
  const places = typeof named === 'string' ? [named] : graphPlaces;
  for (const place of places) {
    const path = pathInPack(folder, place);
    if ((await stat(path).catch(() => undefined))?.isFile()) return path;
  }
  throw refusePack(`it has no ${places.join(' or ')}.`);
}

async function findPooling(
  folder: string,
  block: Json,
  modules: PackFiles['modules'],
): Promise<Pooling | undefined> {
  if (block.pooling !== undefined) {
    if (!poolings.includes(String(block.pooling)))
      throw refusePack('encoder.pooling is not one of mean, cls, last_token, none.');
    return block.pooling as Pooling;
  }
  const place = modules.find((module) => module.type.endsWith('.Pooling'))?.path ?? '1_Pooling';
  const config = await readJson(folder, `${place}/config.json`);
  return config && poolingOf(config);
}

function numberOr(value: unknown, otherwise: number): number {
  if (value === undefined || value === null) return otherwise;
  if (!Number.isInteger(value) || (value as number) < 0)
    throw refusePack('a number of its encoder block is not whole.');
  return value as number;
}

function prefixesOf(block: Json, prompts: Record<string, unknown>): EncoderConfig['prefixes'] {
  const named = (block.prefixes as Json | undefined) ?? {
    query: prompts.query,
    document: prompts.document ?? prompts.passage,
  };
  const { query, document } = named;
  // Few packs know a third form: without one, a text of no task is a document.
  const entries = Object.entries({ query, document, similarity: named.similarity ?? document });
  return Object.fromEntries(entries.filter(([, prefix]) => typeof prefix === 'string' && prefix !== ''));
}

/** A table of vectors by token is trained without the marks of beginning and end. */
const isStatic = (modules: PackFiles['modules']) =>
  modules.some((module) => module.type.endsWith('.StaticEmbedding'));

/** Reads and checks everything but the graph itself. @throws EngineError that says what the pack lacks */
export async function readEncoderConfig(folder: string, manifest: Json): Promise<EncoderConfig> {
  const block = (manifest.encoder as Json | undefined) ?? {};
  const files = await readFiles(folder);
  const side = block.padding_side ?? files.tokenizerConfig.padding_side;
  return {
    graph: await findGraph(folder, block.graph),
    tokenizer: String(block.tokenizer ?? 'tokenizer.json'),
    output: block.output === undefined ? undefined : String(block.output),
    pooling: await findPooling(folder, block, files.modules),
    paddingSide: side === 'left' ? 'left' : 'right',
    padTokenId: numberOr(block.pad_token_id ?? files.model.pad_token_id, 0),
    maxTokens: numberOr(block.max_tokens, tokenLimit(files)),
    prefixes: prefixesOf(block, files.prompts),
    specialTokens: (block.special_tokens ?? !isStatic(files.modules)) !== false,
    dimensions: numberOr(block.dimensions, 1024),
    batchTokens: numberOr(block.batch_tokens, 1024),
    denseFolders: files.modules
      .filter((module) => module.type.endsWith('.Dense'))
      .map((module) => module.path),
  };
}
