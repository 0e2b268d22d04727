/** /console/program: which version runs, and another one in its place. */
import type { FastifyInstance } from 'fastify';
import { registerOperation } from '../../routes/operation.ts';
import type { ProgramService } from '../../services/console/program.ts';

const ok = { ok: true as const };

export function registerConsoleProgram(app: FastifyInstance, program: ProgramService): void {
  registerOperation(app, 'GET /console/program', () => program.state());
  registerOperation(app, 'POST /console/program/check', ({ body }) => program.check(body.path));
  registerOperation(app, 'POST /console/program/update', async ({ body }) => {
    await program.update(body.path);
    return ok;
  });
  registerOperation(app, 'POST /console/program/undo', () => {
    program.undo();
    return ok;
  });
}
