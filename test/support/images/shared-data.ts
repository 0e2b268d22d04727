/** Public pictures and clips beside the repository; tests that need them skip themselves by name where they are not. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const sharedFolder = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));

export const fixtureFolder = `${sharedFolder}img-sharp-fixtures/`;
export const clipFolder = `${sharedFolder}video-localai-clips/`;
export const hasFixtures = existsSync(fixtureFolder);
export const hasClips = existsSync(clipFolder);

/** Rows of a folder's INDEX.tsv by column name. */
export function readIndex(folder: string): Record<string, string>[] {
  const [header = [], ...rows] = readFileSync(`${folder}INDEX.tsv`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])));
}
