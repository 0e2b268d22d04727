/** SHA-256 of files before they are imported, to compare with what their publisher says. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileChecksum } from '../api/console/packs.ts';

/** Those that hold weights; the small ones beside them need no such care. */
const weights = /\.(gguf|safetensors|onnx|onnx_data|lokalpack|bin)$/i;
const mostFiles = 64;

/**
 * Of a file itself, of a folder its files of weights.
 * @throws Error when it cannot be read or the signal aborts
 */
export async function checksumsOf(source: string, signal: AbortSignal): Promise<FileChecksum[]> {
  if ((await stat(source)).isFile()) return [await checksumOf(source, basename(source), signal)];
  const names = (await readdir(source, { recursive: true })).filter((name) => weights.test(name)).sort();
  const checksums: FileChecksum[] = [];
  for (const name of names.slice(0, mostFiles))
    checksums.push(await checksumOf(join(source, name), name, signal));
  return checksums;
}

async function checksumOf(path: string, name: string, signal: AbortSignal): Promise<FileChecksum> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash, { signal });
  return {
    name: name.replaceAll('\\', '/'),
    size_bytes: (await stat(path)).size,
    sha256: hash.digest('hex'),
  };
}
