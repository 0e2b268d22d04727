/** Idempotency-Key on every POST of the API: the answer is kept as it leaves, and sent again byte for byte. */
import { pipeline, type Readable, Transform } from 'node:stream';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onSendHookHandler,
  preHandlerHookHandler,
} from 'fastify';
import { ApiError, type ErrorCode } from '../errors.ts';
import type { Claim, IdempotencyService } from '../services/idempotency/idempotency.ts';
import type { Exchange } from './exchange.ts';

const longestKey = 64;
/** A longer answer is sent and not kept; none of ours comes near. */
const longestAnswer = 64 * 1024 * 1024;
/** 5xx answers of work that never began: a retry must run it. */
const notExecuted: ReadonlySet<ErrorCode> = new Set([
  'model_not_installed',
  'model_loading',
  'server_overloaded',
  'shutting_down',
]);
/** Headers that belong to the answer and not to the exchange. */
const keptHeaders = ['content-type', 'cache-control', 'x-model-pack', 'x-execution-provider'];

/** @throws ApiError invalid_value */
export function checkIdempotencyKey({ headers }: FastifyRequest): void {
  const key = headers['idempotency-key'];
  if (key === undefined) return;
  if (typeof key !== 'string' || key.length > longestKey || !/^[\x20-\x7e]+$/.test(key)) {
    const message = `Idempotency-Key must be 1 to ${longestKey} printable ASCII characters.`;
    throw new ApiError('invalid_value', message, { param: 'Idempotency-Key' });
  }
}

export function replayAnswers(app: FastifyInstance, service: IdempotencyService): void {
  const claims = new WeakMap<Exchange, Claim>();

  const claimKey: preHandlerHookHandler = (request, reply, done) => {
    const { exchange } = request;
    const idempotencyKey = request.headers['idempotency-key'];
    if (typeof idempotencyKey !== 'string' || !exchange.caller) return done();
    const outcome = service.claim({
      keyId: exchange.caller.principal.keyId,
      operation: `${request.method} ${request.url.split('?', 1)[0]}`,
      idempotencyKey,
      body: request.body,
    });
    if ('claim' in outcome) {
      const { claim } = outcome;
      claims.set(exchange, claim);
      exchange.onClosed(() => claim.release());
      return done();
    }
    exchange.replayed = true;
    const { status, headers, body } = outcome.replay;
    reply.code(status).headers(headers).header('idempotent-replayed', 'true').send(body);
  };

  const keepAnswer: onSendHookHandler = (request, reply, payload, done) => {
    const claim = request.exchange && claims.get(request.exchange);
    if (!claim || !isKept(reply.statusCode, request.exchange.code)) return done(null, payload);
    const keep = (body: Buffer) => claim.store({ status: reply.statusCode, headers: headersOf(reply), body });
    if (isReadable(payload)) {
      // Each end of the pipeline takes the other with it; the response tells of failures.
      return done(
        null,
        pipeline(payload, keepingStream(request.exchange, keep), () => {}),
      );
    }
    keep(Buffer.from(payload as string | Buffer));
    done(null, payload);
  };

  app.addHook('onRoute', (route) => {
    if (!route.config?.operation?.startsWith('POST /v1/')) return;
    route.preHandler = claimKey;
    route.onSend = keepAnswer;
  });
}

function isKept(status: number, code: ErrorCode | null): boolean {
  if (status < 300) return true;
  return status >= 500 && !(code && notExecuted.has(code));
}

function headersOf(reply: FastifyReply): Record<string, string> {
  const pairs = keptHeaders.map((name) => [name, reply.getHeader(name)] as const);
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}

const isReadable = (payload: unknown): payload is Readable =>
  typeof payload === 'object' && payload !== null && 'pipe' in payload;

/** Passes the bytes on and keeps them, when the stream came to its proper end. */
function keepingStream(exchange: Exchange, keep: (body: Buffer) => void): Transform {
  const chunks: Buffer[] = [];
  let length = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length <= longestAnswer) chunks.push(chunk);
      done(null, chunk);
    },
    flush(done) {
      if (exchange.meter.streamComplete && length <= longestAnswer) keep(Buffer.concat(chunks));
      done();
    },
  });
}
