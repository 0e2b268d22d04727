/** /console/work. */
import type { FastifyInstance } from 'fastify';
import { registerOperation } from '../routes/operation.ts';
import type { WorkRecordService } from '../services/console/work-records.ts';

const ok = { ok: true as const };

export function registerConsoleWork(app: FastifyInstance, records: WorkRecordService): void {
  registerOperation(app, 'GET /console/work', () => ({ data: records.list() }));
  registerOperation(app, 'GET /console/work/{id}', ({ params }) => records.get(params.id!));
  registerOperation(app, 'PUT /console/work/{id}', ({ params, body }) => records.put(params.id!, body));
  registerOperation(app, 'PATCH /console/work/{id}', ({ params, body }) => records.patch(params.id!, body));
  registerOperation(app, 'DELETE /console/work/{id}', ({ params }) => {
    records.remove(params.id!);
    return ok;
  });
  registerOperation(app, 'DELETE /console/work', () => {
    records.clear();
    return ok;
  });
}
