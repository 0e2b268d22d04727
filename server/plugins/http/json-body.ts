/** Reads JSON bodies, and nothing else, up to the limit of the settings. */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { FastifyInstance, preValidationHookHandler } from 'fastify';
import { type OperationSpec, operations } from '../../api/operations.ts';
import { ApiError } from '../../errors.ts';

/** Bodies of key management and of callers not yet known. */
const smallBodyBytes = 1024 * 1024;
/** Deeper than any schema needs; recursion over a body stays shallow. */
const deepestNesting = 128;

/** From here on nesting is counted before parsing: a parser takes seconds over millions of brackets. */
const largeBodyBytes = 64 * 1024;

export function acceptJson(app: FastifyInstance, bodyLimitMb: () => number): void {
  // A key named "constructor" is harmless data; "__proto__" never is.
  const parse = app.getDefaultJsonParser('error', 'ignore');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, payload, done) => {
    const limit = isLarge(request.exchange.spec) ? bodyLimitMb() * 1024 * 1024 : smallBodyBytes;
    readBody(payload, { announced: request.headers['content-length'], limit }, (error, bytes) => {
      if (error || !bytes) return done(error);
      if (bytes.length === 0) return done(null, undefined);
      if (!isUtf8(bytes)) return done(invalid('is not UTF-8'));
      if (bytes.length > largeBodyBytes && nestsDeeper(bytes, deepestNesting))
        return done(invalid('is nested too deeply'));
      parse(request, bytes.toString('utf8'), (refusal, value) => {
        if (refusal) done(invalid('is not valid JSON'));
        else if (isDeeperThan(value, deepestNesting)) done(invalid('is nested too deeply'));
        else done(null, value);
      });
    });
  });
  app.addHook('onRoute', (route) => {
    const key = route.config?.operation;
    if (key && (operations[key] as OperationSpec).body) route.preValidation = refuseEmpty;
  });
}

const refuseEmpty: preValidationHookHandler = (request, _reply, done) => {
  if (request.body === undefined) {
    if (hasRequired(request.exchange.spec!)) return done(invalid('is empty; it must be JSON'));
    request.body = {};
  }
  done();
};

interface Expected {
  /** The Content-Length header. */
  announced: string | undefined;
  limit: number;
}

/** Fastify's own reader copies each body once more; most of ours come in one piece. */
function readBody(
  payload: Readable,
  { announced, limit }: Expected,
  done: (error: Error | null, bytes?: Buffer) => void,
): void {
  if (Number(announced ?? 0) > limit) {
    done(tooLarge(limit));
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  const end = (error: Error | null) => {
    payload.off('data', onData).off('end', onEnd).off('error', end);
    if (error) done(error);
    else done(null, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length));
  };
  const onData = (chunk: Buffer) => {
    length += chunk.length;
    if (length > limit) end(tooLarge(limit));
    else chunks.push(chunk);
  };
  const onEnd = () => {
    const whole = announced === undefined || Number(announced) === length;
    end(whole ? null : invalid('does not have the length it announced'));
  };
  payload.on('data', onData).on('end', onEnd).on('error', end);
}

const invalid = (what: string) => new ApiError('invalid_json', `The body ${what}.`);

const tooLarge = (limit: number) =>
  new ApiError('payload_too_large', `The body is larger than ${limit} bytes.`);

const isLarge = (spec: OperationSpec | null) => spec?.inference === true || spec?.access === 'console';

const hasRequired = (spec: OperationSpec) =>
  ((spec.body as { required?: string[] }).required ?? []).length > 0;

/** Whether brackets outside of strings nest deeper than `levels`. */
function nestsDeeper(bytes: Buffer, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte === 0x22) at = endOfString(bytes, at);
    else if (byte === 0x5b || byte === 0x7b) depth += 1;
    else if (byte === 0x5d || byte === 0x7d) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

/** Where the string that opens at `at` closes; long ones are searched natively. */
function endOfString(bytes: Buffer, at: number): number {
  for (let quote = bytes.indexOf(0x22, at + 1); quote >= 0; quote = bytes.indexOf(0x22, quote + 1)) {
    let escapes = 0;
    while (bytes[quote - 1 - escapes] === 0x5c) escapes += 1;
    if (escapes % 2 === 0) return quote;
  }
  return bytes.length;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const parts: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return parts.some((part) => isDeeperThan(part, levels - 1));
}
