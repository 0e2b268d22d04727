/** Every error becomes the envelope of the one table; what is not in it is internal_error, and only its place is logged. */
import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply } from 'fastify';
import { EngineError } from '../../engine/engine.ts';
import { ApiError, type ErrorCode, type ErrorKind, errorTable, isErrorCode } from '../../errors.ts';
import { nextRequestId } from './request-id.ts';

/** Fastify's own refusals in the contract's words. */
const fastifyErrors: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'The Content-Type must be application/json.'],
  FST_ERR_BAD_URL: ['not_found', 'The path is not a valid URL.'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'There is no such object.'],
};

export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    // A cancelled exchange fails in whatever way its work noticed; the reason is what the caller must hear.
    const answer = request.exchange?.cancelled ?? toApiError(error, reply.log, request.id);
    if (request.exchange) request.exchange.code = answer.code;
    return sendError(reply, answer);
  });
}

/** @param reply of a request that may not have reached its hooks */
export function sendError(reply: FastifyReply, error: ApiError): FastifyReply {
  reply.code(error.status).headers(error.headers).header('content-type', 'application/json; charset=utf-8');
  if (error.status === 401 && error.code !== 'session_required') reply.header('www-authenticate', 'Bearer');
  const waitMs = error.retryAfterMs ?? tableWaitMs(error.code);
  if (waitMs !== undefined) {
    reply
      .header('retry-after', String(Math.ceil(waitMs / 1000)))
      .header('retry-after-ms', String(Math.ceil(waitMs)));
  }
  return reply.send(JSON.stringify(error.toBody()));
}

export function toApiError(error: unknown, log: FastifyBaseLogger, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof EngineError && isErrorCode(error.code)) {
    return new ApiError(error.code, error.message, { param: error.param });
  }
  const code = (error as { code?: unknown }).code;
  const known = typeof code === 'string' ? fastifyErrors[code] : undefined;
  if (known) return new ApiError(...known);
  if (typeof code === 'string' && /^SQLITE_(FULL|IOERR|READONLY|BUSY)/.test(code)) {
    log.error({ requestId, code }, 'the database could not be written');
    return new ApiError('server_overloaded', 'The database cannot be written; is the disk full?');
  }
  log.error({ requestId, ...placeOf(error) }, 'a request failed');
  return new ApiError('internal_error', 'Something went wrong; the request id finds it in the log.');
}

/** Kind, code and stack, without the message: it may quote the payload. */
export function placeOf(error: unknown): { kind: string; code?: string; at: string[] } {
  if (!(error instanceof Error)) return { kind: typeof error, at: [] };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const { code } = error as { code?: unknown };
  const at = frames.slice(0, 8).map((line) => line.trim());
  return { kind: error.name, ...(typeof code === 'string' ? { code } : {}), at };
}

function tableWaitMs(code: ErrorCode): number | undefined {
  const { retryAfter }: ErrorKind = errorTable[code];
  return retryAfter === undefined ? undefined : retryAfter * 1000;
}

const brokenBecause: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The headers of the request are too large.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive.',
};

/** A request that is not HTTP: answered on the socket, since there is no request yet. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const what = brokenBecause[error.code ?? ''] ?? 'The request is not valid HTTP.';
  const body = JSON.stringify(new ApiError('invalid_value', what).toBody());
  const head = [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${nextRequestId()}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
