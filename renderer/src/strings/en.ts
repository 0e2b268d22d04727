/** Every string of the interface. One catalogue a language, a file a page; keys say where a text stands. */

import { about } from './en/about.ts';
import { advice } from './en/advice.ts';
import { audit } from './en/audit.ts';
import { batches } from './en/batches.ts';
import { chat } from './en/chat.ts';
import { diagnostics } from './en/diagnostics.ts';
import { documents } from './en/documents.ts';
import { embeddings } from './en/embeddings.ts';
import { engines } from './en/engines.ts';
import { frame } from './en/frame.ts';
import { images } from './en/images.ts';
import { keys } from './en/keys.ts';
import { licences } from './en/licences.ts';
import { moderation } from './en/moderation.ts';
import { network } from './en/network.ts';
import { packs } from './en/packs.ts';
import { requests } from './en/requests.ts';
import { rules } from './en/rules.ts';
import { settings } from './en/settings.ts';
import { threats } from './en/threats.ts';
import { usage } from './en/usage.ts';
import { welcome } from './en/welcome.ts';
import { work } from './en/work.ts';

export const en = {
  ...frame,
  documents,
  keys,
  requests,
  usage,
  batches,
  packs,
  advice,
  engines,
  settings,
  welcome,
  moderation,
  threats,
  rules,
  embeddings,
  chat,
  images,
  network,
  audit,
  about,
  licences,
  diagnostics,
  work,
} as const;
