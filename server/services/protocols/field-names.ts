/** Errors of the chat service in the words of the protocol that was asked: its callers know their own fields alone. */
import type { AskedMessage, ImagePart } from '../../api/services/chat.ts';
import { EngineError } from '../../engine/engine.ts';
import { ApiError, isErrorCode } from '../../errors.ts';

export interface FieldNames {
  /** Of each chat message, the field it was made from. */
  messages: readonly string[];
  /** Of each picture's field in the chat request, the protocol's. */
  pictures?: ReadonlyMap<string, string>;
  /** The chat request's names and the protocol's, the first that fits; a pattern stands for the beginning of a name. */
  fields: readonly (readonly [RegExp, string])[];
}

/** @param fields of each picture, the field that it was made from */
export function pictureNames(
  messages: readonly AskedMessage[],
  fields: ReadonlyMap<ImagePart, string>,
): Map<string, string> {
  const names = new Map<string, string>();
  for (const [index, { content }] of messages.entries()) {
    if (!Array.isArray(content)) continue;
    for (const [part, each] of content.entries()) {
      const field = each.type === 'image_url' && fields.get(each);
      if (field) names.set(`messages[${index}].content[${part}].image_url.url`, field);
    }
  }
  return names;
}

/** The field that a chat request's field was made from. */
export function fieldOf(param: string, { messages, pictures, fields }: FieldNames): string {
  const picture = pictures?.get(param);
  if (picture !== undefined) return picture;
  const message = /^messages\[(\d+)\](?:\.content|\.tool_calls|\.tool_call_id)?/.exec(param);
  const origin = message && messages[Number(message[1])];
  if (origin) return origin;
  for (const [pattern, name] of fields) if (pattern.test(param)) return param.replace(pattern, name);
  return param;
}

/** The same error under the protocol's names; anything else is returned as it is. */
function inWordsOf(names: FieldNames, error: unknown): unknown {
  if (!(error instanceof ApiError || error instanceof EngineError)) return error;
  const { code, message, param: asked } = error;
  if (!asked || !isErrorCode(code)) return error;
  const param = fieldOf(asked, names);
  return param === asked ? error : new ApiError(code, message.replace(asked, param), { param });
}

export async function* withFieldNames<Part>(
  names: FieldNames,
  parts: AsyncIterable<Part>,
): AsyncGenerator<Part> {
  try {
    yield* parts;
  } catch (error) {
    throw inWordsOf(names, error);
  }
}

/** @throws ApiError under the protocol's names */
export function callWithFieldNames<T>(names: FieldNames, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw inWordsOf(names, error);
  }
}

export async function inFieldNames<T>(names: FieldNames, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw inWordsOf(names, error);
  });
}
