/** /console/settings, and the pictures and lines of pages for the document playground. */
import type { FastifyInstance } from 'fastify';
import type { SettingsPatch } from '../api/console/console.ts';
import { registerOperation } from '../routes/operation.ts';
import type { Services } from '../services/create-services.ts';

export function registerConsoleSettings(
  app: FastifyInstance,
  { settings, documents, events }: Services,
): void {
  registerOperation(app, 'GET /console/settings', () => settings.get());
  registerOperation(app, 'PATCH /console/settings', ({ body }) => {
    const changed = settings.update(body as SettingsPatch);
    events.publish({ type: 'settings' });
    return changed;
  });
  registerOperation(app, 'POST /console/documents/page', ({ body, signal }) =>
    documents.pageImage(body, signal),
  );
  registerOperation(app, 'POST /console/documents/lines', ({ body, signal }) =>
    documents.pageLines(body, signal),
  );
}
