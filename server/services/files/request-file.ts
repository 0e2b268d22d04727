/** Payloads that arrive inside JSON: base64 or a data URL, decoded strictly. */
import { ApiError } from '../../errors.ts';
import type { Caller } from '../caller.ts';
import type { UrlFetcher } from './url-fetch.ts';

const dataUrl = /^data:([a-z]+\/[a-z0-9.+-]+)?(?:;[a-z0-9-]+=[^;,]*)*;base64,/i;
const strictBase64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The file of a request: cut out of a large body before, or decoded here. @throws ApiError invalid_value */
export function requestFile(text: string, param: string, { files }: Pick<Caller, 'files'>): Uint8Array {
  return files.has(text) ? asBase64(files.get(text) ?? null, param) : decodeBase64(text, param);
}

/** @throws ApiError invalid_value naming `param` when the text is not base64 */
export const decodeBase64 = (text: string, param: string): Uint8Array => asBase64(toBytes(text), param);

function asBase64(bytes: Uint8Array | null, param: string): Uint8Array {
  if (bytes) return bytes;
  throw new ApiError('invalid_value', `${param} is not valid base64.`, { param });
}

/** Null when the text is not base64. */
export function toBytes(text: string): Uint8Array | null {
  const prefix = dataUrl.exec(text)?.[0] ?? '';
  let body = text.slice(prefix.length);
  // The `base64` command folds its lines; anything else that Buffer would skip silently is refused.
  if (/\s/.test(body)) body = body.replaceAll(/\s+/g, '');
  if (body.length === 0 || body.replace(/=+$/, '').length % 4 === 1 || !strictBase64.test(body)) return null;
  return Buffer.from(body, 'base64');
}

/** Exactly one of a pair of fields. @throws ApiError missing_field or invalid_value */
export function exactlyOne<T extends object>(
  body: T,
  [first, second]: [keyof T & string, keyof T & string],
): void {
  const given = [first, second].filter((field) => body[field] !== undefined);
  if (given.length === 0) {
    throw new ApiError('missing_field', `Send ${first} or ${second}.`, { param: first });
  }
  if (given.length === 2) {
    throw new ApiError('invalid_value', `Send ${first} or ${second}, not both.`, { param: second });
  }
}

/**
 * The file of a request that has it in base64 or names its address.
 * @throws ApiError missing_field or invalid_value unless exactly one is given, and what fetching it says
 */
export async function fileOrUrl<Field extends string>(
  body: { [Name in Field | `${Field}_url`]?: string },
  field: Field,
  { caller, urls }: { caller: Caller; urls: UrlFetcher },
): Promise<Uint8Array> {
  const urlField = `${field}_url` as const;
  exactlyOne(body, [field, urlField]);
  const [text, url = ''] = [body[field], body[urlField]];
  if (text !== undefined) return requestFile(text, field, caller);
  if (caller.principal.class === 'live') return urls.fetch(url, urlField, caller);
  // A test key fetches nothing: the address alone stands for the file.
  return Buffer.from(urls.check(url, urlField).href);
}
