/** Texts written for this pack by twenty-three authors; nineteen had seen neither rules nor code: `family<TAB>text`, ⏎ for a line break. */
import { readFileSync } from 'node:fs';

export const authors = [
  'alerts',
  'messages',
  'events',
  'malay-chinese',
  'administration',
  'offices',
  'customers',
  'desks',
  'night',
  'east',
  'plain',
  'twins',
  'contrast',
  'quiet',
  'day',
  'requests',
  'web',
  'evening',
  'midnight',
  'lookalikes',
  'tongues',
  'carried',
  'sites',
  'mainland',
] as const;

export interface WrittenRow {
  family: string;
  text: string;
}

export const writtenRows = (set: 'attacks' | 'ordinary', author: (typeof authors)[number]): WrittenRow[] =>
  readFileSync(new URL(`written/${author}-${set}.tsv`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [family = '', text = ''] = line.split('\t');
      return { family, text: text.replaceAll('⏎', '\n') };
    });
