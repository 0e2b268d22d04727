/** Checks a pack's files against its manifest: nothing missing, nothing changed, nothing reached through a link. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from './manifest.ts';

/** @throws Error naming the first file that is wrong */
export async function verifyPack(folder: string, manifest: Manifest, signal?: AbortSignal): Promise<void> {
  for (const file of manifest.files) {
    signal?.throwIfAborted();
    const path = join(folder, file.path);
    const info = await lstat(path).catch(() => null);
    if (!info?.isFile()) throw new Error(`${file.path} is missing`);
    if (info.size !== file.size_bytes) {
      throw new Error(`${file.path} has ${info.size} bytes, the manifest says ${file.size_bytes}`);
    }
    if ((await hashFile(path)) !== file.sha256)
      throw new Error(`${file.path} does not have the SHA-256 of the manifest`);
  }
}

/** SHA-256 in hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }))
    hash.update(chunk as Buffer);
  return hash.digest('hex');
}
