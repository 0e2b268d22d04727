/** Inputs of an encoder graph: padded rows, or for a bag of embeddings one run of ids with the place where each row begins. */
import type { NodeInfo } from '../../onnx/node-info.ts';
import { Tensor } from '../../onnx/tensor.ts';
import { refusePack } from '../encoder-pack-files.ts';
import type { HiddenStates } from './pooling.ts';

export type Rows = readonly (readonly number[])[];

export interface Layout {
  spans: HiddenStates['spans'];
  length: number;
  height: number;
  padTokenId: number;
  /** Values of token_type_ids by row; zeros where absent. */
  segments?: Rows;
}

type RowValues = (ids: readonly number[], position: number) => number;

/** Values of each graph input at a real position of a row; padding is zeros but for the ids. */
const inputValues: Record<string, RowValues> = {
  input_ids: (ids, position) => ids[position]!,
  attention_mask: () => 1,
  token_type_ids: () => 0,
  position_ids: (_ids, position) => position,
};

const isInteger = (node: NodeInfo) => node.type === 'int64' || node.type === 'int32';
/** Decoders exported with their cache want it also where it is empty. */
const isCache = (node: NodeInfo) =>
  /^past_key_values\./u.test(node.name) && (node.type === 'float32' || node.type === 'float16');
const isBagInput = (node: NodeInfo) => node.name === 'input_ids' || node.name === 'offsets';

/** The graph sums a bag of tokens a text: flat `input_ids` and `offsets`, as EmbeddingBag takes them. */
export const isBag = (inputs: readonly NodeInfo[]) => inputs.some((node) => node.name === 'offsets');

/** @throws EngineError for an input that an encoder does not have */
export function checkInputs(inputs: readonly NodeInfo[]): void {
  const known = (node: NodeInfo) =>
    isCache(node) ||
    (isInteger(node) && (isBag(inputs) ? isBagInput(node) : Object.hasOwn(inputValues, node.name)));
  const strange = inputs.find((node) => !known(node));
  if (strange) throw refusePack(`its graph wants an input ${strange.name} that an encoder does not have.`);
  if (!inputs.some((node) => node.name === 'input_ids')) throw refusePack('its graph has no input_ids.');
}

/** Ids fit 32 bits: the low word of each little-endian int64 is enough, and spares a BigInt a token. */
function integers(node: NodeInfo, dims: readonly number[]) {
  const tensor = Tensor.zeros(node.type === 'int32' ? 'int32' : 'int64', dims);
  return { tensor, words: new Int32Array(tensor.data.buffer), stride: node.type === 'int32' ? 1 : 2 };
}

function bagTensor(node: NodeInfo, rows: Rows): Tensor {
  const ends = rows.map((row) => row.length);
  const values = node.name === 'offsets' ? rows.map((_, row) => sum(ends.slice(0, row))) : rows.flat();
  const { tensor, words, stride } = integers(node, [values.length]);
  for (const [index, value] of values.entries()) words[index * stride] = value;
  return tensor;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function emptyCache(node: NodeInfo, height: number): Tensor {
  const dims = node.dims.map((dim, axis) => (axis === 0 ? height : typeof dim === 'number' ? dim : 0));
  return Tensor.zeros(node.type as 'float32' | 'float16', dims);
}

function rowTensor(node: NodeInfo, rows: Rows, layout: Layout): Tensor {
  const { spans, length, height, padTokenId } = layout;
  const { tensor, words, stride } = integers(node, [height, length]);
  const segments = node.name === 'token_type_ids' ? layout.segments : undefined;
  const value = inputValues[node.name]!;
  if (node.name === 'input_ids' && padTokenId !== 0) {
    for (let cell = 0; cell < height * length; cell++) words[cell * stride] = padTokenId;
  }
  for (let row = 0; row < height; row++) {
    // A graph of fixed height gets the last row again where there are fewer.
    const source = Math.min(row, rows.length - 1);
    const { start, count } = spans[source]!;
    for (let position = 0; position < count; position++) {
      words[(row * length + start + position) * stride] =
        segments?.[source]?.[position] ?? value(rows[source]!, position);
    }
  }
  return tensor;
}

/** One tensor an input, by name. The caller closes them. */
export function inputTensors(
  inputs: readonly NodeInfo[],
  rows: Rows,
  layout: Layout,
): Record<string, Tensor> {
  const tensorOf = (node: NodeInfo) => {
    if (isCache(node)) return emptyCache(node, layout.height);
    return isBag(inputs) ? bagTensor(node, rows) : rowTensor(node, rows, layout);
  };
  return Object.fromEntries(inputs.map((node) => [node.name, tensorOf(node)]));
}
