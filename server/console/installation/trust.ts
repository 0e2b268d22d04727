/** /console/trust: the signers whose packs count as known. */
import type { FastifyInstance } from 'fastify';
import { registerOperation } from '../../routes/operation.ts';
import type { TrustService } from '../../services/console/trust.ts';

export function registerConsoleTrust(app: FastifyInstance, trust: TrustService): void {
  registerOperation(app, 'GET /console/trust', () => ({ data: trust.list() }));
  registerOperation(app, 'POST /console/trust', ({ body }) => trust.add(body));
  registerOperation(app, 'DELETE /console/trust/{id}', ({ params }) => {
    trust.remove(params.id!);
    return { ok: true as const };
  });
}
