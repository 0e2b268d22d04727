/** A Debian package of the headless program, written without dpkg: an ar archive of two tars. */
import { createReadStream, createWriteStream, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import type { Target } from '../packed-files.ts';
import { root } from '../start/paths.ts';
import { type Build, compressTar } from './archive.ts';
import type { Program } from './program.ts';
import { type Entry, tar, text, under } from './tar.ts';

const architectures: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

export async function writeDeb(target: Target, program: Program, build: Build): Promise<string> {
  const architecture = architectures[target.arch];
  if (target.platform !== 'linux' || !architecture) throw new Error(`no Debian on ${target.arch}`);
  const file = join(build.out, `lokal_${build.version}_${architecture}.deb`);
  const data = `${file}.data`;
  const entries = installed(program);
  await compressTar(under('.', entries), build.dateMs, data, 'gnu');
  const control = under('.', controlFiles(architecture, entries, build.version));
  const controlTar = gzipSync(await buffer(Readable.from(tar(control, build.dateMs, 'gnu'))));
  const members: Member[] = [
    { name: 'debian-binary', content: Buffer.from('2.0\n') },
    { name: 'control.tar.gz', content: controlTar },
    { name: 'data.tar.zst', content: { file: data } },
  ];
  await pipeline(Readable.from(ar(members, build.dateMs)), createWriteStream(file, { mode: 0o644 }));
  rmSync(data);
  return file;
}

function installed(program: Program): Entry[] {
  const service = (name: string) => readFileSync(join(root, 'build', 'service', name), 'utf8');
  return [
    ...under('opt/lokal', [...program.natives, ...program.packs, ...program.app]),
    text('usr/bin/lokal', '#!/bin/sh\nexec /opt/lokal/lokal "$@"\n', 0o755),
    text('usr/lib/systemd/system/lokal.service', service('lokal.service')),
    text('usr/lib/sysusers.d/lokal.conf', service('lokal.sysusers')),
  ];
}

function controlFiles(architecture: string, entries: Entry[], version: string): Entry[] {
  const sizes = entries.map(({ content }) =>
    Buffer.isBuffer(content) ? content.length : statSync(content.file).size,
  );
  const { author, homepage, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const control = [
    'Package: lokal',
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${author.name} <${author.email}>`,
    `Installed-Size: ${Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1024)}`,
    // Node's own: its C library and C++ runtime.
    'Depends: libc6 (>= 2.28), libstdc++6 (>= 10)',
    'Section: utils',
    'Priority: optional',
    `Homepage: ${homepage}`,
    'Description: six inference services on your own machine',
    ` ${description}`,
    '',
  ];
  const script = (name: string) =>
    text(name, readFileSync(join(root, 'build', 'release', 'deb', name), 'utf8'), 0o755);
  return [text('control', control.join('\n')), ...['postinst', 'prerm', 'postrm'].map(script)];
}

interface Member {
  name: string;
  content: Buffer | { file: string };
}

async function* ar(members: Member[], dateMs: number): AsyncGenerator<Buffer> {
  yield Buffer.from('!<arch>\n');
  for (const { name, content } of members) {
    const size = Buffer.isBuffer(content) ? content.length : statSync(content.file).size;
    const fields = [
      name.padEnd(16),
      String(Math.floor(dateMs / 1000)).padEnd(12),
      '0'.padEnd(6),
      '0'.padEnd(6),
    ];
    yield Buffer.from(`${fields.join('')}${'100644'.padEnd(8)}${String(size).padEnd(10)}\`\n`);
    if (Buffer.isBuffer(content)) yield content;
    else yield* createReadStream(content.file);
    if (size % 2 === 1) yield Buffer.from('\n');
  }
}
