/** One line of a batch, asked as a request would be: the operation's own schema, service and errors. */
import { Ajv, type ValidateFunction } from 'ajv';
import type { FastifySchemaValidationError } from 'fastify';
import { operations } from '../api/operations.ts';
import type { BatchEndpoint } from '../api/protocols/batches.ts';
import { EngineError } from '../engine/engine.ts';
import { ApiError, type ErrorKind, errorTable, isErrorCode } from '../errors.ts';
import { nullDropper } from '../plugins/http/body/null-fields.ts';
import { ajvOptions, toValidationError } from '../plugins/http/validation.ts';
import type { LinePerformer } from '../services/batches/batch-run.ts';
import type { Caller } from '../services/caller.ts';
import type { FailureLog } from '../services/failure-log.ts';
import type { InferenceServices } from './inference.ts';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: each service has a body of its own, which its operation's schema has checked.
type Service = (body: any, caller: Caller) => unknown;

export function createLinePerformer(services: InferenceServices & { failures: FailureLog }): LinePerformer {
  const ajv = new Ajv({ ...ajvOptions, strict: false });
  const check = new Map<BatchEndpoint, (body: Body) => void>();
  const serviceOf: Record<BatchEndpoint, Service> = {
    '/v1/chat/completions': services.chat,
    '/v1/responses': services.responses.create,
    '/v1/completions': services.completions,
    '/v1/embeddings': services.embeddings,
    '/v1/rerank': services.rerank,
    '/v1/moderations': services.moderations,
    '/v1/images/analyze': services.images,
    '/v1/documents/parse': services.documents.parse,
  };

  function checkerOf(endpoint: BatchEndpoint): (body: Body) => void {
    const { body: schema } = operations[`POST ${endpoint}`];
    const dropNulls = nullDropper(schema);
    const validate: ValidateFunction = ajv.compile(schema);
    return (body) => {
      dropNulls?.(body);
      if (!validate(body)) throw toValidationError(validate.errors as FastifySchemaValidationError[]);
      if (body.stream !== true) return;
      throw new ApiError('invalid_value', 'stream: lines of a batch are answered whole.', {
        param: 'stream',
      });
    };
  }

  /** Compiled when first asked for. */
  function checkBody(endpoint: BatchEndpoint, body: Body): void {
    let checker = check.get(endpoint);
    if (!checker) {
      checker = checkerOf(endpoint);
      check.set(endpoint, checker);
    }
    checker(body);
  }

  function toLineError(error: unknown, requestId: string): ApiError {
    if (error instanceof ApiError) return error;
    if (error instanceof EngineError && isErrorCode(error.code))
      return new ApiError(error.code, error.message, { param: error.param });
    services.failures.ofRequest(error, requestId);
    return new ApiError('internal_error', 'Something went wrong; the request id finds it in the log.');
  }

  return async (endpoint, body, caller) => {
    try {
      checkBody(endpoint, body);
      return { status: 200, body: await serviceOf[endpoint](body, caller), retryAfterMs: null };
    } catch (error) {
      if (caller.signal.aborted) throw error;
      const answer = toLineError(error, caller.requestId);
      const { retryAfter }: ErrorKind = errorTable[answer.code];
      const waitMs = answer.retryAfterMs ?? (retryAfter === undefined ? null : retryAfter * 1000);
      return { status: answer.status, body: answer.toBody(), retryAfterMs: waitMs };
    }
  };
}
