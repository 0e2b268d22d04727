/** A call on its way through an engine, in a host as in a thread of it. */
import type { HostKind, ItemOf, MethodOf, ResultOf } from './contract.ts';
import { type CallContext, EngineError, type EngineMethods } from './engine.ts';
import { traceOf } from './failure-trace.ts';
import type { CallMessage, CallReply, Failure } from './protocol.ts';

/** Sends the items as they come, then the result or the failure. Never throws. */
export async function answerCall<Kind extends HostKind, Method extends MethodOf<Kind>>(
  methods: EngineMethods<Kind>,
  { id, method, params }: CallMessage<Kind, Method>,
  { send, ...context }: CallContext & { send: (reply: CallReply<Kind, Method>) => void },
): Promise<void> {
  try {
    const answer: AsyncIterable<ItemOf<Kind, Method>> | Promise<ResultOf<Kind, Method>> = methods[method](
      params,
      context,
    );
    if (!(Symbol.asyncIterator in answer)) return send({ type: 'done', id, value: await answer });
    for await (const value of answer) {
      if (context.signal.aborted) return;
      send({ type: 'item', id, value });
    }
    send({ type: 'done', id, value: null });
  } catch (error) {
    send({ type: 'failed', id, failure: toFailure(error, 'The engine failed.') });
  }
}

/** Only an EngineError's words leave the host: other texts may quote the payload. */
export function toFailure(error: unknown, otherwise: string): Failure {
  const known = error instanceof EngineError;
  const { code, message, param } = known
    ? error
    : { code: 'internal_error', message: otherwise, param: null };
  return { code, message, param, ...(code === 'internal_error' && { trace: traceOf(error) }) };
}
