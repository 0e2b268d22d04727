/** Two builds of one commit, byte by byte. */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from './tar.ts';

const chunkBytes = 1 << 20;

/** The first difference, by file and byte, as a sentence; null when every file is the same. */
export function firstDifference(left: string, right: string): string | null {
  const [names, others] = [left, right].map((folder) => readdirSync(folder).sort(compare));
  const lone = [...new Set([...(names ?? []), ...(others ?? [])])].find(
    (name) => !names?.includes(name) || !others?.includes(name),
  );
  if (lone) return `${lone} is in one build only`;
  for (const name of names ?? []) {
    const offset = differAt(join(left, name), join(right, name));
    if (offset !== null) return `${name} differs from byte ${offset} on`;
  }
  return null;
}

function differAt(left: string, right: string): number | null {
  const files = [openSync(left, 'r'), openSync(right, 'r')] as const;
  try {
    for (let offset = 0; ; offset += chunkBytes) {
      const [one, other] = files.map((file) => {
        const chunk = Buffer.alloc(chunkBytes);
        return chunk.subarray(0, readSync(file, chunk, 0, chunkBytes, offset));
      }) as [Buffer, Buffer];
      if (!one.equals(other)) return offset + firstByte(one, other);
      if (one.length === 0) return null;
    }
  } finally {
    for (const file of files) closeSync(file);
  }
}

function firstByte(one: Buffer, other: Buffer): number {
  const at = one.findIndex((byte, index) => byte !== other[index]);
  return at === -1 ? one.length : at;
}
