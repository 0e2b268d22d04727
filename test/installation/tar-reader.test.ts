import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Header } from 'tar';
import { describe, expect, it } from 'vitest';
import { type Entry, tar, text } from '../../build/release/tar.ts';
import { unpackTar } from '../../server/installation/tar-reader.ts';
import { temporaryFolder } from '../support/app/folder.ts';

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const written = (entries: Entry[]) => buffer(Readable.from(tar(entries, 0)));

function entry(fields: {
  path: string;
  type: 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'File';
  linkpath?: string;
}) {
  const header = new Header({ mode: 0o644, uid: 0, gid: 0, size: 0, mtime: new Date(0), ...fields });
  header.encode();
  return Buffer.concat([header.block!, Buffer.alloc(1024)]);
}

describe('unpackTar', () => {
  const long = `top/${'folder/'.repeat(30)}näme`;

  it.each([1 << 20, 100])('reads what the writer of releases writes, in pieces of %i bytes', async (size) => {
    const folder = join(temporaryFolder(), 'new');
    const bytes = await written([
      text('top/run', '#!/bin/sh\n', 0o755),
      text(long, 'x'.repeat(1000)),
      text('top/empty', ''),
    ]);
    expect(await unpackTar(inPieces(bytes, size), folder)).toBe('top');
    expect(readFileSync(join(folder, long.slice(4)), 'utf8')).toBe('x'.repeat(1000));
    expect(statSync(join(folder, 'empty')).size).toBe(0);
    if (process.platform !== 'win32') {
      expect(statSync(join(folder, 'run')).mode & 0o777).toBe(0o755);
      expect(statSync(join(folder, 'empty')).mode & 0o777).toBe(0o644);
    }
  });

  it.each([
    ['a link', entry({ path: 'top/a', type: 'SymbolicLink', linkpath: '/etc' })],
    ['a hard link', entry({ path: 'top/a', type: 'Link', linkpath: 'top/b' })],
    ['a device', entry({ path: 'top/a', type: 'CharacterDevice' })],
    ['a path out', entry({ path: 'top/../../a', type: 'File' })],
    ['an absolute path', entry({ path: '/a', type: 'File' })],
    ['a path of Windows', entry({ path: 'top/..\\a', type: 'File' })],
    ['a drive', entry({ path: 'top/c:a', type: 'File' })],
  ])('refuses %s', async (_name, bytes) => {
    const folder = join(temporaryFolder(), 'new');
    await expect(unpackTar(inPieces(bytes, 512), folder)).rejects.toThrow(/neither a file|leads out/);
    expect(existsSync(join(folder, '..', 'a'))).toBe(false);
  });

  it('refuses two of one name, two folders, a changed header and a cut', async () => {
    const refused = async (bytes: Buffer, why: RegExp) =>
      expect(unpackTar(inPieces(bytes, 4096), join(temporaryFolder(), 'new'))).rejects.toThrow(why);
    await refused(await written([text('top/a', '1'), text('top/a', '2')]), /EEXIST/);
    await refused(await written([text('one/a', '1'), text('two/a', '2')]), /beside "one"/);
    const whole = await written([text('top/a', 'x'.repeat(2000))]);
    await refused(whole.subarray(0, 1700), /cut off/);
    await refused(Buffer.concat([Buffer.from('T'), whole.subarray(1)]), /not one of Lokal/);
    await refused(Buffer.alloc(2048), /empty/);
  });
});
