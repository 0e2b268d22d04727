/**
 * Attacks and ordinary lines by family, one a line under `## FAMILY HALF`. Whole families are held back: those called `held`
 * are never read while tuning, only counted, so that what is found there was not written for them.
 */
import { readFileSync } from 'node:fs';
import type { BlindRow, BlindSet } from '../threat-blind/score.ts';

export type Half = 'tune' | 'held';

export function familyRows(set: BlindSet, half: Half): BlindRow[] {
  const rows: BlindRow[] = [];
  let [family, of] = ['', ''];
  for (const line of readFileSync(new URL(`${set}.txt`, import.meta.url), 'utf8').split('\n')) {
    if (line.startsWith('## ')) [family, of] = line.slice(3).split(' ') as [string, string];
    else if (line !== '' && of === half)
      // Mails have lines, commands a backslash and an n.
      rows.push({
        id: `${family}-${rows.length}`,
        family,
        group: family,
        text: family.includes('mail') ? line.replaceAll('\\n', '\n') : line,
      });
  }
  return rows;
}
