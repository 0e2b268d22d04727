/** POST /console/session: the one-time token becomes a cookie. */
import type { FastifyInstance } from 'fastify';
import { registerOperation } from '../routes/operation.ts';
import type { ConsoleSessions } from '../services/console/sessions.ts';

export function registerConsoleSession(app: FastifyInstance, sessions: ConsoleSessions): void {
  registerOperation(app, 'POST /console/session', (call) => {
    call.setSession(sessions.exchange(call.body.token));
    return { ok: true as const };
  });
}
