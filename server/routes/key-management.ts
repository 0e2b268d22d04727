/** /v1/keys: key management for programs, which never reaches beyond the managing key's own rights. */
import type { FastifyInstance } from 'fastify';
import type { KeyService } from '../services/keys/key-service.ts';
import { registerOperation } from './operation.ts';

export function registerKeys(app: FastifyInstance, keys: KeyService): void {
  registerOperation(app, 'GET /v1/keys', ({ caller }) => ({
    object: 'list' as const,
    data: keys.list(caller.principal),
  }));
  registerOperation(app, 'POST /v1/keys', ({ body, caller }) => keys.create(body, caller.principal));
  registerOperation(app, 'GET /v1/keys/{id}', ({ params, caller }) => keys.get(params.id!, caller.principal));
  registerOperation(app, 'PATCH /v1/keys/{id}', ({ params, body, caller }) =>
    keys.update(params.id!, body, caller.principal),
  );
  registerOperation(app, 'DELETE /v1/keys/{id}', ({ params, caller }) =>
    keys.revoke(params.id!, caller.principal),
  );
  registerOperation(app, 'POST /v1/keys/{id}/rotate', ({ params, body, caller }) =>
    keys.rotate(params.id!, body.overlap_seconds ?? 0, caller.principal),
  );
}
