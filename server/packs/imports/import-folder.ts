/** A folder of files becomes a pack: files of it copied as they lie, and a manifest written beside them. */
import { cp, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sourceName } from '../../engine/source-name.ts';
import { type Manifest, parseManifest } from '../manifest.ts';
import { readSmallFile } from '../small-file.ts';
import { hashFile } from '../verify.ts';

const deepest = 3;
/** Resident memory is the weights and as much again for arenas and activations, at least. */
const overheadMb = 150;

export const encoderMemoryMb = (sizeBytes: number): number =>
  Math.ceil((sizeBytes / 1_048_576) * 1.5 + overheadMb);

export interface FolderImport {
  source: string;
  /** The pack's folder to be, empty. */
  staging: string;
  /** Files to take along. */
  paths: readonly string[];
  signal: AbortSignal;
}

/** Told by the kind of model; more members are its engine's. */
export type PackDescription = Pick<Manifest, 'roles' | 'engine' | 'description'> &
  Partial<Pick<Manifest, 'name' | 'version'>> & { baseMemoryMb?: number } & Record<string, unknown>;

export async function importFolder(
  { source, staging, paths, signal }: FolderImport,
  { baseMemoryMb = 0, ...description }: PackDescription,
): Promise<Manifest> {
  const files: Manifest['files'] = [];
  for (const path of paths) {
    signal.throwIfAborted();
    const target = join(staging, path);
    await mkdir(dirname(target), { recursive: true });
    await cp(join(source, path), target);
    files.push({ path, size_bytes: (await stat(target)).size, sha256: await hashFile(target) });
  }
  const sizeBytes = files.reduce((sum, file) => sum + file.size_bytes, 0);
  const manifest: Manifest = {
    id: toId(sourceName(source) ?? 'model'),
    version: '1',
    name: (sourceName(source) ?? 'model').slice(0, 200),
    publisher: 'imported',
    format: 'onnx',
    files,
    licence: 'as stated by the model’s publisher',
    languages: [],
    status: 'imported',
    memory_mb: baseMemoryMb + encoderMemoryMb(sizeBytes),
    ...description,
  };
  const text = JSON.stringify(manifest, null, 2);
  await writeFile(join(staging, 'manifest.json'), `${text}\n`);
  return parseManifest(text);
}

const toId = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 64) || 'encoder';

export async function readJson(path: string): Promise<Record<string, unknown>> {
  if (!(await stat(path).catch(() => null))) return {};
  try {
    return JSON.parse(readSmallFile(path).toString('utf8')) as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Error('config.json is not valid JSON');
  }
}

/** Plain files below `folder`, as relative paths with `/`; links are not followed. */
export async function listFiles(folder: string, below = '', depth = 0): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isFile()) found.push(path);
    else if (entry.isDirectory() && depth < deepest)
      found.push(...(await listFiles(folder, path, depth + 1)));
  }
  return found.sort();
}
