/** /console/packs. */
import type { FastifyInstance } from 'fastify';
import { registerOperation } from '../routes/operation.ts';
import type { PackService } from '../services/console/packs.ts';
import { decodeBase64 } from '../services/files/request-file.ts';

export function registerConsolePacks(app: FastifyInstance, packs: PackService): void {
  registerOperation(app, 'GET /console/packs', () => packs.overview());
  registerOperation(app, 'GET /console/packs/machine', () => packs.machine(false));
  registerOperation(app, 'POST /console/packs/machine', () => packs.machine(true));
  registerOperation(app, 'GET /console/packs/found', async () => ({ data: await packs.found() }));
  registerOperation(app, 'POST /console/packs/checksum', async ({ body, signal }) => ({
    data: await packs.checksums(body, signal),
  }));
  registerOperation(app, 'POST /console/packs/browse', ({ body }) => packs.browse(body.path, body.name));
  registerOperation(app, 'PUT /console/packs/uploads/{id}', async ({ params, body }) => {
    const bytes = decodeBase64(body.data, 'data');
    return { size_bytes: await packs.upload(params.id!, { path: body.path, offset: body.offset, bytes }) };
  });
  registerOperation(app, 'DELETE /console/packs/uploads/{id}', async ({ params }) => {
    await packs.forgetUpload(params.id!);
    return { ok: true as const };
  });
  registerOperation(app, 'POST /console/packs/estimate', ({ body, signal }) => packs.estimate(body, signal));
  registerOperation(app, 'POST /console/packs/import', ({ body, signal }) =>
    packs.import(body, { signal, preset: body.preset ?? 'quality' }),
  );
  registerOperation(app, 'POST /console/packs/bind', ({ body }) => {
    packs.bind(body.role, body.pack, body.task);
    return packs.overview();
  });
  registerOperation(app, 'POST /console/packs/options', async ({ body }) => {
    await packs.setOptions(body.pack, body.options);
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
