/** Parts of `npm run release` by themselves; what they make together is tried in archive.test.ts. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { list, type ReadEntry } from 'tar';
import { afterAll, describe, expect, it } from 'vitest';
import type { Build } from '../../build/release/archive.ts';
import { firstDifference } from '../../build/release/compare.ts';
import { writeDeb } from '../../build/release/deb.ts';
import { productionPackages, refuseUnpinned } from '../../build/release/packages.ts';
import { writeSbom } from '../../build/release/sbom.ts';
import { compareSboms } from '../../build/release/sbom-difference.ts';
import { tar, text } from '../../build/release/tar.ts';
import { capture } from '../../build/start/child.ts';
import { root } from '../../build/start/paths.ts';

const folder = mkdtempSync(join(tmpdir(), 'lokal-release-'));
afterAll(() => rmSync(folder, { recursive: true }));
const build: Build = {
  version: '1.2.3',
  commit: 'c0ffee',
  dateMs: 1_700_000_000_500,
  out: folder,
  cache: folder,
};

async function read(bytes: Buffer) {
  const entries: Pick<ReadEntry, 'path' | 'mode' | 'uid' | 'type' | 'mtime' | 'size'>[] = [];
  const file = join(folder, 'read.tar');
  writeFileSync(file, bytes);
  await list({
    file,
    onReadEntry: ({ path, mode, uid, type, mtime, size }) =>
      entries.push({ path, mode, uid, type, mtime, size }),
  });
  return entries;
}

describe('tar', () => {
  const long = `${'folder/'.repeat(30)}ein-langer-näme`;
  const entries = [text('b/run', '#!/bin/sh\n', 0o755), text(long, 'x'), text('B', 'upper'), text('a', '')];

  it('gives the same bytes whatever the order, readable by others, with one owner, time and two modes', async () => {
    const bytes = await buffer(Readable.from(tar(entries, build.dateMs)));
    expect(await buffer(Readable.from(tar([...entries].reverse(), build.dateMs + 400)))).toEqual(bytes);
    const found = await read(bytes);
    expect(found.filter(({ type }) => type === 'File').map(({ path }) => path)).toEqual([
      'B',
      'a',
      'b/run',
      long,
    ]);
    expect(new Set(found.map(({ uid }) => uid))).toEqual(new Set([0]));
    expect(new Set(found.map(({ mtime }) => mtime?.getTime()))).toEqual(new Set([1_700_000_000_000]));
    expect(found.find(({ path }) => path === 'b/run')?.mode).toBe(0o755);
    expect(found.filter(({ path }) => path === 'b/')).toHaveLength(1);
  });
});

describe('firstDifference', () => {
  const write = (place: string, name: string, content: string) => {
    mkdirSync(join(folder, place), { recursive: true });
    writeFileSync(join(folder, place, name), content);
  };

  it('names the file and the byte, or nothing', () => {
    for (const place of ['left', 'right']) write(place, 'a', 'the same');
    const compare = () => firstDifference(join(folder, 'left'), join(folder, 'right'));
    expect(compare()).toBeNull();
    write('left', 'b', `${'x'.repeat(1_048_580)}1`);
    write('right', 'b', `${'x'.repeat(1_048_580)}2`);
    expect(compare()).toBe('b differs from byte 1048580 on');
    write('left', 'b', 'short');
    write('right', 'b', 'shorter');
    expect(compare()).toBe('b differs from byte 5 on');
    write('right', 'c', '');
    expect(compare()).toBe('c is in one build only');
  });
});

describe('packages of a platform', () => {
  it('are its own and the common ones, none for development', () => {
    const paths = productionPackages({ platform: 'linux', arch: 'arm64' }).map(([path]) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'node_modules/fastify',
        'node_modules/@napi-rs/canvas-linux-arm64-gnu',
        'node_modules/sharp',
      ]),
    );
    expect(
      paths.filter((path) => /x64|win32|darwin|musl|wasm32|vitest|electron|node_modules\/node$/.test(path)),
    ).toEqual([]);
  });

  it('are all pinned on Linux; elsewhere the one without a hash is named', () => {
    for (const arch of ['x64', 'arm64'] as const)
      refuseUnpinned(productionPackages({ platform: 'linux', arch }));
    expect(() => refuseUnpinned([['node_modules/some-native', { version: '1.0.0' }]])).toThrow(
      'no hash of some-native',
    );
  });

  it('come with the Node that the lock file names', () => {
    const json = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
    const { version } = json('package-lock.json').packages['node_modules/node'];
    for (const known of Object.values<{ version: string; integrity: string }>(
      json('build/release/node-hashes.json'),
    )) {
      expect(known.version).toBe(version);
      expect(known.integrity).toMatch(/^sha512-/);
    }
  });
});

describe('the Debian package', () => {
  it('is what dpkg reads and unpacks: control, scripts, unit, program, long names', {
    timeout: 60_000,
  }, async () => {
    const long = `${'folder/'.repeat(30)}ein-langer-näme`;
    const program = {
      natives: [text('bin/node', 'odd', 0o755)],
      packs: [],
      app: [text('lokal', '#!/bin/sh\n', 0o755), text(long, 'found')],
    };
    const file = await writeDeb({ platform: 'linux', arch: 'x64' }, program, build);
    const bytes = readFileSync(file);
    expect(bytes.subarray(0, 8).toString()).toBe('!<arch>\n');
    const members = [...bytes.toString('latin1').matchAll(/([\w.-]+) +1700000000 +0 +0 +100644 +\d+ +`\n/g)];
    expect(members.map(([, name]) => name)).toEqual(['debian-binary', 'control.tar.gz', 'data.tar.zst']);
    const info = await capture(['dpkg-deb', '--info', file], { cwd: folder });
    if (info.code === null) return; // not a Debian
    expect(info.output).toMatch(/Package: lokal\n\s+Version: 1\.2\.3\n\s+Architecture: amd64/);
    const contents = await capture(['dpkg-deb', '--contents', file], { cwd: folder });
    for (const path of ['./opt/lokal/bin/node', './usr/bin/lokal', './usr/lib/systemd/system/lokal.service'])
      expect(contents.output).toContain(path);
    // dpkg reads tar by itself, unlike dpkg-deb: GNU's long names, and no PAX.
    const system = join(folder, 'system');
    for (const place of ['info', 'updates', 'triggers'])
      mkdirSync(join(system, 'var/lib/dpkg', place), { recursive: true });
    writeFileSync(join(system, 'var/lib/dpkg/status'), '');
    const options = ['--force-not-root', '--force-architecture', `--root=${system}`, '--log=/dev/null'];
    const unpacked = await capture(['dpkg', ...options, '--unpack', file], { cwd: folder });
    expect(unpacked).toMatchObject({ code: 0 });
    expect(readFileSync(join(system, 'opt/lokal', long), 'utf8')).toBe('found');
  });
});

describe('the SBOM', () => {
  it('holds the packages, Node, native libraries and the six packs with their cards, and no time of its own', {
    timeout: 60_000,
  }, async () => {
    const bom = JSON.parse(readFileSync(await writeSbom(build), 'utf8'));
    const models = bom.components.filter(({ type }: { type: string }) => type === 'machine-learning-model');
    expect(models).toHaveLength(6);
    for (const model of models) {
      expect(model.licenses).toHaveLength(1);
      expect(model.modelCard.considerations.useCases.length).toBeGreaterThan(0);
    }
    const names = bom.components.map(({ name }: { name: string }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['fastify', 'node', 'onnxruntime', 'libvips', 'embed-starter']),
    );
    expect(bom.metadata.component.name).toBe('lokal');
    expect(bom.metadata.timestamp).toBe('2023-11-14T22:13:20.500Z');
    expect(bom).not.toHaveProperty('serialNumber');
  });
});

describe.skipIf(process.platform === 'win32')('the launcher', () => {
  it('runs the Node beside it without a PATH, from any folder, with every argument as it is', async () => {
    const place = join(folder, 'a place with spaces');
    for (const part of ['bin', 'dist/server']) mkdirSync(join(place, part), { recursive: true });
    writeFileSync(join(place, 'lokal'), readFileSync(join(root, 'build/release/launcher/lokal')), {
      mode: 0o755,
    });
    writeFileSync(join(place, 'bin/node'), '#!/bin/sh\nfor word in "$@"; do echo "$word"; done\n', {
      mode: 0o755,
    });
    const run = (command: string, cwd: string) =>
      capture([command, 'parse', 'an invoice.pdf', '$HOME'], { cwd, env: { PATH: '' } });
    const expected = [join(place, 'dist/server/cli.js'), 'parse', 'an invoice.pdf', '$HOME', ''].join('\n');
    expect((await run(join(place, 'lokal'), tmpdir())).output).toBe(expected);
    expect((await run('./lokal', place)).output).toBe(expected);
  });
});

describe('the systemd unit', () => {
  it('is confined: an exposure of at most 2.0 of 10 by systemd’s own count', {
    timeout: 30_000,
  }, async (context) => {
    const unit = join(root, 'build', 'service', 'lokal.service');
    const command = ['systemd-analyze', 'security', '--offline=true', '--threshold=20', '--no-pager', unit];
    const exit = await capture(command, { cwd: root });
    if (exit.code === null) return context.skip('no systemd here');
    expect(exit.output).toMatch(/Overall exposure level for lokal\.service: [01]\.\d|: 2\.0/);
    expect(exit.code).toBe(0);
  });

  it('forbids nothing that V8 and the matrix kernels need', () => {
    const unit = readFileSync(join(root, 'build', 'service', 'lokal.service'), 'utf8');
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute=/m);
    expect(unit).toMatch(/^SystemCallFilter=@system-service .*landlock_restrict_self.* seccomp$/m);
  });
});

describe('compareSboms', () => {
  it('tells which parts came, went and changed since the last release', () => {
    const write = (place: string, version: string, components: [name: string, version: string][]) => {
      mkdirSync(join(folder, place), { recursive: true });
      const bom = {
        metadata: { component: { version } },
        components: components.map(([name, at]) => ({ type: 'library', name, version: at })),
      };
      writeFileSync(join(folder, place, 'sbom.cdx.json'), JSON.stringify(bom));
      return join(folder, place);
    };
    const last = write('last', '1.0.0', [
      ['both', '1.0.0'],
      ['gone', '1.0.0'],
      ['twice', '1.0.0'],
      ['twice', '2.0.0'],
    ]);
    const out = write('now', '1.1.0', [
      ['both', '1.1.0'],
      ['twice', '2.0.0'],
      ['twice', '1.0.0'],
      ['@scope/new', '1.0.0'],
    ]);
    expect(compareSboms(out, last)).toEqual({
      last: '1.0.0',
      parts: { added: ['@scope/new 1.0.0'], removed: ['gone 1.0.0'], changed: ['both 1.0.0 → 1.1.0'] },
    });
    expect(() => compareSboms(out, join(folder, 'absent'))).toThrow('cannot be read');
  });
});
