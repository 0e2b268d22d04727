/** Walks the fields of a protobuf message, one level deep; enough to rewrite a model that onnxruntime saved. */
import { ProtobufWriter } from './protobuf.ts';

export interface Field {
  number: number;
  /** 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes. */
  wireType: number;
  /** The whole field, key included: what is copied when nothing changes. */
  whole: Uint8Array;
  /** The payload of a length-delimited field; empty for the others. */
  content: Uint8Array;
  /** The number of a varint; 0 for the others. */
  value: number;
}

/** @throws RangeError when the message is cut off */
export function* readFields(message: Uint8Array): Generator<Field> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = message[at];
      if (byte === undefined) throw new RangeError('the model file is cut off');
      at += 1;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const start = at;
    const key = varint();
    const wireType = key & 7;
    let content = message.subarray(0, 0);
    let value = 0;
    if (wireType === 0) value = varint();
    else if (wireType === 2) {
      const length = varint();
      content = message.subarray(at, at + length);
      at += length;
    } else at += wireType === 1 ? 8 : 4;
    if (at > message.length) throw new RangeError('the model file is cut off');
    yield { number: key >>> 3, wireType, whole: message.subarray(start, at), content, value };
  }
}

/** A text field's content. */
export const textOf = ({ content }: Pick<Field, 'content'>): string => Buffer.from(content).toString('utf8');

/** The first text field of this number; '' where there is none. */
export function textAt(message: Uint8Array, number: number): string {
  for (const field of readFields(message))
    if (field.number === number && field.wireType === 2) return textOf(field);
  return '';
}

/** The message with some of its length-delimited fields changed. */
export function rewritten(
  message: Uint8Array,
  changes: Record<number, (content: Uint8Array) => Uint8Array>,
): Uint8Array {
  const writer = new ProtobufWriter();
  for (const field of readFields(message)) {
    const change = field.wireType === 2 ? changes[field.number] : undefined;
    if (change) writer.bytes(field.number, change(field.content));
    else writer.raw(field.whole);
  }
  return writer.finish();
}
