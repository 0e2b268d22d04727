/** Name by which people know a model, from the path it is imported from. */
import { basename } from 'node:path';

/** The repository in a Hugging Face cache, else the file's or folder's own name; null for a blob that is named by its digest alone. */
export function sourceName(source: string): string | null {
  const [, cached] = /models--.+?--([^/\\]+)[/\\]snapshots[/\\][^/\\]+[/\\]?$/.exec(source) ?? [];
  if (cached !== undefined) return cached;
  const name = basename(source).replace(/\.gguf$/i, '');
  return /^sha256-[0-9a-f]{64}$/.test(name) ? null : name;
}
