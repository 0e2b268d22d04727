/**
 * Weights in pages of 2 MB. A step reads all of them, and with pages of 4 KB a tenth of its time and more goes to finding where they
 * lie. Linux keeps a file in such pages, and maps them as such, where the file system can (XFS; ext4 from Linux 6.16 on) and the
 * file is read from its begin to its end: read as a model wants it, here and there, it comes in small ones.
 */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { freemem } from 'node:os';
import { nativeFunction } from './library/library.ts';

export const hugePage = 2 * 1024 * 1024;
const [protRead, mapShared] = [1, 1];
/** Read at once. */
const pieceBytes = 64 * hugePage;
/** A model whose disk is slower than this is read as it is wanted: who waits for it to open does not wait for ever. */
const mostMs = 30_000;
const advice = { dontNeed: 4, hugePage: 14, populateRead: 22 };

/** Lets go of what memory keeps of a file that is written and saved, so that it is next read in large pages. */
export function dropFromMemory(file: number): void {
  if (process.platform !== 'linux') return;
  try {
    nativeFunction('posix_fadvise', 'int', ['int', 'int64_t', 'int64_t', 'int'])(file, 0, 0, advice.dontNeed);
  } catch {
    // A wish, no need.
  }
}

/** Memory that there is for a file: what is free or can be freed, and no more than a container may have. */
const roomFor = () => Math.min(freemem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

/**
 * Reads a file into memory in large pages; one that is there already stays as it is. Elsewhere, where the system says no, or of
 * what does not fit into memory: nothing.
 */
export async function readInHugePages(path: string): Promise<void> {
  if (process.platform !== 'linux') return;
  let file: number | undefined;
  try {
    const map = nativeFunction('mmap', 'void *', ['void *', 'size_t', 'int', 'int', 'int', 'int64_t']);
    const unmap = nativeFunction('munmap', 'int', ['void *', 'size_t']);
    const advise = nativeFunction('madvise', 'int', ['void *', 'size_t', 'int']);
    // A graph may name anything: a pipe would wait for somebody to write.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(file);
    const { size } = found;
    if (!found.isFile() || size < hugePage || size > roomFor()) return;
    const address = map(0n, size, protRead, mapShared, file, 0) as bigint;
    if (BigInt.asIntN(64, address) === -1n) return;
    advise(address, size, advice.hugePage);
    const until = performance.now() + mostMs;
    for (let at = 0; at < size && performance.now() < until; at += pieceBytes) {
      const length = Math.min(pieceBytes, size - at);
      const refusal = await new Promise((resolve) =>
        advise.async(address + BigInt(at), length, advice.populateRead, (error: unknown, status: number) =>
          resolve(error ?? status),
        ),
      );
      if (refusal !== 0) break;
    }
    unmap(address, size);
  } catch {
    // A wish, no need.
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
