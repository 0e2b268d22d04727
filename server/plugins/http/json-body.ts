/** Reads JSON bodies, and nothing else, up to the limit of the settings. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
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
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const { spec } = request.exchange;
    const limit = isLarge(spec) ? bodyLimitMb() * 1024 * 1024 : smallBodyBytes;
    const bytes = await readBody(payload, limit);
    if (bytes.length === 0) return undefined;
    if (!isUtf8(bytes)) throw new ApiError('invalid_json', 'The body is not UTF-8.');
    let value: unknown;
    parse(request, bytes.toString('utf8'), (error, parsed) => {
      if (error) throw new ApiError('invalid_json', 'The body is not valid JSON.');
      value = parsed;
    });
    if (isDeeperThan(value, deepestNesting))
      throw new ApiError('invalid_json', 'The body is nested too deeply.');
    return value;
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const { spec } = request.exchange;
    if (spec?.body && request.body === undefined) {
      if (hasRequired(spec)) return done(new ApiError('invalid_json', 'The body is empty; it must be JSON.'));
      request.body = {};
    }
    done();
  });
}

const isLarge = (spec: OperationSpec | null) => spec?.inference === true || spec?.access === 'console';

const hasRequired = (spec: OperationSpec) =>
  ((spec.body as { required?: string[] }).required ?? []).length > 0;

function readBody(payload: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = () => new ApiError('payload_too_large', `The body is larger than ${limit} bytes.`);
  if (Number(payload.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > limit) settle(tooLarge());
    };
    const onEnd = () => settle(null);
    const onBroken = () => settle(new ApiError('invalid_json', 'The body broke off.'));
    const settle = (error: ApiError | null) => {
      payload.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      if (error) reject(error);
      else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length));
    };
    payload.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const parts: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return parts.some((part) => isDeeperThan(part, levels - 1));
}
