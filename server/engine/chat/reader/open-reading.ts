import { readFile } from 'node:fs/promises';
import { loadEntityModel } from '../../entities/load-entities.ts';
import { type ReaderFiles, refuseChatPack } from '../pack.ts';
import type { ReadingSettings } from './context.ts';
import type { Entities } from './listed-names.ts';
import { Reader } from './reader.ts';
import { readSettings } from './settings.ts';
import { WordTable } from './word-table.ts';

export interface OpenReading {
  reader: Reader;
  settings: ReadingSettings;
  entities: Entities;
}

/** @throws EngineError internal_error when the pack's files are not a reader */
export async function openReading({
  folder,
  graphPath,
  settings,
  wordsPath,
}: ReaderFiles): Promise<OpenReading> {
  const entities = await loadEntityModel({ folder, starter: undefined });
  try {
    const words = new WordTable(await readFile(wordsPath));
    return { entities, settings: readSettings(settings), reader: await Reader.open(graphPath, words) };
  } catch {
    throw refuseChatPack('its reader cannot be opened.');
  }
}
