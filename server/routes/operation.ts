/** Registers an operation of server/api/operations.ts: path, body schema, access rules and both kinds of answer. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type BodyOf,
  type Operation,
  type OperationKey,
  type OperationSpec,
  operations,
  type ResponseOf,
  splitOperation,
} from '../api/operations.ts';
import { toSetCookie } from '../plugins/admission/console-session.ts';
import type { Exchange } from '../plugins/exchange.ts';
import type { Caller } from '../services/caller.ts';
import { openEvents, untilCancelled } from './events.ts';
import { toEventStream } from './sse.ts';

/** What a handler gets: validated, with defaults filled in. */
export interface Call<K extends OperationKey> {
  body: BodyOf<K>;
  params: Record<string, string>;
  query: Record<string, unknown>;
  /** The admitted key's caller; null on console and open operations. */
  caller: Operation<K>['access'] extends 'api' ? Caller : null;
  requestId: string;
  /** Aborts when the client is gone, the key is revoked or the server stops. */
  signal: AbortSignal;
  /** Starts a console session in the caller's browser. */
  setSession(session: string): void;
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
  app.route({
    method,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    // An event stream has no end, so a HEAD of it would never be answered.
    exposeHeadRoute: method === 'GET' && !spec.event,
    config: { operation: key },
    ...(spec.body ? { schema: { body: spec.body } } : {}),
    handler: async (request, reply) => {
      const { exchange } = request;
      const work = handler(toCall<K>(request, reply));
      // Short reads settle before a cancellation could matter.
      const answer = spec.inference ? await untilCancelled(Promise.resolve(work), exchange) : await work;
      if (isEventAnswer(answer)) return sendEvents(answer, exchange, reply);
      reply.code(status);
      return answer;
    },
  });
}

function toCall<K extends OperationKey>(request: FastifyRequest, reply: FastifyReply): Call<K> {
  const { exchange } = request;
  return {
    body: request.body as BodyOf<K>,
    params: request.params as Record<string, string>,
    query: request.query as Record<string, unknown>,
    caller: exchange.caller as Call<K>['caller'],
    requestId: exchange.requestId,
    get signal() {
      return exchange.signal;
    },
    setSession: (session) => void reply.header('set-cookie', toSetCookie(request, session)),
  };
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
  const events = feed ? answer.events : await openEvents(answer.events, exchange);
  const stream = toEventStream(events, {
    greet: feed,
    done: !feed,
    onComplete: () => {
      exchange.meter.streamComplete = true;
    },
    onDefect: (error) => reply.log.error({ err: error }, 'a stream broke off'),
  });
  reply.headers({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
  });
  return reply.send(stream);
}
