import { readFile } from 'node:fs/promises';
import { type ReaderFiles, refuseChatPack } from '../pack.ts';
import type { ReadingSettings } from './context.ts';
import { Reader } from './reader.ts';
import { readSettings } from './settings.ts';
import { WordTable } from './word-table.ts';

export interface OpenReading {
  reader: Reader;
  settings: ReadingSettings;
}

/** @throws EngineError internal_error when the pack's files are not a reader */
export async function openReading({ graphPath, settings, wordsPath }: ReaderFiles): Promise<OpenReading> {
  try {
    const words = new WordTable(await readFile(wordsPath));
    return { settings: readSettings(settings), reader: await Reader.open(graphPath, words) };
  } catch {
    throw refuseChatPack('its reader cannot be opened.');
  }
}
