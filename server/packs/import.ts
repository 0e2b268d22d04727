/**
 * Brings a pack into the data folder, in stages: copy or convert into a `.partial` folder, verify, load it once in a
 * throw-away host with a smoke test, then rename into place. A failure at any stage leaves nothing behind.
 */
import { randomBytes } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describeFileDefect } from '../engine/file-defect.ts';
import { ApiError } from '../errors.ts';
import { readBundle, readBundleHead } from './bundle.ts';
import { detectSourceKind, type SourceKind } from './imports/detect-source-kind.ts';
import { convertEncoder } from './imports/import-encoder.ts';
import { convertRecognizer } from './imports/import-recognizer.ts';
import { convertVision } from './imports/import-vision.ts';
import { type Manifest, packRef, parseManifest } from './manifest.ts';
import { type Pack, partialSuffix, readPack } from './registry.ts';
import { type PackHead, readPackHead, signatureName } from './signature.ts';
import { readSmallFile } from './small-file.ts';
import { verifyPack } from './verify.ts';

export type ImportPhase = 'copying' | 'converting' | 'verifying' | 'loading' | 'done';

/** Quantization of a chat model (server/engine/model-import/convert.ts). */
export const importPresets = ['quality', 'speed', 'exact', 'float32'] as const;
export type ImportPreset = (typeof importPresets)[number];

/** `done`, 0 to 1, where the phase can tell. */
export type OnPhase = (phase: ImportPhase, done?: number) => void;

export interface ImportOptions {
  signal: AbortSignal;
  preset?: ImportPreset;
  /** Takes a pack although a later one of its signer was imported before. */
  allowOlder?: boolean;
  onPhase?: OnPhase;
}

export interface Conversion {
  source: string;
  /** The staging folder, there and empty. */
  target: string;
  preset: ImportPreset;
  /** 0 to 1. */
  onProgress: (done: number) => void;
  signal: AbortSignal;
}

export interface ImportDeps {
  /** Folder of imported packs. */
  packs: string;
  /** Loads the staged pack once in a host of its own and runs its role's smoke test. @throws ApiError */
  tryPack: (pack: Pack, signal: AbortSignal) => Promise<void>;
  /** Refuses a pack for its signature or the want of one; null: what is converted here. @throws ApiError */
  admit: (head: PackHead | null, options: { allowOlder: boolean }) => void;
  /** Turns a decoder's files into a pack, in a process of its own. @throws ApiError */
  convert: (conversion: Conversion) => Promise<void>;
  onPhase?: OnPhase;
}

/** @throws ApiError invalid_value with `param: path` saying what is wrong with the source, conflict when it is installed */
export async function importPack(source: string, deps: ImportDeps, options: ImportOptions): Promise<Pack> {
  const { signal } = options;
  const staging = join(deps.packs, `${randomBytes(8).toString('hex')}${partialSuffix}`);
  const onPhase: OnPhase = (phase, done) => {
    deps.onPhase?.(phase, done);
    options.onPhase?.(phase, done);
  };
  try {
    onPhase('copying');
    await mkdir(deps.packs, { recursive: true });
    await sweepPartials(deps.packs);
    const kind = await detectSourceKind(source);
    const allowOlder = options.allowOlder ?? false;
    // Before anything is copied; the copy is what counts, below.
    deps.admit(await readHead(source, kind), { allowOlder });
    const manifest = await stage(source, kind, { staging, deps, options, onPhase });
    onPhase('verifying');
    await verifyPack(staging, manifest, signal);
    if (isMade(kind)) await rm(join(staging, signatureName), { force: true });
    else deps.admit(readPackHead(staging), { allowOlder });
    const target = join(deps.packs, packRef(manifest));
    if (await exists(target))
      throw new ApiError('conflict', `${packRef(manifest)} is already installed.`, { param: 'path' });
    onPhase('loading');
    await deps.tryPack(readPack(staging, true), signal).catch(refuseUnopened);
    await rename(staging, target);
    onPhase('done');
    return readPack(target, true);
  } catch (error) {
    throw toImportError(error, source);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** An engine that failed without a word of its own: what is wrong is the pack's, as far as the person is concerned. */
function refuseUnopened(error: unknown): never {
  if (error instanceof ApiError && error.code === 'internal_error')
    throw new Error('no engine can open it; the page Diagnostics tells where it failed');
  throw error;
}

/** Longer than a running import leaves its files alone. */
const abandonedMs = 3_600_000;

/** Removes what imports left whose process was killed. */
async function sweepPartials(packs: string): Promise<void> {
  for (const name of (await readdir(packs)).filter((each) => each.endsWith(partialSuffix))) {
    const folder = join(packs, name);
    const paths = [
      folder,
      ...(await readdir(folder, { recursive: true }).catch(() => [])).map((file) => join(folder, file)),
    ];
    const times = await Promise.all(
      paths.map((path) =>
        stat(path).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      ),
    );
    if (Math.max(...times) < Date.now() - abandonedMs) await rm(folder, { recursive: true, force: true });
  }
}

interface Stage {
  staging: string;
  deps: ImportDeps;
  options: ImportOptions;
  onPhase: OnPhase;
}

const isMade = (kind: SourceKind): boolean => kind !== 'bundle' && kind !== 'pack';

/** null: a model that becomes a pack here. @throws Error naming what is wrong with it */
export async function readHead(source: string, kind: SourceKind): Promise<PackHead | null> {
  if (isMade(kind)) return null;
  return kind === 'bundle' ? readBundleHead(source) : readPackHead(source);
}

async function stage(source: string, kind: SourceKind, how: Stage): Promise<Manifest> {
  const { staging, options } = how;
  const { signal } = options;
  if (kind === 'bundle') return readBundle(source, staging, signal);
  if (kind === 'pack') return copyPack(source, staging, signal);
  if (kind === 'encoder') return convertEncoder(source, staging, signal);
  if (kind === 'vision') return convertVision(source, staging, signal);
  if (kind === 'recognizer') return convertRecognizer(source, staging, signal);
  return convertModel(source, how);
}

async function convertModel(source: string, how: Stage): Promise<Manifest> {
  const { staging, deps, onPhase, options } = how;
  onPhase('converting', 0);
  await mkdir(staging, { recursive: true });
  await deps.convert({
    source,
    target: staging,
    preset: options.preset ?? 'quality',
    onProgress: (done) => onPhase('converting', done),
    signal: options.signal,
  });
  return parseManifest(await readFile(join(staging, 'manifest.json'), 'utf8'));
}

/** Only the files that the manifest names are taken along. */
async function copyPack(source: string, staging: string, signal: AbortSignal): Promise<Manifest> {
  const bytes = readSmallFile(join(source, 'manifest.json'));
  const manifest = parseManifest(bytes.toString('utf8'));
  await mkdir(staging, { recursive: true });
  await writeFile(join(staging, 'manifest.json'), bytes);
  if (await exists(join(source, signatureName)))
    await writeFile(join(staging, signatureName), readSmallFile(join(source, signatureName)));
  for (const { path } of manifest.files) {
    signal.throwIfAborted();
    await mkdir(dirname(join(staging, path)), { recursive: true });
    await cp(join(source, path), join(staging, path)).catch(() => {
      throw new Error(`${path} is missing`);
    });
  }
  return manifest;
}

/** Removes an imported pack's folder. @throws ApiError for a starter */
export async function removePack(pack: Pack): Promise<void> {
  if (!pack.removable) {
    throw new ApiError(
      'conflict',
      `${pack.ref} ships with Lokal and cannot be removed; bind its role to another pack.`,
    );
  }
  await rm(pack.folder, { recursive: true, force: true });
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** The person chose the path, so its last part may be named; the folder above it stays out of the message. */
export function toImportError(error: unknown, source: string): ApiError {
  if (error instanceof ApiError) return error;
  const { code } = error as NodeJS.ErrnoException;
  const name = JSON.stringify(basename(source));
  if (code === 'ENOSPC')
    return new ApiError('server_overloaded', `The disk is full; ${name} was not imported.`, {
      param: 'path',
    });
  if (code === 'EACCES' || code === 'EPERM') {
    return new ApiError('invalid_value', `${name} cannot be read.`, { param: 'path' });
  }
  return new ApiError('invalid_value', `${name} was not imported: ${describeFileDefect(error)}.`, {
    param: 'path',
  });
}
