/** Reads JSON bodies, and nothing else, up to the limit of the settings. */
import { isUtf8 } from 'node:buffer';
import { pipeline, Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OperationSpec } from '../../api/operations.ts';
import { ApiError } from '../../errors.ts';

/** Bodies of key management and of callers not yet known. */
const smallBodyBytes = 1024 * 1024;
/** Deeper than any schema needs; recursion over a body stays shallow. */
const deepestNesting = 128;

export function acceptJson(app: FastifyInstance, bodyLimitMb: () => number): void {
  // A key named "constructor" is harmless data; "__proto__" never is.
  const parse = app.getDefaultJsonParser('error', 'ignore');
  app.removeAllContentTypeParsers();
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const limit = isLarge(request.exchange.spec) ? bodyLimitMb() * 1024 * 1024 : smallBodyBytes;
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (Number(length ?? 0) > limit) return done(tooLarge(limit));
    // A body that announces its length cannot exceed it.
    done(null, encoding === undefined ? payload : pipeline(payload, limited(limit), () => {}));
  });
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: Number.MAX_SAFE_INTEGER },
    (request: FastifyRequest, bytes: Buffer, done) => {
      if (bytes.length === 0) return done(null, undefined);
      if (!isUtf8(bytes)) return done(invalid('is not UTF-8'));
      parse(request, bytes.toString('utf8'), (error, value) => {
        if (error) done(invalid('is not valid JSON'));
        else if (isDeeperThan(value, deepestNesting)) done(invalid('is nested too deeply'));
        else done(null, value);
      });
    },
  );
  app.addHook('preValidation', (request, _reply, done) => {
    const { spec } = request.exchange;
    if (spec?.body && request.body === undefined) {
      if (hasRequired(spec)) return done(invalid('is empty; it must be JSON'));
      request.body = {};
    }
    done();
  });
}

const invalid = (what: string) => new ApiError('invalid_json', `The body ${what}.`);

const tooLarge = (limit: number) =>
  new ApiError('payload_too_large', `The body is larger than ${limit} bytes.`);

/** Passes a body on until it exceeds the limit. */
function limited(limit: number): Transform {
  let length = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length > limit) done(tooLarge(limit));
      else done(null, chunk);
    },
  });
}

const isLarge = (spec: OperationSpec | null) => spec?.inference === true || spec?.access === 'console';

const hasRequired = (spec: OperationSpec) =>
  ((spec.body as { required?: string[] }).required ?? []).length > 0;

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const parts: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return parts.some((part) => isDeeperThan(part, levels - 1));
}
