import { readFileSync } from 'node:fs';

export interface Probe {
  language: string;
  /** The category the text belongs to, or null for benign text. */
  category: string | null;
  /** `hate` or `look-alike` for benign text: what it looks like. */
  kind: string;
  text: string;
}

/** The functional probes beside this file. */
export function readProbes(): Probe[] {
  const probes: Probe[] = [];
  let heading: string[] = [];
  for (const line of readFileSync(new URL('probes.txt', import.meta.url), 'utf8').split('\n')) {
    if (line.startsWith('==')) heading = line.slice(2).trim().split(' ');
    else if (line.trim() !== '' && !line.startsWith('#')) {
      const [language = '', label = '', kind = ''] = heading;
      probes.push({ language, category: label === 'benign' ? null : label, kind: kind || label, text: line });
    }
  }
  return probes;
}
