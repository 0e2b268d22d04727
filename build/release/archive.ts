/** The headless archive: unpacked anywhere, `lokal serve` runs without a network and without Node. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import type { Target } from '../packed-files.ts';
import type { Program } from './program.ts';
import { type Entry, type LongNames, tar, under } from './tar.ts';

export interface Build {
  version: string;
  commit: string;
  /** Of the commit: the time of everything in a release. */
  dateMs: number;
  /** Folder for the artefacts. */
  out: string;
  /** Folder for fetched packages, shared between builds. */
  cache: string;
}

const systems: Partial<Record<NodeJS.Platform, string>> = { darwin: 'macos', win32: 'windows' };

export async function writeArchive(target: Target, program: Program, build: Build): Promise<string> {
  const name = `lokal-${build.version}-${systems[target.platform] ?? target.platform}-${target.arch}`;
  const file = join(build.out, `${name}.tar.zst`);
  const entries = [...program.natives, ...program.packs, ...program.app];
  await compressTar(under(name, entries), build.dateMs, file);
  return file;
}

export const zstd = () =>
  createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: 9, [constants.ZSTD_c_checksumFlag]: 1 },
  });

export function compressTar(
  entries: Entry[],
  dateMs: number,
  file: string,
  longNames?: LongNames,
): Promise<void> {
  return pipeline(
    Readable.from(tar(entries, dateMs, longNames)),
    zstd(),
    createWriteStream(file, { mode: 0o644 }),
  );
}
