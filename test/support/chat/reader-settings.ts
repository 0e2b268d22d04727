/** The starter's words and thresholds for reading. */
import { readFileSync } from 'node:fs';
import { readSettings } from '../../../server/engine/chat/reader/settings.ts';

export const settings = readSettings(
  JSON.parse(
    readFileSync(new URL('../../../models/packs/lingua-starter/reader.json', import.meta.url), 'utf8'),
  ),
);
