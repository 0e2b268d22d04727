/** Tar files whose bytes depend on their content alone: entries sorted, owner 0, two modes, one time. */
import { createReadStream, statSync } from 'node:fs';
import { Header, Pax } from 'tar';

export interface Entry {
  /** With slashes, relative; folders are added by themselves, or written with a slash at the end. */
  path: string;
  mode: 0o644 | 0o755 | 0o700 | 0o1777;
  /** Else root's. */
  owner?: number;
  /** A file of this machine, or the bytes themselves. */
  content: { file: string } | Buffer;
}

const block = 512;

export const text = (path: string, content: string, mode: Entry['mode'] = 0o644): Entry => ({
  path,
  mode,
  content: Buffer.from(content),
});

/** Puts entries under another folder. */
export const under = (folder: string, entries: Entry[]): Entry[] =>
  entries.map((entry) => ({ ...entry, path: `${folder}/${entry.path}` }));

/** Records for names that a header has no room for: dpkg reads GNU's alone, everything else reads both. */
export type LongNames = 'pax' | 'gnu';

/** @param dateMs the time of every entry */
export async function* tar(
  entries: Entry[],
  dateMs: number,
  longNames: LongNames = 'pax',
): AsyncGenerator<Buffer> {
  const mtime = new Date(Math.floor(dateMs / 1000) * 1000);
  const sorted = [...entries].sort((left, right) => compare(left.path, right.path));
  const folders = new Set<string>();
  for (const entry of sorted) {
    for (const folder of parents(entry.path)) {
      if (folders.has(folder)) continue;
      folders.add(folder);
      const fields = { path: `${folder}/`, mode: 0o755, uid: 0, gid: 0, size: 0, mtime };
      yield* header({ ...fields, type: 'Directory' }, longNames);
    }
    yield* write(entry, mtime, longNames);
  }
  yield Buffer.alloc(2 * block);
}

async function* write(
  { path, mode, owner = 0, content }: Entry,
  mtime: Date,
  longNames: LongNames,
): AsyncGenerator<Buffer> {
  const size = Buffer.isBuffer(content) ? content.length : statSync(content.file).size;
  const type = path.endsWith('/') ? 'Directory' : 'File';
  yield* header({ path, mode, uid: owner, gid: owner, type, size, mtime }, longNames);
  if (Buffer.isBuffer(content)) yield content;
  else yield* createReadStream(content.file, { highWaterMark: 1 << 20 });
  if (size % block > 0) yield Buffer.alloc(block - (size % block));
}

interface Fields {
  path: string;
  mode: number;
  uid: number;
  gid: number;
  type: 'File' | 'Directory';
  size: number;
  mtime: Date;
}

function* header(fields: Fields, longNames: LongNames): Generator<Buffer> {
  const encoded = new Header(fields);
  const needsPax = encoded.encode();
  if (needsPax && longNames === 'pax') yield new Pax({ path: fields.path }).encode();
  if (needsPax && longNames === 'gnu') yield* gnuLongName(fields);
  if (encoded.block) yield encoded.block;
}

/** The whole name as the content of an entry before it. */
function* gnuLongName({ path, mtime }: Fields): Generator<Buffer> {
  const name = Buffer.from(`${path}\0`);
  const type = 'NextFileHasLongPath' as const;
  const fields = { path: '././@LongLink', mode: 0o644, uid: 0, gid: 0, size: name.length, mtime, type };
  const encoded = new Header(fields);
  encoded.encode();
  yield encoded.block!;
  yield Buffer.concat([name, Buffer.alloc((block - (name.length % block)) % block)]);
}

/** By code units, whatever the machine's locale. */
export const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

function parents(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
