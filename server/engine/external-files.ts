/** Which files beside an ONNX graph hold its weights: initializers and the constants of nodes, in subgraphs too. */
import { readFields } from './onnx/graph/protobuf-reader.ts';

/** Numbers of fields in onnx.proto. */
const model = { graph: 7 };
const graph = { node: 1, initializer: 5 };
const node = { attribute: 5 };
const attribute = { tensor: 5, graph: 6, tensors: 10, graphs: 11 };
const tensor = { external: 13 };
const entry = { key: 1, value: 2 };

/** Names as the graph writes them, relative to its folder. @throws RangeError when the model file is cut off */
export function externalFiles(bytes: Uint8Array): string[] {
  const files = new Set<string>();
  for (const found of contents(bytes, [model.graph])) readGraph(found, files);
  return [...files].sort();
}

function readGraph(bytes: Uint8Array, files: Set<string>): void {
  for (const found of contents(bytes, [graph.initializer])) readTensor(found, files);
  for (const one of contents(bytes, [graph.node])) {
    for (const held of contents(one, [node.attribute])) {
      for (const found of contents(held, [attribute.tensor, attribute.tensors])) readTensor(found, files);
      for (const found of contents(held, [attribute.graph, attribute.graphs])) readGraph(found, files);
    }
  }
}

function readTensor(bytes: Uint8Array, files: Set<string>): void {
  for (const held of contents(bytes, [tensor.external])) {
    const [key] = contents(held, [entry.key]);
    const [value] = contents(held, [entry.value]);
    if (key && value && text(key) === 'location') files.add(text(value));
  }
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

function* contents(bytes: Uint8Array, numbers: readonly number[]): Generator<Uint8Array> {
  for (const field of readFields(bytes))
    if (field.wireType === 2 && numbers.includes(field.number)) yield field.content;
}
