/** /console/batches: those of all keys, and the files that they read and write. */
import type { FastifyInstance } from 'fastify';
import { registerOperation } from '../routes/operation.ts';
import type { Services } from '../services/create-services.ts';
import { personOf, playgroundPrincipal } from '../services/keys/playground.ts';

const ok = { ok: true as const };

export function registerConsoleBatches(
  app: FastifyInstance,
  { batches, files, keyDirectory }: Services,
): void {
  registerOperation(app, 'GET /console/batches', () => ({
    data: batches.all().map(({ owner, keyId, batch }) => ({
      ...batch,
      key_id: owner,
      key_name: personOf(keyId)?.name ?? keyDirectory.find(owner)?.row.name ?? playgroundPrincipal.name,
    })),
  }));
  registerOperation(app, 'POST /console/batches/{key}/{id}/cancel', ({ params }) => {
    batches.cancel(params.id!, params.key!);
    return ok;
  });
  registerOperation(app, 'DELETE /console/batches/{key}/{id}', ({ params }) => {
    batches.remove(params.id!, params.key!);
    return ok;
  });
  registerOperation(app, 'GET /console/files/{key}/{id}/content', ({ params }) =>
    files.content(params.id!, params.key!),
  );
}
