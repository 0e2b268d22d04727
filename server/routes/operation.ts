/** Registers an operation of server/api/operations.ts: path, body schema, access rules and both kinds of answer. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import {
  type BodyOf,
  type Operation,
  type OperationKey,
  type OperationSpec,
  operations,
  type ResponseOf,
  splitOperation,
} from '../api/operations.ts';
import { ApiError } from '../errors.ts';
import { sessionCookie, toSetCookie } from '../plugins/admission/console-session.ts';
import type { Exchange } from '../plugins/exchange.ts';
import { dialectOf } from '../plugins/http/dialects.ts';
import { actAs } from '../services/audit/actor.ts';
import { type Caller, recordUse } from '../services/caller.ts';
import { isCommand } from '../services/console/sessions.ts';
import type { Claim } from '../services/idempotency/idempotency.ts';
import { afterTurn, openEvents, untilCancelled } from './events.ts';
import { toEventStream } from './sse.ts';

/** A handler's request: validated, with defaults filled in. */
export interface Call<K extends OperationKey> {
  body: BodyOf<K>;
  params: Record<string, string>;
  query: Operation<K> extends { query: infer Q extends TSchema } ? Static<Q> : undefined;
  /** The admitted key's caller; null on console and open operations. */
  caller: Operation<K>['access'] extends 'api' ? Caller : null;
  /** Aborts when the client is gone, the key is revoked or the server stops. */
  signal: AbortSignal;
  /** Id of the console session that asks; null on the API. */
  session: string | null;
  /** The browser's own name, and the console's cookie that it has. */
  browser: { agent: string; cookie: string | undefined };
  /** The answer is 202: the message was taken and wants none. */
  accept: () => void;
  /** Puts a session's cookie into the caller's browser; null takes it away. */
  setSession(cookie: string | null): void;
}

/** An answer sent event by event. */
export interface EventAnswer {
  events: AsyncIterable<unknown>;
}

export type Handler<K extends OperationKey> = (
  call: Call<K>,
) => Promise<ResponseOf<K> | EventAnswer> | ResponseOf<K> | EventAnswer;

export function registerOperation<K extends OperationKey>(
  app: FastifyInstance,
  key: K,
  handler: Handler<K>,
): void {
  const { method, path } = splitOperation(key);
  const spec: OperationSpec = operations[key];
  const status = spec.status ?? 200;
  // Inference changes nothing that is audited, and is spared the cost.
  const managing = spec.access === 'console' || spec.scope === 'keys';
  // The answer of a write goes out before the work that it began.
  const mayWait = method === 'GET' || spec.inference === true;
  app.route({
    method,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    // An event stream has no end, so a HEAD of it would never be answered.
    exposeHeadRoute: method === 'GET' && !spec.event,
    config: { operation: key },
    schema: {
      ...(spec.body ? { body: spec.body } : {}),
      ...(spec.query ? { querystring: spec.query } : {}),
    },
    handler: (request, reply) => {
      const { exchange } = request;
      reply.code(status);
      const call = new OperationCall<K>(request, reply);
      const run = managing ? () => actAs(actorOf(request), () => handler(call)) : () => handler(call);
      if (exchange.claim) {
        if (spec.writes) return sendWritten(exchange.claim, run, reply);
        exchange.runsOn = (request.body as { stream?: unknown }).stream !== true;
      }
      // A stream waits for its turn with its headers out, so that its client hears the pings.
      const waits = exchange.turn !== null && (request.body as { stream?: unknown }).stream !== true;
      const work = waits ? exchange.turn!.then(run) : run();
      if (!(work instanceof Promise))
        return mayWait && !isEventAnswer(work) ? sendSoon(work, reply) : send(work, exchange, reply);
      // Short reads settle before a cancellation could matter.
      const result = spec.inference ? untilCancelled(work, exchange) : work;
      return result.then((answer) => send(answer, exchange, reply));
    },
  });
}

const jsonType = 'application/json; charset=utf-8';

/** The write and its answer under the Idempotency-Key, both or neither. */
function sendWritten(claim: Claim, write: () => unknown, reply: FastifyReply): FastifyReply {
  const { body } = claim.commit(() => ({
    status: reply.statusCode,
    headers: { 'content-type': jsonType },
    body: Buffer.from(JSON.stringify(write())),
  }));
  return reply.type(jsonType).send(body);
}

function actorOf({ exchange }: FastifyRequest): string {
  if (exchange.session === null) return `key ${exchange.caller?.principal.keyId}`;
  return isCommand(exchange.session) ? 'command line' : `console ${exchange.session}`;
}

/** JSON of frozen answers: a service freezes what it gives to many, so it is written out once. */
const frozenTexts = new WeakMap<object, string>();

const send = (answer: unknown, exchange: Exchange, reply: FastifyReply) =>
  isEventAnswer(answer) ? sendEvents(answer, exchange, reply) : sendJson(answer, reply);

/**
 * Answers that are ready at once go out at the end of the event loop's turn, one behind the other: writes that follow one
 * another wake a client once, and are a fifth of a small answer's cost otherwise.
 */
function sendSoon(answer: unknown, reply: FastifyReply): void {
  setImmediate(() => {
    try {
      sendJson(answer, reply);
    } catch (error) {
      reply.send(error);
    }
  });
}

function sendJson(answer: unknown, reply: FastifyReply): FastifyReply {
  if (Buffer.isBuffer(answer) || !Object.isFrozen(answer)) return reply.send(answer);
  let text = frozenTexts.get(answer as object);
  if (text === undefined) {
    text = JSON.stringify(answer);
    frozenTexts.set(answer as object, text);
  }
  return reply.type(jsonType).send(text);
}

/** A class, because an object literal with a getter gets a hidden class of its own each time, which costs as much as all else. */
class OperationCall<K extends OperationKey> implements Call<K> {
  readonly body: BodyOf<K>;
  readonly params: Record<string, string>;
  readonly query: Call<K>['query'];
  readonly caller: Call<K>['caller'];
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;

  readonly accept = (): void => {
    this.#reply.code(202);
  };

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.body = request.body as BodyOf<K>;
    this.query = request.query as Call<K>['query'];
    this.params = request.params as Record<string, string>;
    this.caller = request.exchange.caller as Call<K>['caller'];
    this.#request = request;
    this.#reply = reply;
  }

  get signal(): AbortSignal {
    return this.#request.exchange.signal;
  }

  get session(): string | null {
    return this.#request.exchange.session;
  }

  get browser(): Call<K>['browser'] {
    return { agent: this.#request.headers['user-agent'] ?? '', cookie: sessionCookie(this.#request) };
  }

  setSession(cookie: string | null): void {
    this.#reply.header('set-cookie', toSetCookie(this.#request, cookie));
  }
}

function isEventAnswer(answer: unknown): answer is EventAnswer {
  const events = (answer as Partial<EventAnswer>).events;
  return typeof events === 'object' && Symbol.asyncIterator in events;
}

/** An error before the first event is an ordinary error answer; one after it is the stream's last event. */
async function sendEvents(
  answer: EventAnswer,
  exchange: Exchange,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // The console's feed may be silent for long; its page wants to know at once that it is open.
  const feed = exchange.spec?.access === 'console';
  const source = exchange.turn ? afterTurn(exchange.turn, answer.events) : answer.events;
  const { events, isLate } = feed
    ? { events: source[Symbol.asyncIterator](), isLate: false }
    : await openEvents(source, exchange);
  recordUse(exchange, { streamed: true });
  const dialect = dialectOf(exchange.spec);
  const stream = toEventStream(events, {
    dialect,
    requestId: exchange.requestId,
    greeting: feed ? 'open' : isLate ? 'ping' : null,
    done: !feed,
    onComplete: () => {
      recordUse(exchange, { streamComplete: true });
      exchange.onComplete();
    },
    onFailure: (error) => {
      exchange.code = error instanceof ApiError ? error.code : 'internal_error';
      if (!(error instanceof ApiError)) reply.server.failures.ofRequest(error, exchange.requestId);
    },
  });
  reply.headers({
    'content-type': dialect.contentType,
    'cache-control': 'no-cache, no-transform',
  });
  return reply.send(stream);
}
