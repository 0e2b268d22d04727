/** /console/watched-folders: they read and write files, so they are managed from this machine alone. */
import type { FastifyInstance } from 'fastify';
import { registerOperation } from '../routes/operation.ts';
import type { WatchedFolderService } from '../services/folders/watched-folders.ts';
import { registerFromHere } from './from-here.ts';

export function registerConsoleWatchedFolders(app: FastifyInstance, folders: WatchedFolderService): void {
  app.addHook('onReady', async () => folders.resume());
  app.addHook('onClose', async () => folders.close());
  registerFromHere(app, 'Watched folders are managed from this machine alone.', (scope) => {
    registerOperation(scope, 'GET /console/watched-folders', () => folders.list());
    registerOperation(scope, 'POST /console/watched-folders', ({ body }) => folders.add(body));
    registerOperation(scope, 'DELETE /console/watched-folders/{id}', ({ params }) => {
      folders.remove(params.id!);
      return { ok: true as const };
    });
    registerOperation(scope, 'POST /console/watched-folders/{id}/start', ({ params }) =>
      folders.start(params.id!),
    );
    registerOperation(scope, 'POST /console/watched-folders/{id}/stop', ({ params }) =>
      folders.stop(params.id!),
    );
  });
}
