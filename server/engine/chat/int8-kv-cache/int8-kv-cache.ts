/**
 * A decoder graph of ours (decoder.ts) with keys and values in 8 bits: a scale for each number of a head, given as an input
 * so that the engine can set it after it has seen some text (small-cache-scales.ts).
 *
 * Added inputs   kv_scales.N.key|value float32 [kvHeads · headDim]
 * Added outputs  what the attention of each layer reads, float32: queries, keys and values packed, or keys and values
 */
import { attributeMessage } from '../../onnx/graph/attribute.ts';
import { ProtobufWriter } from '../../onnx/graph/protobuf.ts';
import { type Field, readFields, rewritten, textAt, textOf } from '../../onnx/graph/protobuf-reader.ts';
import { withElementType } from '../../onnx/graph/value-type.ts';

/** Numbers of fields in onnx.proto. */
const model = { graph: 7 };
const graph = { node: 1, initializer: 5, input: 11, output: 12 };
const node = { input: 1, operator: 4, attribute: 5 };
const tensor = { dims: 1, name: 8 };
const value = { name: 1, type: 2 };
const type = { tensor: 1 };
const tensorType = { element: 1 };

const float32 = 1;
/** Inputs of GroupQueryAttention. */
const attention = { key: 1, value: 2, pastKey: 3, cosines: 7, keyScale: 12, valueScale: 13 };
const attributes = { k_quant_type: 'PER_CHANNEL', v_quant_type: 'PER_CHANNEL', kv_cache_bit_width: 8 };

/** The inputs of one layer's attention, and the numbers of its keys that are turned. */
export interface CacheTap {
  /** N of `past_key_values.N.key`. */
  layer: string;
  /** One output of queries, keys and values side by side, or two: keys, values. */
  outputs: string[];
  /** Numbers of a head that positions turn: the first and the second half of them in pairs. */
  rotaryDims: number;
}

export interface Int8KvCacheGraph {
  model: Uint8Array;
  taps: CacheTap[];
}

/** @throws RangeError when the file is cut off */
export function withInt8KvCache(bytes: Uint8Array): Int8KvCacheGraph {
  const whole = [...readFields(bytes)].find(({ number }) => number === model.graph)!.content;
  const rewriting = new Rewriting(whole);
  return { model: rewritten(bytes, { [model.graph]: () => rewriting.graph() }), taps: rewriting.taps };
}

class Rewriting {
  readonly taps: CacheTap[] = [];
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  graph(): Uint8Array {
    const changed = rewritten(this.#bytes, {
      [graph.node]: (content) => this.#node(content),
      [graph.input]: toInt8,
      [graph.output]: toInt8,
    });
    const writer = new ProtobufWriter().raw(changed);
    for (const { layer, outputs } of this.taps) {
      for (const part of ['key', 'value'])
        writer.message(graph.input, floatValue(`kv_scales.${layer}.${part}`));
      for (const output of outputs) writer.message(graph.output, floatValue(output));
    }
    return writer.finish();
  }

  #node(content: Uint8Array): Uint8Array {
    const fields = [...readFields(content)];
    if (!fields.some((field) => field.number === node.operator && isText(field, 'GroupQueryAttention')))
      return content;
    const inputs = fields.filter(({ number }) => number === node.input).map(textOf);
    const layer = inputs[attention.pastKey]!.split('.')[1]!;
    const packed = inputs[attention.key] === '';
    this.taps.push({
      layer,
      outputs: packed ? [inputs[0]!] : [inputs[attention.key]!, inputs[attention.value]!],
      rotaryDims: 2 * this.#widthOf(inputs[attention.cosines]!),
    });
    while (inputs.length < attention.keyScale) inputs.push('');
    inputs[attention.keyScale] = `kv_scales.${layer}.key`;
    inputs[attention.valueScale] = `kv_scales.${layer}.value`;
    const writer = new ProtobufWriter();
    for (const input of inputs) writer.text(node.input, input);
    for (const field of fields) if (isKept(field)) writer.raw(field.whole);
    for (const [name, setting] of Object.entries(attributes))
      writer.message(node.attribute, attributeMessage(name, setting));
    return writer.finish();
  }

  /** The last dimension of a weight. */
  #widthOf(name: string): number {
    const found = [...readFields(this.#bytes)]
      .filter(({ number }) => number === graph.initializer)
      .map(({ content }) => [...readFields(content)])
      .find((fields) => fields.some((field) => field.number === tensor.name && isText(field, name)));
    const dims = (found ?? []).filter(({ number }) => number === tensor.dims).map(({ value: size }) => size);
    return dims.at(-1) ?? 0;
  }
}

const isText = (field: Field, expected: string): boolean => textOf(field) === expected;

/** Of an attention node: all but its inputs, and the attributes that are set anew. */
function isKept({ content, number }: Field): boolean {
  if (number !== node.attribute) return number !== node.input;
  return !(textAt(content, 1) in attributes);
}

/** A cache's input or output; others as they are. */
function toInt8(content: Uint8Array): Uint8Array {
  if (!/^(past_key_values|present)\./.test(textAt(content, value.name))) return content;
  return withElementType(content, 'int8');
}

/** A float32 value of any shape. */
const floatValue = (name: string): ProtobufWriter =>
  new ProtobufWriter()
    .text(value.name, name)
    .message(
      value.type,
      new ProtobufWriter().message(type.tensor, new ProtobufWriter().integer(tensorType.element, float32)),
    );
