/** Bahasa Melayu. Words that must stay the same are in the README. */
import type { Catalogue } from './catalogue.ts';
import { about } from './ms/about.ts';
import { advice } from './ms/advice.ts';
import { chat } from './ms/chat.ts';
import { diagnostics } from './ms/diagnostics.ts';
import { documents } from './ms/documents.ts';
import { engines } from './ms/engines.ts';
import { frame } from './ms/frame.ts';
import { images } from './ms/images.ts';
import { keys } from './ms/keys.ts';
import { moderation } from './ms/moderation.ts';
import { packs } from './ms/packs.ts';
import { settings } from './ms/settings.ts';
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
} from './ms/small.ts';
import { threats } from './ms/threats.ts';
import { work } from './ms/work.ts';

export const ms: Catalogue = {
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
