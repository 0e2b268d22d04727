/** The documents engine with the pack that ships. */

import { fileURLToPath } from 'node:url';
import { type DocumentsEngine, openEngine } from '../../../server/engine/documents/engine.ts';

const folder = fileURLToPath(new URL('../../../models/packs/parse-starter', import.meta.url));
const pack = { ref: 'parse-starter@0.1.0', folder, manifest: { files: [] } };

export const openStarter = (): Promise<DocumentsEngine> =>
  openEngine(pack, { threads: 2, providers: ['cpu'] });
