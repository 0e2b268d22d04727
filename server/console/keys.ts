/** /console/keys: the person manages all keys. */
import type { FastifyInstance } from 'fastify';
import { registerOperation } from '../routes/operation.ts';
import type { KeyService } from '../services/keys/key-service.ts';

export function registerConsoleKeys(app: FastifyInstance, keys: KeyService): void {
  registerOperation(app, 'GET /console/keys', () => ({ object: 'list' as const, data: keys.list('owner') }));
  registerOperation(app, 'POST /console/keys', ({ body }) => keys.create(body, 'owner'));
  registerOperation(app, 'PATCH /console/keys/{id}', ({ params, body }) =>
    keys.update(params.id!, body, 'owner'),
  );
  registerOperation(app, 'DELETE /console/keys/{id}', ({ params }) => keys.revoke(params.id!, 'owner'));
  registerOperation(app, 'POST /console/keys/{id}/rotate', ({ params, body }) =>
    keys.rotate(params.id!, body.overlap_seconds ?? 0, 'owner'),
  );
}
