/**
 * Weights in pages of 2 MB. A step reads all of them, and with pages of 4 KB a tenth of its time and more goes to finding where they
 * lie. Linux keeps a file in such pages, and maps them as such, where the file system can (XFS; ext4 from Linux 6.16 on) and the
 * file is read from its begin to its end: read as a model wants it, here and there, it comes in small ones.
 */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { nativeFunction } from './library/library.ts';

export const hugePage = 2 * 1024 * 1024;
const [protRead, mapShared] = [1, 1];
const advice = { hugePage: 14, populateRead: 22 };

/** Reads a file into memory in large pages; one that is there already stays as it is. Elsewhere, or where the system says no, nothing. */
export async function readInHugePages(path: string): Promise<void> {
  if (process.platform !== 'linux') return;
  let file: number | undefined;
  try {
    const map = nativeFunction('mmap', 'void *', ['void *', 'size_t', 'int', 'int', 'int', 'int64_t']);
    const unmap = nativeFunction('munmap', 'int', ['void *', 'size_t']);
    const advise = nativeFunction('madvise', 'int', ['void *', 'size_t', 'int']);
    file = openSync(path, 'r');
    const { size } = fstatSync(file);
    if (size < hugePage) return;
    const address = map(0n, size, protRead, mapShared, file, 0) as bigint;
    if (BigInt.asIntN(64, address) === -1n) return;
    advise(address, size, advice.hugePage);
    await new Promise((resolve) => advise.async(address, size, advice.populateRead, resolve));
    unmap(address, size);
  } catch {
    // A wish, no need.
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
