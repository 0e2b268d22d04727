/** /console: session, state, first run and playground key. */
import type { FastifyInstance } from 'fastify';
import { modelIds } from '../api/common.ts';
import { ApiError } from '../errors.ts';
import type { Engines } from '../hosts/engines.ts';
import { registerOperation } from '../routes/operation.ts';
import type { Services } from '../services/create-services.ts';
import { issuePlaygroundKey } from '../services/keys/playground.ts';

export interface ConsoleFacts {
  version: string;
  platform: string;
  dataFolder: string;
  /** Path of THIRD-PARTY-NOTICES.txt. */
  root: string;
  /** The baseURL for an OpenAI SDK. */
  baseUrl: () => string;
  /** Notices about this start for the person. */
  warnings: () => readonly string[];
  engines: Engines;
  now: () => number;
}

export function registerConsoleState(app: FastifyInstance, services: Services, facts: ConsoleFacts): void {
  const { keys, keyDirectory } = services;
  const isFirstRun = () => keys.list('owner').length === 0;

  registerOperation(app, 'GET /console/state', () => ({
    version: facts.version,
    base_url: facts.baseUrl(),
    first_run: isFirstRun(),
    platform: facts.platform,
    data_folder: facts.dataFolder,
    warnings: [...facts.warnings()],
    roles_ready: modelIds.filter((role) => services.engines.bound(role) !== null),
  }));

  registerOperation(app, 'POST /console/first-keys', () => {
    if (!isFirstRun()) throw new ApiError('conflict', 'There are keys already.');
    return {
      live: keys.create({ name: 'First live key', class: 'live', plan: 'enterprise' }, 'owner'),
      test: keys.create({ name: 'First test key', class: 'test', plan: 'enterprise' }, 'owner'),
    };
  });

  registerOperation(app, 'POST /console/playground-key', ({ session }) =>
    issuePlaygroundKey(keyDirectory, session!, facts.now()),
  );
}
