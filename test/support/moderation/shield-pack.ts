/** The moderation starter, and detection of personal data by what it knows. */
import { fileURLToPath } from 'node:url';
import { loadPiiDetector } from '../../../server/engine/moderation/pii/detect-pii.ts';
import type { PiiMatch } from '../../../server/engine/moderation/pii/match.ts';
import { loadSimplified } from '../../../server/engine/moderation/text/simplified.ts';
import { finish } from '../../../server/engine/steps.ts';

export const shieldStarter = {
  folder: fileURLToPath(new URL('../../../models/packs/shield-starter', import.meta.url)),
  manifest: {},
};

export const simplified = await loadSimplified(shieldStarter);

const detect = await loadPiiDetector(shieldStarter);

export const detectPii = (text: string): PiiMatch[] => finish(detect(text));
