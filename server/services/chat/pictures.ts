/**
 * Pictures of a chat, for packs that do not see: each stands in the prompt as words, its caption and objects by svc-vision-pro and
 * the text on it by svc-parse-pro, as the attachments of the playground do. The header `x-lokal-images` says so.
 */
import type { ModelId } from '../../api/common.ts';
import type { AskedMessage, ChatMessage } from '../../api/services/chat.ts';
import { EngineError } from '../../engine/engine.ts';
import type { AnalyzeResult } from '../../engine/images/types.ts';
import { ApiError, isErrorCode } from '../../errors.ts';
import type { EngineCall, Engines } from '../../hosts/engines.ts';
import { type Caller, recordPictures, recordUse } from '../caller.ts';
import { requestFile } from '../files/request-file.ts';
import type { UrlFetcher } from '../files/url-fetch.ts';
import { callOf, visibleModels } from '../model-call.ts';
import { type DescribedPictures, type Description, pictureName } from './described-pictures.ts';

export const maxPictures = 16;
export const maxPictureBytes = 20 * 1024 * 1024;
/** Characters of the text on one picture; the rest is left out, and the prompt says so. */
export const maxPictureText = 16_000;
const deadlineMs = 300_000;

const eye = 'svc-vision-pro';
const reader = 'svc-parse-pro';

interface Describing {
  engines: Engines;
  caller: Caller;
  /** None are fetched where absent. */
  urls?: UrlFetcher | undefined;
  /** None are remembered where absent. */
  pictures?: DescribedPictures | undefined;
}

/**
 * The messages with words in place of their pictures; an equal picture is described once.
 * @throws ApiError invalid_value, unsupported_media, insufficient_scope and those of URLs, naming the picture's field
 */
export async function describePictures(
  messages: readonly AskedMessage[],
  context: Describing,
): Promise<ChatMessage[]> {
  const pictures = picturesOf(messages);
  if (pictures.size === 0) return messages as ChatMessage[];
  checkAllowed([...pictures.keys()], context.caller);
  const files = new Map<string, Uint8Array>();
  for (const [param, url] of pictures) {
    const bytes = files.get(url) ?? (await pictureFile(url, param, context));
    checkPicture(bytes, param, context.caller);
    files.set(url, bytes);
  }
  const described = new Map<string, Description>();
  for (const [param, url] of pictures) {
    if (!described.has(url)) described.set(url, await describedOnce(files.get(url)!, param, context));
  }
  const all = [...described.values()];
  const by = [eye, reader].filter((role) => all.some((each) => each.by.includes(role as ModelId)));
  recordPictures(context.caller, `described; by=${by.join('+')}`);
  const sum = (count: 'images' | 'frames' | 'pages') => all.reduce((total, each) => total + each[count], 0);
  recordUse(context.caller, { images: sum('images'), frames: sum('frames'), pages: sum('pages') });
  return inWords(messages, (url) => described.get(url)!.text);
}

/** Field → address, in the order of the messages. */
function picturesOf(messages: readonly AskedMessage[]): Map<string, string> {
  const pictures = new Map<string, string>();
  for (const [index, { content }] of messages.entries()) {
    if (!Array.isArray(content)) continue;
    for (const [part, each] of content.entries()) {
      if (each.type === 'image_url')
        pictures.set(`messages[${index}].content[${part}].image_url.url`, each.image_url.url);
    }
  }
  return pictures;
}

function checkAllowed(params: readonly string[], { principal }: Caller): void {
  const visible = visibleModels(principal);
  if (!visible.includes(eye) && !visible.includes(reader)) {
    const message = `${params[0]}: this key has neither ${eye} (scope images) nor ${reader} (scope documents), which describe pictures.`;
    throw new ApiError('insufficient_scope', message, { param: params[0]! });
  }
  const param = params[maxPictures];
  if (param === undefined) return;
  throw new ApiError('invalid_value', `${param}: a request has at most ${maxPictures} pictures.`, { param });
}

async function pictureFile(url: string, param: string, { caller, urls }: Describing): Promise<Uint8Array> {
  if (/^data:/i.test(url)) return requestFile(url, param, caller);
  if (!urls) throw new ApiError('url_fetch_disabled', `${param}: no addresses are fetched here.`, { param });
  if (caller.principal.class === 'live') return urls.fetch(url, param, caller);
  // A test key fetches nothing: the address alone stands for the file.
  return Buffer.from(urls.check(url, param).href);
}

/** Kinds by their first bytes; a film is no picture. */
const kinds = [/^\x89PNG\r\n/, /^\xff\xd8\xff/, /^GIF8[79]a/, /^RIFF[\s\S]{4}WEBP/];

function checkPicture(bytes: Uint8Array, param: string, { principal }: Caller): void {
  if (bytes.length > maxPictureBytes) {
    const message = `${param}: the picture has ${bytes.length} bytes; the most is ${maxPictureBytes}.`;
    throw new ApiError('invalid_value', message, { param });
  }
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (principal.class !== 'live' || kinds.some((kind) => kind.test(head))) return;
  throw new ApiError('unsupported_media', `${param} is no PNG, JPEG, WebP or GIF.`, { param });
}

/** Remembered where all that the key may ask have answered. */
async function describedOnce(bytes: Uint8Array, param: string, context: Describing): Promise<Description> {
  const { caller, engines, pictures } = context;
  const visible = visibleModels(caller.principal);
  const asked = [eye, reader].filter((role) => visible.includes(role as ModelId)) as ModelId[];
  const packs = asked.map((role) => `${role}=${engines.bound(role)?.ref ?? ''}`);
  const name = pictureName(bytes, caller.principal.keyId, ...packs);
  const known = pictures?.find(name);
  if (known) return known;
  const description = await describePicture(bytes, param, context);
  if (description.by.length === asked.length) pictures?.keep(name, description);
  return description;
}

/** One of the two is enough, as for an attachment. @throws ApiError of the first that failed where both did */
async function describePicture(
  bytes: Uint8Array,
  param: string,
  { engines, caller }: Describing,
): Promise<Description> {
  const visible = visibleModels(caller.principal);
  const call = callOf(caller, deadlineMs);
  const ask = <T>(role: ModelId, work: () => Promise<T>): Promise<T | null> =>
    visible.includes(role) ? work() : Promise.resolve(null);
  const [seen, read] = await Promise.allSettled([
    ask(eye, () => look(bytes, engines, call)),
    ask(reader, () => readText(bytes, engines, call)),
  ]);
  caller.signal.throwIfAborted();
  const picture = seen.status === 'fulfilled' ? seen.value : null;
  const page = read.status === 'fulfilled' ? read.value : null;
  if (!picture && !page) {
    throw inWordsOfChat(
      seen.status === 'rejected' ? seen.reason : (read as PromiseRejectedResult).reason,
      param,
    );
  }
  return {
    text: toWords(picture?.results[0], page?.text ?? ''),
    by: [...(picture ? [eye as ModelId] : []), ...(page ? [reader as ModelId] : [])],
    images: picture?.images ?? 0,
    frames: picture?.frames ?? 0,
    pages: page?.pages ?? 0,
  };
}

async function look(bytes: Uint8Array, engines: Engines, call: EngineCall): Promise<AnalyzeResult> {
  const frames = { maxFrames: 1, sampling: 'even' as const };
  const params = { bytes, tasks: ['caption' as const, 'objects' as const], language: 'en' as const, frames };
  for await (const item of engines.stream(eye, 'analyze', params, call))
    if (item.kind === 'result') return item.result;
  throw new ApiError('internal_error', 'The image engine gave no result.');
}

async function readText(
  bytes: Uint8Array,
  engines: Engines,
  call: EngineCall,
): Promise<{ text: string; pages: number }> {
  const params = { bytes, template: null, pages: null, outputFormat: 'text' as const };
  for await (const item of engines.stream(reader, 'parse', params, call))
    if (item.kind === 'result') return { text: item.result.text ?? '', pages: item.result.pages };
  throw new ApiError('internal_error', 'The document engine gave no result.');
}

function toWords(picture: AnalyzeResult['results'][0] | undefined, text: string): string {
  const counts = new Map<string, number>();
  for (const { label } of picture?.objects ?? []) counts.set(label, (counts.get(label) ?? 0) + 1);
  const objects = [...counts].map(([label, count]) => (count > 1 ? `${label} (${count})` : label));
  const whole = text.trim();
  const kept = whole.slice(0, maxPictureText);
  const lines = [
    picture?.caption && `Picture: ${picture.caption}`,
    objects.length > 0 && `Objects: ${objects.join(', ')}`,
    kept && `Text on it:\n${kept}${kept === whole ? '' : '\n(the rest is left out)'}`,
  ].filter(Boolean);
  const words = lines.length > 0 ? lines.join('\n') : 'Nothing was found on it.';
  // Its own text cannot end it early.
  return `<picture>\n${words.replaceAll(/<(?=\/?picture\b)/gi, '‹')}\n</picture>`;
}

/** Texts and pictures are paragraphs of their own; parts keep their places. */
const inWords = (messages: readonly AskedMessage[], wordsOf: (url: string) => string): ChatMessage[] =>
  messages.map(({ content, ...message }) => {
    if (!Array.isArray(content)) return content === undefined ? message : { ...message, content };
    const parts = content.map((part, index) => {
      if (part.type === 'text') return part;
      const after = content[index + 1]?.type === 'text' ? '\n\n' : '';
      const text = `${index > 0 ? '\n\n' : ''}${wordsOf(part.image_url.url)}${after}`;
      return { type: 'text' as const, text };
    });
    return { ...message, content: parts };
  });

/** Engines call the picture `image` or `file`. */
function inWordsOfChat(error: unknown, param: string): unknown {
  if (!(error instanceof ApiError || error instanceof EngineError) || !error.param) return error;
  return isErrorCode(error.code) ? new ApiError(error.code, error.message, { param }) : error;
}
