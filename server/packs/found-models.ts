/**
 * Models that other programs have brought to this machine: Ollama's blobs under the names of its manifests, LM Studio's files,
 * folders of the Hugging Face cache. Only listed here; the import reads them where they lie.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FoundModel } from '../api/console/packs.ts';
import { detectSourceKind } from './imports/detect-source-kind.ts';

/** Folders to look in; those that are not there hold nothing. */
export interface ModelCaches {
  /** Each with `manifests` and `blobs`. */
  ollama: string[];
  /** Each with `publisher/repository/file.gguf`. */
  lmStudio: string[];
  /** Each with `models--publisher--repository/snapshots/revision`. */
  huggingFace: string[];
}

const mostFound = 200;

export async function findModels(caches: ModelCaches): Promise<FoundModel[]> {
  const found = await Promise.all([
    ...caches.ollama.map(inOllama),
    ...caches.lmStudio.map(inLmStudio),
    ...caches.huggingFace.map(inHuggingFace),
  ]);
  return found
    .flat()
    .sort((a, b) => a.name.localeCompare(b.name))
    .slice(0, mostFound);
}

/** Null for what is nothing to import. */
async function toFound(source: FoundModel['source'], name: string, path: string): Promise<FoundModel | null> {
  const kind = await detectSourceKind(path).catch(() => null);
  return kind && { source, name, path, kind, size_bytes: await sizeOf(path) };
}

const present = <T>(values: (T | null)[]): T[] => values.filter((value) => value !== null);

async function inOllama(root: string): Promise<FoundModel[]> {
  const manifests = join(root, 'manifests');
  const found: (FoundModel | null)[] = [];
  for (const [registry, namespace, model, tag] of await pathsOf(manifests, 4)) {
    const digest = await modelDigest(join(manifests, registry!, namespace!, model!, tag!));
    if (digest === null) continue;
    const name = `${namespace === 'library' ? '' : `${namespace}/`}${model}:${tag}`;
    found.push(await toFound('ollama', name, join(root, 'blobs', digest.replace(':', '-'))));
  }
  return present(found);
}

interface OllamaManifest {
  layers?: { mediaType?: string; digest?: string }[];
}

async function modelDigest(path: string): Promise<string | null> {
  try {
    const { layers = [] } = JSON.parse(await readFile(path, 'utf8')) as OllamaManifest;
    const digest = layers.find(({ mediaType }) => mediaType === 'application/vnd.ollama.image.model')?.digest;
    return digest !== undefined && /^sha256:[0-9a-f]{64}$/.test(digest) ? digest : null;
  } catch {
    return null;
  }
}

async function inLmStudio(root: string): Promise<FoundModel[]> {
  const found: (FoundModel | null)[] = [];
  for (const parts of await pathsOf(root, 3)) {
    const file = parts.at(-1)!;
    // A projector is half of a model that sees, and serves nothing by itself.
    if (!/\.gguf$/i.test(file) || /^mmproj/i.test(file)) continue;
    found.push(await toFound('lm_studio', `${parts[0]}/${basename(file, '.gguf')}`, join(root, ...parts)));
  }
  return present(found);
}

async function inHuggingFace(root: string): Promise<FoundModel[]> {
  const found: (FoundModel | null)[] = [];
  for (const [repository, folder, revision] of await pathsOf(root, 3)) {
    const [, publisher, name] = /^models--(.+?)--(.+)$/.exec(repository!) ?? [];
    if (name === undefined || folder !== 'snapshots') continue;
    const snapshot = join(root, repository!, folder, revision!);
    found.push(await toFound('hugging_face', `${publisher}/${name}`, snapshot));
    for (const file of await namesOf(snapshot))
      if (/\.gguf$/i.test(file) && !/^mmproj/i.test(file))
        found.push(await toFound('hugging_face', `${publisher}/${file}`, join(snapshot, file)));
  }
  return present(found);
}

const namesOf = (folder: string): Promise<string[]> =>
  readdir(folder).then(
    (names) => names.filter((name) => !name.startsWith('.')),
    () => [],
  );

/** Names on the way to everything that lies `depth` deep. */
async function pathsOf(root: string, depth: number): Promise<string[][]> {
  let level: string[][] = [[]];
  for (let at = 0; at < depth; at += 1) {
    const next = await Promise.all(
      level.map(async (parts) => (await namesOf(join(root, ...parts))).map((name) => [...parts, name])),
    );
    level = next.flat().slice(0, 2_000);
  }
  return level;
}

/** Links of a cache count as what they lead to. */
async function sizeOf(path: string): Promise<number> {
  const info = await stat(path);
  if (info.isFile()) return info.size;
  const sizes = (await namesOf(path)).map(async (name) => {
    const inner = await stat(join(path, name)).catch(() => null);
    return inner?.isFile() ? inner.size : 0;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
