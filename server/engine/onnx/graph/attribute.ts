import { ProtobufWriter } from './protobuf.ts';

/** An operator's attribute. ONNX tells integers from floats, JavaScript does not: a plain number is an integer. */
export type AttributeValue =
  | number
  | string
  | readonly number[]
  | readonly string[]
  | { float: number }
  | { floats: readonly number[] };

/** AttributeProto.AttributeType. */
const attributeTypes = { float: 1, int: 2, string: 3, floats: 6, ints: 7, strings: 8 } as const;

function integer(name: string, value: number): number {
  if (!Number.isSafeInteger(value))
    throw new TypeError(`attribute ${name} is not an integer; use {float: …}`);
  return value;
}

export function attributeMessage(name: string, value: AttributeValue): ProtobufWriter {
  const message = new ProtobufWriter().text(1, name);
  const ended = (type: keyof typeof attributeTypes) => message.integer(20, attributeTypes[type]);
  if (typeof value === 'number') return message.integer(3, integer(name, value)) && ended('int');
  if (typeof value === 'string') return message.text(4, value) && ended('string');
  if ('float' in value) return message.float(2, value.float) && ended('float');
  if ('floats' in value) {
    for (const item of value.floats) message.float(7, item);
    return ended('floats');
  }
  for (const item of value) {
    if (typeof item === 'number') message.integer(8, integer(name, item));
    else message.text(9, item);
  }
  return ended(typeof value[0] === 'string' ? 'strings' : 'ints');
}
