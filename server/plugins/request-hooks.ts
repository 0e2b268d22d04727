/** Steps of every request on arrival, in one hook: each hook of its own would cost as much as its step does. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Throws to refuse; a step that answers ends the way. */
export type RequestHook = (request: FastifyRequest, reply: FastifyReply) => void;

export function onRequestHooks(app: FastifyInstance, steps: readonly RequestHook[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    for (const step of steps) {
      step(request, reply);
      if (reply.sent) return;
    }
    done();
  });
}
