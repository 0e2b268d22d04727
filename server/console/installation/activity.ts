/** /console: usage, the request log and live events. */
import type { FastifyInstance } from 'fastify';
import { registerOperation } from '../../routes/operation.ts';
import type { Services } from '../../services/create-services.ts';

const usageDays = 30;
const shownRequests = 500;

export function registerConsoleActivity(app: FastifyInstance, { usage, requestLog, events }: Services): void {
  registerOperation(app, 'GET /console/usage', () => ({ data: usage.report(usageDays) }));
  registerOperation(app, 'GET /console/requests', () => ({ data: requestLog.latest(shownRequests) }));
  registerOperation(app, 'DELETE /console/requests', () => {
    requestLog.clear();
    return { ok: true as const };
  });
  registerOperation(app, 'GET /console/events', ({ signal }) => ({ events: events.subscribe(signal) }));
}
