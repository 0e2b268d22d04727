/** Hashes of what was proven: the program, the native libraries it loads, and the packs. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { filesBelow } from './written-files.ts';

export interface Digest {
  name: string;
  files: number;
  bytes: number;
  /** SHA-256 over the lines `SHA-256  PATH`, sorted by path. */
  sha256: string;
}

const native = /\.(node|dylib|dll|so(\.[\d.]+)?)$/;

async function digest(name: string, root: string, files: string[]): Promise<Digest> {
  const all = createHash('sha256');
  let bytes = 0;
  for (const file of files.sort()) {
    const one = createHash('sha256');
    bytes += await feed(file, one);
    all.update(`${one.digest('hex')}  ${relative(root, file).split(sep).join('/')}\n`);
  }
  return { name, files: files.length, bytes, sha256: all.digest('hex') };
}

async function feed(file: string, hash: Hash): Promise<number> {
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return bytes;
}

export interface Places {
  server: string;
  interface: string;
  packages: string;
  starterPacks: string;
}

export async function hashProduct(places: Places): Promise<{ program: Digest[]; packs: Digest[] }> {
  const packs = readdirSync(places.starterPacks, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const libraries = filesBelow(places.packages).filter((file) => native.test(file));
  return {
    program: [
      await digest('server', places.server, filesBelow(places.server)),
      await digest('interface', places.interface, filesBelow(places.interface)),
      await digest('native libraries', places.packages, libraries),
      await digest('node', '/', [process.execPath]),
    ],
    packs: await Promise.all(
      packs.map(({ name }) => {
        const folder = join(places.starterPacks, name);
        return digest(name, folder, filesBelow(folder));
      }),
    ),
  };
}
