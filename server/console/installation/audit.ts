/** /console/audit: the record of administrative acts. */
import type { FastifyInstance } from 'fastify';
import { registerOperation } from '../../routes/operation.ts';
import { writeExport } from '../../services/audit/audit-export.ts';
import type { Services } from '../../services/create-services.ts';

const shownLines = 1_000;

export function registerConsoleAudit(app: FastifyInstance, { audit, signingKey }: Services): void {
  registerOperation(app, 'GET /console/audit', () => ({
    data: audit.lines(shownLines).reverse(),
    problem: audit.findBreak(),
  }));
  registerOperation(app, 'GET /console/audit/export', () => ({
    text: writeExport(audit.lines(), signingKey()),
  }));
}
