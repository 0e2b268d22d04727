/** Cost of an import, told from headers before anything is written. */
import { readdir, stat, statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { ImportEstimate } from '../api/console/packs.ts';
import { sourceName } from '../engine/source-name.ts';
import { readHead, toImportError } from './import.ts';
import { detectSourceKind } from './imports/detect-source-kind.ts';
import { encoderFiles } from './imports/import-encoder.ts';
import { encoderMemoryMb } from './imports/import-folder.ts';
import { recogniserFiles } from './imports/import-recognizer.ts';
import { visionFiles } from './imports/import-vision.ts';
import type { Manifest } from './manifest.ts';
import type { PackHead } from './signature.ts';

/** A decoder's header in the converter's words (server/engine/model-import/estimate.ts). */
export type DecoderEstimate = Pick<
  ImportEstimate,
  'name' | 'format' | 'architecture' | 'weights' | 'context' | 'options'
>;

export interface EstimateDeps {
  /** Folder of imported packs, or one above it that is there. */
  packs: string;
  /** Reads a decoder's header in a process of its own. @throws ApiError */
  describe: (source: string, signal: AbortSignal) => Promise<DecoderEstimate>;
  judge: (head: PackHead | null) => ImportEstimate['signature'];
}

/** @throws ApiError as importPack does */
export async function estimateImport(
  source: string,
  deps: EstimateDeps,
  signal: AbortSignal,
): Promise<ImportEstimate> {
  try {
    const kind = await detectSourceKind(source);
    const head = await readHead(source, kind);
    const facts = head ? describeManifest(head.manifest) : await readFacts(source, kind, { deps, signal });
    return {
      kind,
      ...facts,
      name: facts.name ?? sourceName(source) ?? basename(source),
      signature: deps.judge(head),
      source_bytes: await sizeOf(source),
      free_disk_bytes: await freeBytes(deps.packs),
      machine_memory_mb: Math.floor(totalmem() / 1_048_576),
    };
  } catch (error) {
    throw toImportError(error, source);
  }
}

async function readFacts(
  source: string,
  kind: ImportEstimate['kind'],
  { deps, signal }: { deps: EstimateDeps; signal: AbortSignal },
): Promise<DecoderEstimate> {
  if (kind === 'decoder') return deps.describe(source, signal);
  if (kind === 'encoder') return describeGraphs(source, (await encoderFiles(source)).paths);
  if (kind === 'vision') return describeGraphs(source, await visionFiles(source));
  return describeGraphs(source, await recogniserFiles(source));
}

function describeManifest(manifest: Manifest): DecoderEstimate {
  const bytes = manifest.files.reduce((sum, file) => sum + file.size_bytes, 0);
  return {
    ...unknownShape,
    name: manifest.name,
    format: manifest.format,
    context: manifest.context ?? null,
    options: [{ preset: null, pack_bytes: bytes, disk_bytes: bytes, memory_mb: manifest.memory_mb ?? null }],
  };
}

async function describeGraphs(source: string, paths: string[]): Promise<DecoderEstimate> {
  let bytes = 0;
  for (const path of paths) bytes += (await stat(join(source, path))).size;
  return {
    ...unknownShape,
    name: null,
    format: 'onnx',
    options: [{ preset: null, pack_bytes: bytes, disk_bytes: bytes, memory_mb: encoderMemoryMb(bytes) }],
  };
}

const unknownShape = { architecture: null, weights: null, context: null };

async function sizeOf(path: string): Promise<number> {
  const info = await stat(path);
  if (info.isFile()) return info.size;
  let bytes = 0;
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  return bytes;
}

/** Of the disk that the folder lies on, or will lie on. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder).catch(() => statfs(dirname(folder)));
  return bavail * bsize;
}
