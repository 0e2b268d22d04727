/** Thread that reads large bodies: joins, parses and, for a file, decodes and names it by its digest. */
import { hash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { ApiError } from '../../../errors.ts';
import { toBytes } from '../../../services/files/request-file.ts';
import type { BodyChunk, BodyEnd, BodyReply, CutFile, ReadBody } from './body-messages.ts';
import { parseJson } from './json-text.ts';

/** Shorter ones stay in the body. */
const cutLength = 64 * 1024;
const bodies = new Map<number, Uint8Array[]>();

parentPort?.on('message', (message: BodyChunk | BodyEnd) => {
  const { id } = message;
  if (message.kind === 'chunk') {
    const chunks = bodies.get(id) ?? [];
    chunks.push(new Uint8Array(message.bytes));
    bodies.set(id, chunks);
    return;
  }
  const chunks = bodies.get(id) ?? [];
  bodies.delete(id);
  if (message.kind === 'end') reply(id, chunks, message.fileField);
});

function reply(id: number, chunks: Uint8Array[], fileField: string | null): void {
  let answer: BodyReply;
  try {
    answer = { id, read: read(chunks, fileField) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    answer = { id, refused: { code: error.code, message: error.message } };
  }
  const bytes = 'read' in answer ? answer.read.file?.bytes : null;
  parentPort?.postMessage(answer, bytes ? [bytes.buffer as ArrayBuffer] : []);
}

function read(chunks: Uint8Array[], fileField: string | null): ReadBody {
  const value = parseJson(Buffer.concat(chunks));
  const record = value as Record<string, unknown> | null;
  const text = fileField === null || typeof record !== 'object' ? undefined : record?.[fileField];
  if (typeof text !== 'string' || text.length < cutLength) return { value, file: null };
  const file: CutFile = { name: `sha256:${hash('sha256', text, 'hex')}`, bytes: toBytes(text) };
  return { value: { ...record, [fileField as string]: file.name }, file };
}
