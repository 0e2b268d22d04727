/** /v1/files and /v1/batches, and the operations that lines of batches ask for. */
import type { FastifyInstance } from 'fastify';
import type { BatchService } from '../services/batches/batches.ts';
import type { FileService } from '../services/batches/files.ts';
import type { Caller } from '../services/caller.ts';
import type { FailureLog } from '../services/failure-log.ts';
import type { KeyDirectory } from '../services/keys/key-directory.ts';
import { ownersOf } from '../services/keys/playground.ts';
import { createLinePerformer } from './batch-lines.ts';
import type { InferenceServices } from './inference.ts';
import { registerOperation } from './operation.ts';

export interface BatchRoutesDeps extends InferenceServices {
  files: FileService;
  batches: BatchService;
  failures: FailureLog;
  keyDirectory: Pick<KeyDirectory, 'firstOf'>;
}

export function registerBatches(app: FastifyInstance, services: BatchRoutesDeps): void {
  const { files, batches, keyDirectory } = services;
  const ownerOfKey = ownersOf(keyDirectory);
  const ownerOf = ({ principal }: Caller) => ownerOfKey(principal);
  registerOperation(app, 'POST /v1/files', ({ body, caller }) => files.create(body, caller));
  registerOperation(app, 'GET /v1/files', ({ query, caller }) => files.list(query, caller));
  registerOperation(app, 'GET /v1/files/{id}', ({ params, caller }) =>
    files.get(params.id!, ownerOf(caller)),
  );
  registerOperation(app, 'DELETE /v1/files/{id}', ({ params, caller }) =>
    files.remove(params.id!, ownerOf(caller)),
  );
  registerOperation(app, 'GET /v1/files/{id}/content', ({ params, caller }) =>
    files.content(params.id!, ownerOf(caller)),
  );
  registerOperation(app, 'POST /v1/batches', ({ body, caller }) => batches.create(body, caller));
  registerOperation(app, 'GET /v1/batches', ({ query, caller }) => batches.list(query, caller));
  registerOperation(app, 'GET /v1/batches/{id}', ({ params, caller }) =>
    batches.get(params.id!, ownerOf(caller)),
  );
  registerOperation(app, 'POST /v1/batches/{id}/cancel', ({ params, caller }) =>
    batches.cancel(params.id!, ownerOf(caller)),
  );
  app.addHook('onReady', (done) => {
    batches.start(createLinePerformer(services));
    done();
  });
  app.addHook('preClose', () => batches.stop());
}
