/** The moderation starter, and detection of personal data by what it knows. */
import { fileURLToPath } from 'node:url';
import { loadPiiDetector } from '../../../server/engine/moderation/pii/detect-pii.ts';

export const shieldStarter = {
  folder: fileURLToPath(new URL('../../../models/packs/shield-starter', import.meta.url)),
  manifest: {},
};

export const detectPii = await loadPiiDetector(shieldStarter);
