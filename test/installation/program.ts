/** Small programs of Lokal as archives hold them: a launcher that says its version, and a doctor that reads the database. */
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import { type Entry, tar, text, under } from '../../build/release/tar.ts';
import { signFile } from '../../server/signing/file.ts';
import type { SigningKey } from '../../server/signing/keys.ts';

export interface ProgramSpec {
  version: string;
  changes?: string[];
  packages?: Record<string, string>;
  migrations?: string[];
  /** A problem that its doctor finds. */
  problem?: string;
  /** Says another version than its own. */
  says?: string;
}

export function programEntries(spec: ProgramSpec): Entry[] {
  const { version, changes = [], packages = {}, migrations = ['001-initial.sql'], problem = null } = spec;
  const says = spec.says ?? version;
  const facts = JSON.stringify({ versions: { lokal: version }, no_models: null, problem });
  const launcher = [
    '#!/bin/sh',
    `if [ "$1" = doctor ]; then [ -f "$LOKAL_HOME/lokal.db" ] || exit 3; echo '${facts}'; exit 1; else echo ${says}; fi`,
  ];
  return [
    text('lokal', `${launcher.join('\n')}\n`, 0o755),
    text('bin/node', '', 0o755),
    text('dist/server/cli.js', ''),
    text('package.json', JSON.stringify({ name: 'lokal', version })),
    text('CHANGELOG.md', `# Changelog\n\n## ${version}\n\n${changes.map((each) => `- ${each}\n`).join('')}`),
    ...migrations.map((name) => text(`dist/server/db/migrations/${name}`, '')),
    ...Object.entries(packages).map(([name, at]) =>
      text(`node_modules/${name}/package.json`, JSON.stringify({ name, version: at })),
    ),
    text('models/packs/starter/manifest.json', JSON.stringify({ id: 'starter', version })),
  ];
}

/** As if an archive had been unpacked there. */
export function writeProgram(root: string, spec: ProgramSpec): void {
  for (const { path, mode, content } of programEntries(spec)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content as Buffer, { mode });
  }
}

export async function writeTarZst(file: string, entries: Entry[]): Promise<void> {
  await pipeline(Readable.from(tar(entries, 0)), createZstdCompress(), createWriteStream(file));
}

/** Named as a release's, signed. */
export async function writeProgramArchive(
  folder: string,
  spec: ProgramSpec,
  key: SigningKey,
  system = `${process.platform === 'darwin' ? 'macos' : process.platform}-${process.arch}`,
): Promise<{ file: string; sha256: string }> {
  const name = `lokal-${spec.version}-${system}`;
  const file = join(folder, `${name}.tar.zst`);
  await writeTarZst(file, under(name, programEntries(spec)));
  return { file, sha256: (await signFile(file, key)).sha256 };
}
