/** A file becomes an attachment: read by the documents and images services of this machine, or taken as the text it is. */
import type { Client } from '../../../api/client.ts';
import { hasCode } from '../../../api/problem.ts';
import { kindOf, readFile, type SourceFile, toTooLarge } from '../../../components/source-file.ts';
import { t } from '../../../strings/t.ts';
import {
  type Attachment,
  decodeText,
  describePicture,
  maxTextBytes,
  toPromptText,
} from '../model/attachment.ts';

export interface ReadOptions {
  client: Client;
  /** The parser's progress is told by it. */
  requestId: string;
  signal: AbortSignal;
}

type Content = Pick<Attachment, 'text' | 'pages' | 'cut'>;

export type AttachmentContent = Omit<Attachment, 'id' | 'tokens'>;

/** Most pages of one request to the parser. */
const pagesAtOnce = 20;

/** @throws Error for a file too large or of no kind that can be read; Problem of the services */
export async function readAttachment(file: File, options: ReadOptions): Promise<AttachmentContent> {
  const kind = kindOf(file.name);
  const read = { document: readDocument, picture: readPicture, text: readText }[kind];
  return { name: file.name, kind, ...(await read(file, options)) };
}

async function readText(file: File): Promise<Content> {
  if (file.size > maxTextBytes) throw toTooLarge(file.size, maxTextBytes);
  try {
    return { text: decodeText(new Uint8Array(await file.arrayBuffer())), pages: null, cut: false };
  } catch {
    throw new Error(t('chat.attach.not_text'));
  }
}

const readDocument = async (file: File, options: ReadOptions): Promise<Content> =>
  parse(await readFile(file), options);

async function parse({ base64 }: SourceFile, { client, requestId, signal }: ReadOptions): Promise<Content> {
  const ask = (pages?: string) =>
    client.call('POST /v1/documents/parse', {
      body: { model: 'svc-parse-pro', output_format: 'text', file: base64, ...(pages ? { pages } : {}) },
      requestId,
      signal,
    });
  try {
    const { data } = await ask();
    return { text: data.text ?? '', pages: data.usage.pages, cut: false };
  } catch (error) {
    // Longer than one request takes: its beginning is read, and the chip says so.
    if (!hasCode(error, 'invalid_page_range')) throw error;
    const { data } = await ask(`1-${pagesAtOnce}`);
    return { text: data.text ?? '', pages: data.usage.pages, cut: true };
  }
}

/** Caption, objects and the text on it; one of the two services is enough. */
async function readPicture(file: File, options: ReadOptions): Promise<Content> {
  const source = await readFile(file);
  const { client, signal } = options;
  const body = {
    model: 'svc-vision-pro',
    tasks: ['caption' as const, 'objects' as const],
    image: source.base64,
  };
  const [seen, read] = await Promise.allSettled([
    client.call('POST /v1/images/analyze', { body, signal }),
    parse(source, options),
  ]);
  signal.throwIfAborted();
  if (seen.status === 'rejected' && read.status === 'rejected') throw seen.reason;
  const described = seen.status === 'fulfilled' ? seen.value.data.results[0] : undefined;
  const text = read.status === 'fulfilled' ? read.value.text : '';
  return {
    text: describePicture(described ?? { caption: '', objects: [] }, text),
    pages: null,
    cut: false,
  };
}

/** One request counts so many characters at most. */
const countedAtOnce = 65_536;

export interface Counted {
  tokens: number;
  /** The model's window. */
  context: number;
}

/** @param pack `id@version` that would answer in place of the bound one; null answer: no pack can count */
export async function countTokens(
  attachment: AttachmentContent,
  { client, signal }: ReadOptions,
  pack: string | null,
): Promise<Counted | null> {
  const text = toPromptText(attachment);
  const counted: Counted = { tokens: 0, context: 0 };
  try {
    for (let at = 0; at < text.length; at += countedAtOnce) {
      const { data } = await client.call('POST /v1/tokenize', {
        body: { model: 'svc-lingua-7b', prompt: text.slice(at, at + countedAtOnce) },
        signal,
        ...(pack ? { headers: { 'x-model-pack': pack } } : {}),
      });
      counted.tokens += data.count;
      counted.context = data.max_model_len;
    }
    return counted;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
