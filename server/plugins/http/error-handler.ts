/** Every error becomes the envelope of the one table; what is not in it is internal_error, and only its place is logged. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { EngineError } from '../../engine/engine.ts';
import { ApiError, type ErrorCode, type ErrorKind, errorTable, isErrorCode } from '../../errors.ts';
import type { FailureLog } from '../../services/failure-log.ts';
import { dialectOf } from './dialects.ts';
import { noSuchRoute } from './negotiation.ts';
import { nextRequestId } from './request-id.ts';

declare module 'fastify' {
  interface FastifyInstance {
    failures: FailureLog;
  }
}

/** Fastify's own refusals in the contract's words. */
const fastifyErrors: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'The Content-Type must be application/json.'],
  FST_ERR_BAD_URL: ['not_found', 'The path is not a valid URL.'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'There is no such object.'],
};

/** @param noRoute says why nothing is there */
export function handleErrors(app: FastifyInstance, noRoute: (request: FastifyRequest) => ApiError): void {
  app.setErrorHandler((error, request, reply) => {
    // A cancelled exchange fails in whatever way its work noticed; the reason is what the caller must hear.
    const answer =
      request.exchange?.cancelled ??
      (isRouteless(error) ? noRoute(request) : toApiError(error, reply, request.id));
    if (request.exchange) request.exchange.code = answer.code;
    return sendError(reply, answer);
  });
}

/** Fastify asks some methods (QUERY) for a Content-Type before it looks for their route. */
const isRouteless = (error: unknown): boolean =>
  (error as { code?: string }).code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE';

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
  // Fastify would close at once, and one who is still sending would not see why (client-abort.ts does so later).
  if (error.code === 'payload_too_large') reply.removeHeader('connection');
  const { exchange, id } = reply.request;
  return reply.send(JSON.stringify(dialectOf(exchange?.spec).errorBody(error, id)));
}

export function toApiError(error: unknown, { log, server }: FastifyReply, requestId: string): ApiError {
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
  server.failures.ofRequest(error, requestId);
  return new ApiError('internal_error', 'Something went wrong; the request id finds it in the log.');
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
export function answerBrokenRequest(error: BrokenRequest, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const url = error.code === 'HPE_INVALID_METHOD' ? targetOf(error.rawPacket) : null;
  const what = brokenBecause[error.code ?? ''] ?? 'The request is not valid HTTP.';
  answerOnSocket(socket, url === null ? new ApiError('invalid_value', what) : noSuchRoute(url));
}

/** CONNECT asks for a tunnel, which this server never is. */
export function answerConnect(_request: unknown, socket: Pick<Socket, 'end'>): void {
  const headers = { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' };
  answerOnSocket(socket, new ApiError('method_not_allowed', 'This server opens no tunnels.', { headers }));
}

export type BrokenRequest = NodeJS.ErrnoException & { rawPacket?: unknown };

/** The target of a request line whose method Node's parser does not know; any token may be a method (RFC 9110, 9.1). */
function targetOf(packet: unknown): string | null {
  const line = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64} (\/\S*) HTTP\/1\.[01]\r\n/.exec(
    Buffer.isBuffer(packet) ? packet.toString('latin1', 0, 8192) : '',
  );
  return line?.[1] ?? null;
}

function answerOnSocket(socket: Pick<Socket, 'end'>, error: ApiError): void {
  const body = JSON.stringify(error.toBody());
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    ...Object.entries(error.headers).map(([name, value]) => `${name}: ${value}`),
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${nextRequestId()}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
