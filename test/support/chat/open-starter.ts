/** The shipped chat pack in its engine. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openEngine } from '../../../server/engine/chat/engine.ts';
import type { Engine } from '../../../server/engine/engine.ts';

const folder = fileURLToPath(new URL('../../../models/packs/lingua-starter', import.meta.url));

export const openStarter = (): Promise<Engine<'chat'>> =>
  openEngine(
    {
      ref: 'lingua-starter',
      folder,
      manifest: JSON.parse(readFileSync(`${folder}/manifest.json`, 'utf8')),
    },
    { threads: 1, providers: ['cpu'] },
  );
