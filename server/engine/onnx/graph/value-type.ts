/** The element type that a graph states of one of its inputs or outputs (ValueInfoProto). */
import { elementTypeFacts } from '../element-types.ts';
import type { ElementType } from '../types.ts';
import { ProtobufWriter } from './protobuf.ts';
import { readFields, rewritten } from './protobuf-reader.ts';

/** Numbers of fields in onnx.proto. */
const value = { type: 2 };
const type = { tensor: 1 };
const tensor = { element: 1 };

/** A value of the same name and dimensions, with elements of another type. */
export const withElementType = (content: Uint8Array, element: ElementType): Uint8Array =>
  rewritten(content, {
    [value.type]: (valueType) =>
      rewritten(valueType, {
        [type.tensor]: (described) => {
          const writer = new ProtobufWriter().integer(tensor.element, elementTypeFacts(element).code);
          for (const field of readFields(described))
            if (field.number !== tensor.element) writer.raw(field.whole);
          return writer.finish();
        },
      }),
  });
