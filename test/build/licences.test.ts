import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkPart, collectParts, type Part } from '../../build/licences/collect.ts';
import { ensureNotices } from '../../build/licences/ensure-notices.ts';
import { writeNotices } from '../../build/licences/notices.ts';
import { root } from '../../build/start/paths.ts';
import { parseNotices, readNotices } from '../../server/licences.ts';
import { openTestApp, send } from '../support/app/test-app.ts';

interface LockEntry {
  version?: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
  integrity?: string;
  optional?: boolean;
}

const lock = (): Record<string, LockEntry> =>
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;

const part = (changes: Partial<Part>): Part => ({
  name: 'a',
  version: '1.0.0',
  licence: 'MIT',
  texts: ['x'.repeat(200)],
  ...changes,
});

describe('licences', () => {
  it('of all parts are on the list, each with its text', () => {
    const parts = collectParts();
    const names = new Set(parts.map(({ name }) => name));
    for (const name of [
      'fastify',
      'onnxruntime-node',
      '@img/sharp-libvips-linux-x64',
      'react',
      '@mantine/core',
      'react-router',
    ])
      expect(names, name).toContain(name);
    const installed = Object.entries(lock()).filter(([path, { dev, link }]) => path && !dev && !link);
    for (const [path] of installed) expect(names).toContain(path.replace(/^.*node_modules\//, ''));
    expect(names).not.toContain('openai');
    expect(new Set(parts.map(({ name, version }) => `${name}@${version}`)).size).toBe(parts.length);
    expect(parts.filter((each) => checkPart(each) !== null)).toEqual([]);
  });

  it.each<[string, Partial<Part>, RegExp]>([
    ['unknown', { licence: 'SSPL-1.0' }, /not on the list/],
    ['missing', { licence: 'none' }, /not on the list/],
    ['without a text', { texts: [] }, /no text/],
    ['of the GPL', { licence: 'GPL-3.0' }, /not on the list/],
    ['of the LGPL without notice', { licence: 'LGPL-3.0-or-later' }, /without its notice/],
  ])('that are %s are refused', (_name, changes, words) => {
    expect(checkPart(part(changes))).toMatch(words);
  });

  it('that are unknown fail by the name of their package', () => {
    const packages = lock();
    packages['node_modules/fastify']!.license = 'Commons-Clause';
    expect(() => collectParts(packages)).toThrow(
      /^fastify@[\d.]+: the licence Commons-Clause is not on the list/,
    );
  });

  it('of the LGPL and the MPL offer the source, and say how to replace the part', () => {
    const copyleft = collectParts().filter(({ licence }) => /GPL|MPL/.test(licence));
    expect(copyleft.length).toBeGreaterThan(10);
    for (const { name, texts } of copyleft) {
      expect(texts[0], name).toMatch(/https:\/\//);
      expect(texts[0], name).toMatch(/How to replace it: /);
      expect(texts.join('\n'), name).toMatch(
        /GNU LESSER GENERAL PUBLIC LICENSE|Mozilla Public License Version 2.0/,
      );
    }
  });
});

describe('THIRD-PARTY-NOTICES.txt', () => {
  it('is read as it is written', () => {
    const parts = collectParts();
    const sections = parseNotices(writeNotices(parts));
    const read = sections.flatMap((section) => section.parts);
    const plain = parts.map(({ name, version, licence }) => `${name} ${version} ${licence}`);
    expect(read.map(({ name, version, licence }) => `${name} ${version} ${licence}`).sort()).toEqual(
      plain.sort(),
    );
    for (const { parts: named, text } of sections) expect(text.length, named[0]?.name).toBeGreaterThan(100);
  });

  it('is shown by the console', async () => {
    expect(ensureNotices()).toBeGreaterThan(200);
    expect(readNotices(root)).toContain('Apache License 2.0');
    const test = openTestApp({ root });
    const headers = test.session();
    const { data } = (await send(test, '/console/licences', null, { headers })).json();
    expect(data).toContainEqual({ name: 'mediabunny', version: expect.any(String), licence: 'MPL-2.0' });
    const { text } = (
      await send(test, '/console/licences/%40libav.js%2Fvariant-webm-vp9', null, { headers })
    ).json();
    expect(text).toContain('FFmpeg');
    expect((await send(test, '/console/licences/nothing', null, { headers })).statusCode).toBe(404);
    expect((await send(openTestApp(), '/console/licences', null, { headers })).statusCode).toBe(401);
  });
});

describe('the lock file', () => {
  /** Builds for other systems whose versions the registry that the lock was made with does not hold. */
  const withoutHash =
    /^(@biomejs\/cli|@napi-rs\/canvas|@oxc-parser\/binding)-(android|darwin|freebsd|linux|openharmony|win32)/;

  it('has a hash for every package but builds for other systems that had none to give', () => {
    const bare = Object.entries(lock()).filter(([path, { integrity, link }]) => path && !link && !integrity);
    const names = bare.map(([path]) => path.replace(/^.*node_modules\//, ''));
    expect(names.filter((name) => !withoutHash.test(name))).toEqual([]);
    expect(bare.filter(([, { optional }]) => !optional)).toEqual([]);
    expect(names).not.toContain('@napi-rs/canvas-linux-x64-gnu');
    // Only downwards: one that has its hash never loses it again.
    expect(bare.length).toBeLessThanOrEqual(32);
    expect(bare.filter(([, { dev }]) => !dev).length).toBeLessThanOrEqual(9);
  });
});
