/** Reads THIRD-PARTY-NOTICES.txt: what of other people is in Lokal, and under which licences. `npm run licences` writes it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './start-error.ts';

/** Begins a section, and stands nowhere else on a line of its own. */
const bar = '='.repeat(80);
const line = '-'.repeat(80);

export interface NoticePart {
  name: string;
  version: string;
  licence: string;
}

export interface LicenceSection {
  /** Those that share the text. */
  parts: NoticePart[];
  text: string;
}

export function parseNotices(text: string): LicenceSection[] {
  return text
    .split(`${bar}\n`)
    .slice(1)
    .map((section) => {
      const end = section.indexOf(`${line}\n`);
      const heads = section.slice(0, end).trim().split('\n');
      return { parts: heads.map(parseHead), text: section.slice(end + line.length + 1).trim() };
    });
}

function parseHead(head: string): NoticePart {
  const [, name = '', version = '', licence = ''] = /^(\S+) (\S+) \((.*)\)$/.exec(head) ?? [];
  return { name, version, licence };
}

/** The file's whole text. @throws StartError where it was not written yet */
export function readNotices(root: string): string {
  try {
    return readFileSync(join(root, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  } catch {
    throw new StartError('THIRD-PARTY-NOTICES.txt is missing; `npm run licences` writes it.');
  }
}
