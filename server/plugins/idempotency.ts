/**
 * Idempotency-Key on everything of the API that runs a model or writes: the answer is kept as it leaves, and sent again byte
 * for byte. An operation that writes keeps it in the write's own transaction (routes/operation.ts).
 */
import { pipeline, type Readable, Transform } from 'node:stream';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onSendHookHandler,
  preHandlerHookHandler,
} from 'fastify';
import { type OperationSpec, operations } from '../api/operations.ts';
import { ApiError, type ErrorCode, type ErrorKind, errorTable } from '../errors.ts';
import type { IdempotencyService } from '../services/idempotency/idempotency.ts';
import type { Exchange } from './exchange.ts';

const longestKey = 64;
/** A longer answer is sent and not kept; none of ours comes near. */
const longestAnswer = 64 * 1024 * 1024;
/** Answers of work that never began or did not end: where a later try may go well, it must run. */
const isResult = (code: ErrorCode): boolean =>
  code !== 'model_not_installed' &&
  code !== 'host_not_confined' &&
  (errorTable[code] as ErrorKind).retryAfter === undefined;
/** Headers that belong to the answer and not to the exchange. */
const keptHeaders = [
  'content-type',
  'cache-control',
  'x-model-pack',
  'x-execution-provider',
  'x-lokal-upstream',
  'x-lokal-pseudonyms',
  'x-lokal-confinement',
  'x-lokal-schema',
  'x-lokal-guardrail',
  'x-lokal-images',
];

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
      exchange.claim = claim;
      exchange.onClosed(() => claim.release());
      return done();
    }
    exchange.replayed = true;
    const { status, headers, body } = outcome.replay;
    reply.code(status).headers(headers).header('idempotent-replayed', 'true').send(body);
  };

  const keepAnswer: onSendHookHandler = (request, reply, payload, done) => {
    const { exchange } = request;
    const claim = exchange?.claim;
    if (!claim) return done(null, payload);
    let sent = payload;
    // A write keeps its answer with the write; one that failed left nothing behind.
    if (!exchange.spec?.writes && isKept(reply.statusCode, exchange.code)) {
      const keep = (body: Buffer) =>
        claim.store({ status: reply.statusCode, headers: headersOf(reply), body });
      if (isReadable(payload)) {
        // Each end of the pipeline takes the other with it; the response tells of failures.
        sent = pipeline(payload, keepingStream(exchange, keep), () => {});
      } else keep(Buffer.from(payload as string | Buffer));
    }
    // Nobody is there to take it: this was the end of the exchange.
    if (exchange.abandoned) exchange.close(reply.statusCode);
    done(null, sent);
  };

  app.addHook('onRoute', (route) => {
    const key = route.config?.operation;
    const spec: OperationSpec | undefined = key && operations[key];
    if (!spec?.writes && !spec?.inference) return;
    route.preHandler = claimKey;
    route.onSend = keepAnswer;
  });
}

function isKept(status: number, code: ErrorCode | null): boolean {
  if (status < 300) return true;
  return status >= 500 && code !== null && isResult(code);
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
