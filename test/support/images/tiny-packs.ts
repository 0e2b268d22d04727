/** Vision packs of tiny generated graphs, in the layout of each family, whose answers a test can compute by itself. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createGraph, type Graph } from '../../../server/engine/onnx/graph/graph.ts';

export interface TinyPack {
  folder: string;
  manifest: Record<string, unknown>;
  remove(): Promise<void>;
}

export async function writePack(
  part: Record<string, unknown>,
  files: Record<string, Uint8Array | object>,
): Promise<TinyPack> {
  const folder = await mkdtemp(join(tmpdir(), 'lokal-vision-'));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content instanceof Uint8Array ? content : JSON.stringify(content));
  }
  return {
    folder,
    manifest: { vision: { parts: [part] } },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

const constant = (graph: Graph, name: string, dims: number[], values: readonly number[]): string =>
  graph.initializer(name, 'float32', dims, Float32Array.from(values));
const integers = (graph: Graph, name: string, values: readonly number[]): string =>
  graph.initializer(name, 'int64', [values.length], BigInt64Array.from(values, BigInt));

/** Mean of each channel, `[n, 3]`: what the graphs make their answers of, so that preparation shows in them. */
function channelMeans(graph: Graph, pixels: string): string {
  const axes = integers(graph, 'spatial', [2, 3]);
  return graph.node('ReduceMean', [pixels, axes], ['means'], { attributes: { keepdims: 0 } });
}

/** `value` + 0 × input, so that constants have the batch's rows. */
function perPicture(
  graph: Graph,
  means: string,
  name: string,
  dims: number[],
  values: readonly number[],
): string {
  const first = graph.node('Gather', [means, integers(graph, `${name}/zero`, [0])], [`${name}/first`], {
    attributes: { axis: 1 },
  });
  const shape = integers(graph, `${name}/shape`, [-1, ...dims.map(() => 1)]);
  const column = graph.node('Reshape', [first, shape], [`${name}/column`]);
  const nothing = graph.node('Mul', [column, constant(graph, `${name}/none`, [], [0])], [`${name}/nothing`]);
  return graph.node('Add', [nothing, constant(graph, `${name}/values`, [1, ...dims], values)], [name]);
}

/** Answers the same queries for every picture; the first logit of the first query is the mean of red. */
export function detrGraph(queries: { logits: number[]; box: number[] }[], side: number): Uint8Array {
  const graph = createGraph('detr', { '': 18 });
  graph.input('pixel_values', 'float32', ['n', 3, side, side]);
  const means = channelMeans(graph, 'pixel_values');
  const classes = queries[0]!.logits.length;
  const logits = perPicture(
    graph,
    means,
    'plain_logits',
    [queries.length, classes],
    queries.flatMap((query) => query.logits),
  );
  const chosen = constant(
    graph,
    'chosen',
    [1, queries.length, classes],
    Array.from({ length: queries.length * classes }, (_, index) => (index === 0 ? 1 : 0)),
  );
  const red = graph.node(
    'Reshape',
    [
      graph.node('Gather', [means, integers(graph, 'red_index', [0])], ['red_column'], {
        attributes: { axis: 1 },
      }),
      integers(graph, 'red_shape', [-1, 1, 1]),
    ],
    ['red'],
  );
  graph.node('Add', [logits, graph.node('Mul', [red, chosen], ['red_logit'])], ['logits']);
  perPicture(
    graph,
    means,
    'pred_boxes',
    [queries.length, 4],
    queries.flatMap(({ box }) => box),
  );
  graph.output('logits', 'float32', ['n', queries.length, classes]);
  graph.output('pred_boxes', 'float32', ['n', queries.length, 4]);
  return graph.toModel();
}

export function yoloGraph(output: number[], dims: [number, number], side: number): Uint8Array {
  const graph = createGraph('yolo', { '': 18 });
  graph.input('images', 'float32', [1, 3, side, side]);
  perPicture(graph, channelMeans(graph, 'images'), 'output0', dims, output);
  graph.output('output0', 'float32', [1, ...dims]);
  return graph.toModel();
}

/** `logits_per_image` = mean of red × (first token of the label / 10). */
export function zeroShotGraph(side: number): Uint8Array {
  const graph = createGraph('zero-shot', { '': 18 });
  graph.input('input_ids', 'int64', ['labels', 'tokens']);
  graph.input('pixel_values', 'float32', ['n', 3, side, side]);
  const means = channelMeans(graph, 'pixel_values');
  const red = graph.node('Gather', [means, integers(graph, 'zero', [0])], ['red'], {
    attributes: { axis: 1 },
  });
  const first = graph.node('Gather', ['input_ids', integers(graph, 'first', [0])], ['tokens'], {
    attributes: { axis: 1 },
  });
  const row = graph.node(
    'Reshape',
    [graph.node('Cast', [first], ['numbers'], { attributes: { to: 1 } }), integers(graph, 'row', [1, -1])],
    ['row_of_labels'],
  );
  const tenth = graph.node('Mul', [row, constant(graph, 'tenth', [], [0.1])], ['weights']);
  graph.node('Mul', [red, tenth], ['logits_per_image']);
  graph.output('logits_per_image', 'float32', ['n', 'labels']);
  return graph.toModel();
}

/** `[1, places, width]` out of the picture: rows of channel means, repeated to the width of the words. */
export function visionEncoderGraph(side: number, width: number): Uint8Array {
  const graph = createGraph('vision', { '': 18 });
  graph.input('pixel_values', 'float32', ['n', 3, side, side]);
  const means = channelMeans(graph, 'pixel_values');
  const places = graph.node('Reshape', [means, integers(graph, 'places', [-1, 3, 1])], ['column']);
  graph.node('Expand', [places, integers(graph, 'wide', [1, 3, width])], ['image_features']);
  graph.output('image_features', 'float32', ['n', 3, width]);
  return graph.toModel();
}

/** One-hot rows. */
export function embeddingGraph(vocabulary: number): Uint8Array {
  const graph = createGraph('embed', { '': 18 });
  graph.input('input_ids', 'int64', ['n', 'tokens']);
  const identity = Array.from({ length: vocabulary ** 2 }, (_, at) => (at % (vocabulary + 1) === 0 ? 1 : 0));
  graph.node(
    'Gather',
    [constant(graph, 'table', [vocabulary, vocabulary], identity), 'input_ids'],
    ['inputs_embeds'],
  );
  graph.output('inputs_embeds', 'float32', ['n', 'tokens', vocabulary]);
  return graph.toModel();
}

export function textEncoderGraph(width: number): Uint8Array {
  const graph = createGraph('encoder', { '': 18 });
  graph.input('inputs_embeds', 'float32', ['n', 'places', width]);
  graph.input('attention_mask', 'int64', ['n', 'places']);
  graph.node('Identity', ['inputs_embeds'], ['last_hidden_state']);
  graph.output('last_hidden_state', 'float32', ['n', 'places', width]);
  return graph.toModel();
}

/**
 * A decoder that keeps every token it saw in its cache, `[1, 1, places, vocabulary]`, and whose next token depends on all
 * of them: logits = (sum over places of place number × token) × transitions.
 */
export function decoderGraph(
  vocabulary: number,
  transitions: readonly number[],
  cached: boolean,
): Uint8Array {
  const graph = createGraph('decoder', { '': 18 });
  graph.input('inputs_embeds', 'float32', ['n', 'tokens', vocabulary]);
  graph.input('encoder_hidden_states', 'float32', ['n', 'places', vocabulary]);
  const axis = integers(graph, 'axis', [1]);
  const words = graph.node('Unsqueeze', ['inputs_embeds', axis], ['words']);
  let all = words;
  if (cached) {
    graph.input('past_key_values.0.decoder.key', 'float32', ['n', 1, 'past', vocabulary]);
    all = graph.node('Concat', ['past_key_values.0.decoder.key', words], ['present.0.decoder.key'], {
      attributes: { axis: 2 },
    });
    graph.output('present.0.decoder.key', 'float32', ['n', 1, 'all', vocabulary]);
    graph.input('use_cache_branch', 'bool', [1]);
  }
  const summed = graph.node(
    'CumSum',
    [all, graph.initializer('places_axis', 'int64', [], BigInt64Array.of(2n))],
    ['summed'],
  );
  const mixed = graph.node('ReduceSum', [summed, integers(graph, 'over', [2])], ['mixed'], {
    attributes: { keepdims: 0 },
  });
  graph.node(
    'MatMul',
    [mixed, constant(graph, 'transitions', [vocabulary, vocabulary], transitions)],
    ['logits'],
  );
  graph.output('logits', 'float32', ['n', 1, vocabulary]);
  return graph.toModel();
}

/** A tokenizer whose tokens are whole words. */
export const wordTokenizer = (words: readonly string[]): object => ({
  version: '1.0',
  added_tokens: [],
  normalizer: null,
  pre_tokenizer: { type: 'WhitespaceSplit' },
  post_processor: null,
  decoder: null,
  model: {
    type: 'WordLevel',
    vocab: Object.fromEntries(words.map((word, index) => [word, index])),
    unk_token: words[0],
  },
});
