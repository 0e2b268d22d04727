/**
 * A chat model that comes as an ONNX graph: the folder of onnxruntime-genai (genai_config.json, at any depth) or that of
 * transformers.js and optimum (config.json, graphs beside it or in onnx/).
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type DecoderIo, usualCaches } from '../../chat/decoder-io.ts';
import { readFields } from '../../onnx/graph/protobuf-reader.ts';

type Json = Record<string, unknown>;

export interface OnnxDecoder {
  format: 'onnxruntime-genai' | 'onnx';
  architecture: string;
  /** Absolute path of the graph. */
  graph: string;
  /** Folder of the tokenizer's files. */
  folder: string;
  /** Files with weights beside the graph, which keep their names. */
  dataFiles: string[];
  sizeBytes: number;
  context: number;
  bos: number | null;
  eos: number[];
  layout: DecoderIo;
}

const deepest = 5;
const mostFolders = 2_000;

/** Null where there is no such folder in it. @throws Error naming what is wrong with one */
export async function findOnnxDecoder(source: string): Promise<OnnxDecoder | null> {
  if ((await stat(source)).isFile()) return null;
  const genai = await findFile(source, 'genai_config.json');
  if (genai) return readGenai(genai);
  const config = await readJson(join(source, 'config.json'));
  const graphs = await listGraphs(source);
  return config && graphs.length > 0 ? readHuggingFace(source, config, graphs) : null;
}

/** Breadth first, so that the nearest is taken. */
async function findFile(root: string, name: string): Promise<string | null> {
  let level = [root];
  let seen = 0;
  for (let depth = 0; depth <= deepest && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      const entries = await readdir(folder, { withFileTypes: true });
      if (entries.some((entry) => entry.name === name && !entry.isDirectory())) return join(folder, name);
      for (const entry of entries) if (entry.isDirectory()) next.push(join(folder, entry.name));
    }
    seen += next.length;
    if (seen > mostFolders) return null;
    level = next;
  }
  return null;
}

/** https://onnxruntime.ai/docs/genai/reference/config.html */
async function readGenai(path: string): Promise<OnnxDecoder> {
  const folder = dirname(path);
  const config = (await readJson(path)) ?? {};
  const model = object(config.model, 'model');
  const decoder = object(model.decoder, 'model.decoder');
  const inputs = (decoder.inputs ?? {}) as Json;
  const outputs = (decoder.outputs ?? {}) as Json;
  const graph = join(folder, plainName(decoder.filename, 'model.decoder.filename'));
  const name = (from: Json, key: string, usual: string) =>
    typeof from[key] === 'string' ? from[key] : usual;
  const caches = ['key', 'value'].map((part, index) => ({
    past: name(inputs, `past_${part}_names`, usualCaches[index]!.past),
    present: name(outputs, `present_${part}_names`, usualCaches[index]!.present),
  }));
  return describeDecoder('onnxruntime-genai', {
    graph,
    folder,
    architecture: String(model.type ?? 'decoder'),
    context: count(model.context_length, 'model.context_length'),
    bos: ids(model.bos_token_id)[0] ?? null,
    eos: ids(model.eos_token_id),
    layout: {
      inputs: {
        ids: name(inputs, 'input_ids', 'input_ids'),
        mask: name(inputs, 'attention_mask', 'attention_mask'),
        ...(typeof inputs.position_ids === 'string' && { positions: inputs.position_ids }),
      },
      logits: name(outputs, 'logits', 'logits'),
      caches,
      layers: count(decoder.num_hidden_layers, 'model.decoder.num_hidden_layers'),
      heads: count(decoder.num_key_value_heads, 'model.decoder.num_key_value_heads'),
      headDim: count(decoder.head_size, 'model.decoder.head_size'),
      vocabulary: count(model.vocab_size, 'model.vocab_size'),
    },
  });
}

async function readHuggingFace(folder: string, config: Json, graphs: string[]): Promise<OnnxDecoder> {
  const heads = count(config.num_attention_heads, 'num_attention_heads');
  const generation = (await readJson(join(folder, 'generation_config.json'))) ?? {};
  return describeDecoder('onnx', {
    graph: join(folder, chooseGraph(graphs)),
    folder,
    architecture: String(config.model_type ?? 'decoder'),
    context: count(config.max_position_embeddings, 'max_position_embeddings'),
    bos: ids(config.bos_token_id)[0] ?? null,
    eos: [...new Set([...ids(generation.eos_token_id), ...ids(config.eos_token_id)])],
    layout: {
      inputs: { ids: 'input_ids' },
      logits: 'logits',
      caches: usualCaches,
      layers: count(config.num_hidden_layers, 'num_hidden_layers'),
      heads: count(config.num_key_value_heads ?? heads, 'num_key_value_heads'),
      headDim: count(config.head_dim ?? Number(config.hidden_size) / heads, 'head_dim'),
      vocabulary: count(config.vocab_size, 'vocab_size'),
    },
  });
}

type Described = Omit<OnnxDecoder, 'format' | 'dataFiles' | 'sizeBytes' | 'layout'> & {
  layout: Omit<DecoderIo, 'shared'>;
};

/** Adds what the graph itself tells: which of the optional inputs it has, and how it keeps its past. */
async function describeDecoder(format: OnnxDecoder['format'], described: Described): Promise<OnnxDecoder> {
  const { graph, layout } = described;
  const bytes = await readFile(graph).catch(() => {
    throw new Error(`the graph ${basename(graph)} is missing`);
  });
  const facts = readGraphFacts(bytes);
  const has = (name: string) => (facts.inputs.has(name) ? name : undefined);
  const optional = {
    mask: has(layout.inputs.mask ?? 'attention_mask'),
    positions: has(layout.inputs.positions ?? 'position_ids'),
    useCache: has('use_cache_branch'),
    keptLogits: has('num_logits_to_keep'),
  };
  const inputs = Object.fromEntries(Object.entries(optional).filter(([, name]) => name !== undefined));
  if (!facts.inputs.has(layout.inputs.ids)) throw new Error(`the graph has no input ${layout.inputs.ids}`);
  if (!facts.inputs.has(layout.caches[0]!.past.replace('%d', '0')))
    throw new Error('the graph takes no past keys and values, so it cannot go on from one token to the next');
  const dataFiles = await listData(graph, facts.locations);
  const sizes = await Promise.all(
    dataFiles.map(async (name) => (await stat(join(dirname(graph), name))).size),
  );
  return {
    format,
    ...described,
    dataFiles,
    sizeBytes: sizes.reduce((sum, size) => sum + size, bytes.length),
    layout: { ...layout, inputs: { ids: layout.inputs.ids, ...inputs }, shared: facts.shared },
  };
}

/** The weights' files must lie beside the graph and stay there. */
async function listData(graph: string, locations: Set<string>): Promise<string[]> {
  for (const name of locations) {
    plainName(name, 'external_data');
    if (!(await isFile(join(dirname(graph), name)))) throw new Error(`the weights' file ${name} is missing`);
  }
  return [...locations].sort();
}

interface GraphFacts {
  inputs: Set<string>;
  /** Files with weights. */
  locations: Set<string>;
  shared: boolean;
}

/** Numbers of fields in onnx.proto. */
const fields = {
  model: { graph: 7 },
  graph: { node: 1, initializer: 5, input: 11 },
  node: { input: 1, operator: 4 },
  tensor: { external: 13 },
  entry: { key: 1, value: 2 },
  valueInfo: { name: 1 },
};
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

/** @throws RangeError when the model file is cut off */
function readGraphFacts(model: Uint8Array): GraphFacts {
  const facts: GraphFacts = { inputs: new Set(), locations: new Set(), shared: false };
  const consumers = new Set<string>();
  for (const graph of contents(model, fields.model.graph)) {
    for (const field of readFields(graph)) {
      if (field.wireType !== 2) continue;
      if (field.number === fields.graph.input)
        for (const name of contents(field.content, fields.valueInfo.name)) facts.inputs.add(text(name));
      else if (field.number === fields.graph.initializer) readLocation(field.content, facts.locations);
      else if (field.number === fields.graph.node) {
        const names = [...contents(field.content, fields.node.input)].map(text);
        const [operator] = contents(field.content, fields.node.operator);
        if (names.some((name) => /past/.test(name)) && operator) consumers.add(text(operator));
      }
    }
  }
  facts.shared = consumers.size === 1 && consumers.has('GroupQueryAttention');
  return facts;
}

function readLocation(tensor: Uint8Array, locations: Set<string>): void {
  for (const entry of contents(tensor, fields.tensor.external)) {
    const [key] = contents(entry, fields.entry.key);
    const [value] = contents(entry, fields.entry.value);
    if (key && value && text(key) === 'location') locations.add(text(value));
  }
}

function* contents(message: Uint8Array, number: number): Generator<Uint8Array> {
  for (const field of readFields(message))
    if (field.number === number && field.wireType === 2) yield field.content;
}

/** Best first: four bits, then eight, then the whole; of kinds that the processor computes fast. */
const preference = [/_q4\.onnx$/, /_(quantized|int8|uint8)\.onnx$/, /(model|merged)\.onnx$/];

function chooseGraph(graphs: string[]): string {
  for (const pattern of preference) {
    const found = graphs.find((path) => pattern.test(path));
    if (found) return found;
  }
  return graphs[0]!;
}

/** Graphs in the folder and in `onnx/`; those that only begin a conversation are left out. */
async function listGraphs(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const below of ['', 'onnx/']) {
    const names = await readdir(join(folder, below)).catch((): string[] => []);
    found.push(...names.filter((name) => name.endsWith('.onnx')).map((name) => `${below}${name}`));
  }
  return found
    .filter((path) => !/decoder_model(_[a-z0-9]+)?\.onnx$/.test(path) || /merged/.test(path))
    .sort();
}

async function readJson(path: string): Promise<Json | null> {
  const content = await readFile(path, 'utf8').catch(() => null);
  if (content === null) return null;
  try {
    return JSON.parse(content) as Json;
  } catch {
    throw new Error(`${basename(path)} is not valid JSON`);
  }
}

function object(value: unknown, name: string): Json {
  if (typeof value === 'object' && value !== null) return value as Json;
  throw new Error(`genai_config.json has no ${name}`);
}

function count(value: unknown, name: string): number {
  if (Number.isSafeInteger(value) && (value as number) > 0) return value as number;
  throw new Error(`${name} of its settings is not a whole number above 0`);
}

/** @throws Error for a name that leaves the folder */
function plainName(value: unknown, name: string): string {
  if (
    typeof value === 'string' &&
    value !== '' &&
    basename(value) === value &&
    !/[\\\0:]|^\.\.?$/.test(value)
  )
    return value;
  throw new Error(`${name} is not the name of a file beside it`);
}

const ids = (value: unknown): number[] => [value].flat().filter((id): id is number => Number.isInteger(id));

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (info) => info.isFile(),
    () => false,
  );
