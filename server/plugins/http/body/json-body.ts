/** Reads JSON bodies, and nothing else, up to the limit of the operation and of the settings. */
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type OperationSpec, operations } from '../../../api/operations.ts';
import { ApiError } from '../../../errors.ts';
import { type BodyInThread, BodyThread } from './body-thread.ts';
import { dropRest } from './drop-rest.ts';
import { invalidJson, parseJson } from './json-text.ts';
import { nullDropper } from './null-fields.ts';

/** Bodies of key management and of callers not yet known. */
const smallBodyBytes = 1024 * 1024;
/** Larger bodies are read in a thread. */
const threadBodyBytes = 1024 * 1024;

export function acceptJson(app: FastifyInstance, bodyLimitMb: () => number): void {
  const thread = new BodyThread();
  app.addHook('onClose', (_app, done) => {
    thread.close();
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, payload, done) => {
    const { spec } = request.exchange;
    readBody(payload, {
      announced: request.headers['content-length'],
      limit: limitOf(spec, bodyLimitMb() * 1024 * 1024),
      openThread: () => thread.open(),
      finish: (body) => {
        if (body instanceof Error) return done(body);
        if (Buffer.isBuffer(body)) {
          try {
            done(null, body.length === 0 ? undefined : parseJson(body));
          } catch (error) {
            done(error as ApiError);
          }
          return;
        }
        body.end(spec?.fileField ?? null, (error, read) => {
          if (error || !read) return done(error);
          if (read.file) request.exchange.files = new Map([[read.file.name, read.file.bytes]]);
          done(null, read.value);
        });
      },
    });
  });
  app.addHook('onRoute', (route) => {
    const key = route.config?.operation;
    const body = key && (operations[key] as OperationSpec).body;
    if (!body) return;
    const dropNulls = nullDropper(body);
    route.preValidation = (request, _reply, done) => {
      if (request.body === undefined) fillEmpty(request);
      else dropNulls?.(request.body);
      done();
    };
  });
}

/** An absent body is an empty one where nothing in it is required. @throws ApiError invalid_json */
function fillEmpty(request: FastifyRequest): void {
  if (hasRequired(request.exchange.spec!)) throw invalidJson('is empty; it must be JSON');
  request.body = {};
}

interface Reading {
  /** The Content-Length header. */
  announced: string | undefined;
  limit: number;
  openThread: () => BodyInThread;
  /** Called once: with the bytes, with the thread that has them, or with what is wrong. */
  finish: (body: Buffer | BodyInThread | Error) => void;
}

/** Fastify's own reader copies each body once more; most of ours come in one piece. */
function readBody(payload: Readable, { announced, limit, openThread, finish }: Reading): void {
  if (Number(announced ?? 0) > limit) {
    dropRest(payload, Number(announced), () => finish(tooLarge(limit)));
    return;
  }
  // A head without a length (httpOptions): no event comes any more.
  if (payload.readableEnded) {
    finish(Buffer.alloc(0));
    return;
  }
  const chunks: Buffer[] = [];
  let thread: BodyInThread | null = null;
  let length = 0;
  let over = false;
  const leave = () => {
    over = true;
    chunks.length = 0;
    thread?.drop();
  };
  const fail = (error: Error) => {
    if (over) return;
    leave();
    finish(error);
  };
  const onData = (chunk: Buffer) => {
    if (over) return;
    length += chunk.length;
    if (length > limit) {
      leave();
      return dropRest(payload, Number(announced ?? 0), () => finish(tooLarge(limit)));
    }
    if (thread) return thread.add(chunk);
    chunks.push(chunk);
    if (length <= threadBodyBytes) return;
    thread = openThread();
    for (const each of chunks.splice(0)) thread.add(each);
  };
  const onEnd = () => {
    if (over) return;
    if (announced !== undefined && Number(announced) !== length)
      return fail(invalidJson('does not have the length it announced'));
    over = true;
    finish(thread ?? (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)));
  };
  // A client that leaves in the middle ends in 'close' alone.
  const onClose = () => {
    if (!over) fail(invalidJson('did not come to its end'));
  };
  payload.on('data', onData).on('end', onEnd).on('error', fail).on('close', onClose);
}

const tooLarge = (limit: number) =>
  new ApiError('payload_too_large', `The body is larger than ${limit} bytes.`);

function limitOf(spec: OperationSpec | null, setting: number): number {
  if (spec?.maxBodyBytes !== undefined) return Math.min(spec.maxBodyBytes, setting);
  return spec?.inference === true || spec?.access === 'console' ? setting : smallBodyBytes;
}

const hasRequired = (spec: OperationSpec) =>
  ((spec.body as { required?: string[] }).required ?? []).length > 0;
