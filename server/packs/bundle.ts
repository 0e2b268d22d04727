/**
 * A pack as one file, to carry across an air gap: `.lokalpack` is a zip without compression, manifest.json first, then the
 * files in the manifest's order, where it is signed with `signature.json` before them (signature.ts).
 *
 * Only what the writer makes is read: stored entries one after another. A compressed entry, one the manifest does not
 * name, or more bytes than the manifest says is refused before anything is written, so there is no zip bomb.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import type { SigningKey } from '../signing/keys.ts';
import { type Manifest, parseManifest } from './manifest.ts';
import {
  longestSignature,
  manifestName,
  type PackHead,
  signatureName,
  signPack,
  toPackHead,
} from './signature.ts';
import { parseLocalHeader, ZipIndex } from './zip-format.ts';

export const bundleSuffix = '.lokalpack';
const longestManifest = 4 * 1024 * 1024;

export interface ExportOptions {
  /** Signs it; a signature that the folder has already stays where absent. */
  signWith?: SigningKey | undefined;
}

/** Writes the pack in `folder` to `target`; the file appears whole or not at all. */
export async function writeBundle(
  folder: string,
  target: string,
  options: ExportOptions = {},
): Promise<void> {
  const manifestBytes = await readSmall(join(folder, manifestName));
  const manifest = parseManifest(manifestBytes.toString('utf8'));
  await writeStoredZip(target, bundleEntries(folder, manifest, manifestBytes, options));
}

interface Entry {
  name: string;
  sizeBytes: number;
  crc: number;
  content: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

async function* bundleEntries(
  folder: string,
  manifest: Manifest,
  manifestBytes: Buffer,
  options: ExportOptions,
): AsyncGenerator<Entry> {
  yield bundledBytes(manifestName, manifestBytes);
  const signature = options.signWith
    ? signPack(manifestBytes, options.signWith)
    : await readSmall(join(folder, signatureName)).catch(() => null);
  if (signature) yield bundledBytes(signatureName, signature);
  for (const file of manifest.files) {
    const path = join(folder, file.path);
    const read = () => createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Uint8Array>;
    let crc = 0;
    for await (const chunk of read()) crc = crc32(chunk, crc);
    yield { name: file.path, sizeBytes: file.size_bytes, crc, content: read };
  }
}

export const bundledBytes = (name: string, bytes: Buffer): Entry => ({
  name,
  sizeBytes: bytes.length,
  crc: crc32(bytes),
  content: () => [bytes],
});

/** A zip without compression; the file appears whole or not at all. */
export async function writeStoredZip(target: string, entries: AsyncIterable<Entry>): Promise<void> {
  const partial = `${target}.partial`;
  try {
    await pipeline(Readable.from(zipStored(entries)), createWriteStream(partial));
    await rename(partial, target);
  } finally {
    await rm(partial, { force: true });
  }
}

async function* zipStored(entries: AsyncIterable<Entry>): AsyncGenerator<Uint8Array> {
  const index = new ZipIndex();
  for await (const entry of entries) {
    yield index.add(entry.name, entry.sizeBytes, entry.crc);
    yield* entry.content();
  }
  yield index.end();
}

/**
 * Unpacks a bundle into `folder`, which must be new. Hashes are checked afterwards, with verifyPack.
 * @throws Error naming what is wrong; the caller removes the folder
 */
export async function readBundle(source: string, folder: string, signal?: AbortSignal): Promise<Manifest> {
  const file = await open(source, 'r');
  try {
    const { size } = await file.stat();
    const { first, manifest } = await readFirst(file, size);
    await mkdir(folder, { recursive: true });
    await writeRange(file, first, join(folder, manifestName));
    const expected = new Map(manifest.files.map((each) => [each.path, each.size_bytes]));
    let at = first.dataAt + first.sizeBytes;
    for (let entry = await nextEntry(file, at, size); entry; entry = await nextEntry(file, at, size)) {
      signal?.throwIfAborted();
      if (!isSignature(entry, first) && expected.get(entry.name) !== entry.sizeBytes) {
        throw new Error(
          `the bundle holds ${JSON.stringify(entry.name.slice(0, 100))}, which its manifest does not name so`,
        );
      }
      expected.delete(entry.name);
      await mkdir(dirname(join(folder, entry.name)), { recursive: true });
      await writeRange(file, entry, join(folder, entry.name));
      at = entry.dataAt + entry.sizeBytes;
    }
    const [absent] = expected.keys();
    if (absent !== undefined) throw new Error(`the bundle is cut off: ${absent} is missing`);
    return manifest;
  } finally {
    await file.close();
  }
}

/** The manifest and its signature alone. @throws SignatureError, or Error naming what is wrong */
export async function readBundleHead(source: string): Promise<PackHead> {
  const file = await open(source, 'r');
  try {
    const { size } = await file.stat();
    const { first } = await readFirst(file, size);
    const next = await nextEntry(file, first.dataAt + first.sizeBytes, size);
    const signature =
      next && isSignature(next, first) ? await readRange(file, next.dataAt, next.sizeBytes) : null;
    return toPackHead(await readRange(file, first.dataAt, first.sizeBytes), signature);
  } finally {
    await file.close();
  }
}

/** Directly behind the manifest. */
const isSignature = (entry: Located, first: Located): boolean =>
  entry.name === signatureName &&
  entry.sizeBytes <= longestSignature &&
  entry.headerAt === first.dataAt + first.sizeBytes;

async function readFirst(file: FileHandle, size: number): Promise<{ first: Located; manifest: Manifest }> {
  const first = await nextEntry(file, 0, size);
  if (first?.name !== manifestName || first.sizeBytes > longestManifest) {
    throw new Error('the file is not a Lokal bundle: it does not begin with manifest.json');
  }
  const manifestBytes = await readRange(file, first.dataAt, first.sizeBytes);
  return { first, manifest: parseManifest(manifestBytes.toString('utf8')) };
}

type FileHandle = Awaited<ReturnType<typeof open>>;

interface Located {
  name: string;
  headerAt: number;
  sizeBytes: number;
  dataAt: number;
}

const longestHeader = 30 + 65_535 * 2;

export async function nextEntry(file: FileHandle, at: number, size: number): Promise<Located | null> {
  if (at >= size) throw new Error('the bundle is cut off');
  const header = parseLocalHeader(await readRange(file, at, Math.min(longestHeader, size - at)));
  if (!header) return null;
  const dataAt = at + header.headerBytes;
  if (dataAt + header.sizeBytes > size) throw new Error('the bundle is cut off');
  return { name: header.name, headerAt: at, sizeBytes: header.sizeBytes, dataAt };
}

export async function readRange(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position: at });
  return buffer.subarray(0, bytesRead);
}

export async function writeRange(file: FileHandle, entry: Located, target: string): Promise<void> {
  const output = await open(target, 'wx');
  try {
    const piece = Buffer.alloc(Math.min(entry.sizeBytes, 1024 * 1024));
    for (let done = 0; done < entry.sizeBytes; ) {
      const length = Math.min(piece.length, entry.sizeBytes - done);
      const { bytesRead } = await file.read(piece, 0, length, entry.dataAt + done);
      if (bytesRead === 0) throw new Error('the bundle is cut off');
      await output.writeFile(piece.subarray(0, bytesRead));
      done += bytesRead;
    }
  } finally {
    await output.close();
  }
}

async function readSmall(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size > longestManifest) throw new Error('manifest.json is too long');
    return await readRange(file, 0, size);
  } finally {
    await file.close();
  }
}
