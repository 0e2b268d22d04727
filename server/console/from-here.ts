/** For operations that reach into this machine: whoever holds the session, they are asked for from here. */
import type { FastifyInstance } from 'fastify';
import { isLoopback } from '../config.ts';
import { ApiError } from '../errors.ts';

/** @param message tells what is refused to others */
export function registerFromHere(
  app: FastifyInstance,
  message: string,
  register: (scope: FastifyInstance) => void,
): void {
  // A scope of its own: its hook is for these operations alone.
  app.register(async (scope) => {
    scope.addHook('preHandler', async ({ socket }) => {
      if (!isLoopback((socket.remoteAddress ?? '').replace(/^::ffff:/i, '')))
        throw new ApiError('ip_not_allowed', message);
    });
    register(scope);
  });
}
