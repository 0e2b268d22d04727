/** Nodes and float weights of a model file, as far as rewriting its graph asks for them. */

import { type Field, readFields, textAt, textOf } from './protobuf-reader.ts';

export interface GraphNode {
  operator: string;
  inputs: readonly string[];
  outputs: readonly string[];
  /** AttributeProto of each, by name. */
  attributes: ReadonlyMap<string, Uint8Array>;
  /** NodeProto as it was read. */
  message: Uint8Array;
}

export interface FloatWeight {
  dims: readonly number[];
  values: Float32Array;
}

const floatCode = 1;

/** Numbers of a repeated integer field, packed or one by one. */
function integersOf(message: Uint8Array, number: number): number[] {
  return [...readFields(message)].flatMap((field) => {
    if (field.number !== number) return [];
    if (field.wireType === 0) return [field.value];
    const values: number[] = [];
    for (let at = 0; at < field.content.length; ) {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const byte = field.content[at++]!;
        value += (byte & 127) * scale;
        if (byte < 128) break;
      }
      values.push(value);
    }
    return values;
  });
}

const lastFloat = ({ whole }: Field): number =>
  new DataView(whole.buffer, whole.byteOffset + whole.length - 4).getFloat32(0, true);

/** A float attribute of a node. */
export function floatAttribute(node: GraphNode, name: string): number | null {
  const message = node.attributes.get(name);
  const field = message && [...readFields(message)].find(({ number }) => number === 2);
  return field ? lastFloat(field) : null;
}

/** A list of integers of a node; empty where it has none. */
export const integersAttribute = (node: GraphNode, name: string): number[] => {
  const message = node.attributes.get(name);
  return message ? integersOf(message, 8) : [];
};

/** A tensor of floats that lies inside the file; others are null. */
function weightOf(tensor: Uint8Array): FloatWeight | null {
  const fields = [...readFields(tensor)];
  if (fields.find(({ number }) => number === 2)?.value !== floatCode) return null;
  const bytes = fields.find(({ number, wireType }) => (number === 9 || number === 4) && wireType === 2);
  const dims = integersOf(tensor, 1);
  const count = dims.reduce((product, dim) => product * dim, 1);
  if (!bytes || bytes.content.length !== 4 * count) return null;
  return { dims, values: new Float32Array(Uint8Array.from(bytes.content).buffer) };
}

export function readNode(message: Uint8Array): GraphNode {
  const [inputs, outputs]: [string[], string[]] = [[], []];
  const attributes = new Map<string, Uint8Array>();
  let operator = '';
  for (const field of readFields(message))
    if (field.number === 1) inputs.push(textOf(field));
    else if (field.number === 2) outputs.push(textOf(field));
    else if (field.number === 4) operator = textOf(field);
    else if (field.number === 5) attributes.set(textAt(field.content, 1), field.content);
  return { operator, inputs, outputs, attributes, message };
}

/** The float weight of a Constant node; null for any other. */
export function constantOf(node: GraphNode): FloatWeight | null {
  const attribute = node.operator === 'Constant' ? node.attributes.get('value') : undefined;
  const tensor = attribute && [...readFields(attribute)].find(({ number }) => number === 5);
  return tensor ? weightOf(tensor.content) : null;
}

/** Name and float weight of an initializer (TensorProto); null where it holds something else. */
export const initializerOf = (tensor: Uint8Array): [string, FloatWeight] | null => {
  const weight = weightOf(tensor);
  return weight && [textAt(tensor, 8), weight];
};
