/** /console/session and /console/sessions: how a session begins, which there are, and how they end. */
import type { FastifyInstance } from 'fastify';
import { registerOperation } from '../routes/operation.ts';
import { type ConsoleSessions, idleLifeMs } from '../services/console/sessions.ts';

const ok = { ok: true as const };

export function registerConsoleSession(app: FastifyInstance, sessions: ConsoleSessions): void {
  registerOperation(app, 'POST /console/session', (call) => {
    const session = sessions.exchange(call.body.token, call.browser);
    call.setSession(session.cookie);
    return { secret: session.secret, idle_seconds: idleLifeMs / 1000 };
  });
  registerOperation(app, 'DELETE /console/session', (call) => {
    sessions.end(call.session!);
    call.setSession(null);
    return ok;
  });
  registerOperation(app, 'GET /console/sessions', (call) => ({
    data: sessions.list().map(({ id, agent, createdMs, usedMs }) => ({
      id,
      agent,
      created: Math.floor(createdMs / 1000),
      last_used: Math.floor(usedMs / 1000),
      current: id === call.session,
    })),
  }));
  registerOperation(app, 'DELETE /console/sessions/{id}', (call) => {
    sessions.end(call.params.id!);
    return ok;
  });
  registerOperation(app, 'DELETE /console/sessions', (call) => {
    sessions.endAll();
    call.setSession(null);
    return ok;
  });
}
