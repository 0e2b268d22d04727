/** /console/engines and /console/engine-routes: remote engines and where requests go. */
import type { FastifyInstance } from 'fastify';
import type { RemoteEngines } from '../engines/remote-engines.ts';
import { registerOperation } from '../routes/operation.ts';

export function registerConsoleEngines(app: FastifyInstance, engines: RemoteEngines): void {
  registerOperation(app, 'GET /console/engines', () => engines.list());
  registerOperation(app, 'POST /console/engines', ({ body, signal }) => engines.add(body, signal));
  registerOperation(app, 'PATCH /console/engines/{id}', ({ params, body, signal }) =>
    engines.change(params.id!, body, signal),
  );
  registerOperation(app, 'DELETE /console/engines/{id}', ({ params }) => {
    engines.remove(params.id!);
    return { ok: true as const };
  });
  registerOperation(app, 'POST /console/engines/{id}/trial', ({ params, signal }) =>
    engines.try(params.id!, signal),
  );
  registerOperation(app, 'PUT /console/engine-routes', ({ body }) => engines.setRoute(body));
  registerOperation(app, 'DELETE /console/engine-routes/{role}', ({ params }) =>
    engines.removeRoute(params.role!),
  );
}
