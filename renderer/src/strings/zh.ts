/** Simplified Chinese. Words that must stay the same are in the README. */
import type { Catalogue } from './catalogue.ts';
import { about } from './zh/about.ts';
import { advice } from './zh/advice.ts';
import { chat } from './zh/chat.ts';
import { diagnostics } from './zh/diagnostics.ts';
import { documents } from './zh/documents.ts';
import { engines } from './zh/engines.ts';
import { frame } from './zh/frame.ts';
import { images } from './zh/images.ts';
import { keys } from './zh/keys.ts';
import { moderation } from './zh/moderation.ts';
import { packs } from './zh/packs.ts';
import { settings } from './zh/settings.ts';
import {
  audit,
  batches,
  embeddings,
  licences,
  network,
  requests,
  rules,
  usage,
  welcome,
} from './zh/small.ts';
import { threats } from './zh/threats.ts';
import { work } from './zh/work.ts';

export const zh: Catalogue = {
  ...frame,
  documents,
  keys,
  requests,
  usage,
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
  batches,
  licences,
  diagnostics,
  work,
};
