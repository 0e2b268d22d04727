/** /console/packs. */
import type { FastifyInstance } from 'fastify';
import { registerOperation } from '../routes/operation.ts';
import type { PackService } from '../services/console/packs.ts';

export function registerConsolePacks(app: FastifyInstance, packs: PackService): void {
  registerOperation(app, 'GET /console/packs', () => packs.overview());
  registerOperation(app, 'POST /console/packs/import', ({ body, signal }) =>
    packs.import(body.path, { signal, preset: body.preset ?? 'quality' }),
  );
  registerOperation(app, 'POST /console/packs/bind', ({ body }) => {
    packs.bind(body.role, body.pack);
    return packs.overview();
  });
  registerOperation(app, 'POST /console/packs/unload', async ({ body }) => {
    await packs.unload(body.pack);
    return packs.overview();
  });
  registerOperation(app, 'POST /console/packs/remove', async ({ body }) => {
    await packs.remove(body.pack);
    return packs.overview();
  });
}
