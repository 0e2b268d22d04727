/** Links and files that the system hands to the app: a known page, or a file for the page's own dialogs. Never an act. */
import { readFileSync, statSync } from 'node:fs';
import { basename, extname, isAbsolute, resolve } from 'node:path';
import type { OpenRequest } from './bridge.ts';

export const linkScheme = 'lokal';

/** As in renderer/src/routes.tsx. */
export const linkedPages = [
  'documents',
  'moderation',
  'threats',
  'threats/rules',
  'embeddings',
  'chat',
  'images',
  'requests',
  'usage',
  'keys',
  'packs',
  'packs/models',
  'engines',
  'batches',
  'network',
  'audit',
  'diagnostics',
  'licences',
  'about',
  'settings',
];

/** Read here and handed to the page, which asks where they go. */
const documents = ['.pdf', '.png', '.jpg', '.jpeg', '.webp', '.gif', '.tif', '.tiff'];
/** Looked at by the server where they lie: they may be larger than memory. */
const packs = ['.gguf', '.lokalpack'];
const mostBytes = 256 * 1024 * 1024;

/** `lokal://documents`; null for anything but a known page, such as one with parameters. */
export function readLink(link: string): OpenRequest | null {
  const page = new RegExp(`^${linkScheme}://([a-z]+(?:/[a-z]+)?)/?$`).exec(link)?.[1];
  return page !== undefined && linkedPages.includes(page) ? { kind: 'page', page: `/${page}` } : null;
}

/** null for a kind of file that no page takes, one that is not there, and one too large to hand over. */
export function readOpenedFile(path: string): OpenRequest | null {
  const end = extname(path).toLowerCase();
  const info = statSync(path, { throwIfNoEntry: false });
  if (!info?.isFile()) return null;
  if (packs.includes(end)) return { kind: 'pack', path };
  if (!documents.includes(end) || info.size > mostBytes) return null;
  return { kind: 'file', name: basename(path), bytes: readFileSync(path) };
}

/** Of a command line: links and files in it; options and what belongs to them is neither. @param folder where it was given */
export function readArguments(args: string[], folder: string): OpenRequest[] {
  return args
    .filter((arg) => !arg.startsWith('-'))
    .map((arg) =>
      arg.startsWith(`${linkScheme}:`)
        ? readLink(arg)
        : readOpenedFile(isAbsolute(arg) ? arg : resolve(folder, arg)),
    )
    .filter((request) => request !== null);
}
