/** Files handed over piece by piece, folders looked through, and what an import would take. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { browse } from '../../server/packs/browse.ts';
import { writeBundle } from '../../server/packs/bundle.ts';
import { estimateImport } from '../../server/packs/estimate.ts';
import { createUploads } from '../../server/packs/uploads.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lokal-uploads-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const id = '0123456789abcdef';
const bytes = (text: string) => Buffer.from(text);

describe('uploads', () => {
  const open = () => createUploads(join(root, 'uploads'));

  it('join pieces in their order, into folders', async () => {
    const uploads = open();
    await uploads.write(id, { path: 'model/a.txt', offset: 0, bytes: bytes('one ') });
    expect(await uploads.write(id, { path: 'model/a.txt', offset: 4, bytes: bytes('two') })).toBe(7);
    await uploads.write(id, { path: 'model/sub/b.txt', offset: 0, bytes: bytes('b') });
    const source = await uploads.source(id);
    expect(source.endsWith('model')).toBe(true);
    expect(readFileSync(join(source, 'a.txt'), 'utf8')).toBe('one two');
    expect(readFileSync(join(source, 'sub/b.txt'), 'utf8')).toBe('b');
  });

  it('give a single file as that file, several as their folder', async () => {
    const uploads = open();
    await uploads.write(id, { path: 'a.gguf', offset: 0, bytes: bytes('a') });
    expect((await uploads.source(id)).endsWith('a.gguf')).toBe(true);
    await uploads.write(id, { path: 'b.json', offset: 0, bytes: bytes('b') });
    expect((await uploads.source(id)).endsWith(id)).toBe(true);
  });

  it('refuse pieces out of turn, paths that leave the folder, and ids that are none', async () => {
    const uploads = open();
    const piece = { path: 'a', offset: 0, bytes: bytes('abc') };
    await uploads.write(id, piece);
    await expect(uploads.write(id, { ...piece, offset: 7 })).rejects.toMatchObject({ code: 'conflict' });
    for (const path of ['../a', '/a', 'a//b', 'C:\\a', 'a/../../b'])
      await expect(uploads.write(id, { ...piece, path })).rejects.toMatchObject({ code: 'invalid_value' });
    await expect(uploads.write('../0123456789abc', piece)).rejects.toMatchObject({ param: 'id' });
    await expect(uploads.source('f'.repeat(16))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are forgotten one by one and all at once', async () => {
    const uploads = open();
    await uploads.write(id, { path: 'a', offset: 0, bytes: bytes('a') });
    await uploads.remove(id);
    await expect(uploads.source(id)).rejects.toMatchObject({ code: 'not_found' });
    await uploads.write(id, { path: 'a', offset: 0, bytes: bytes('a') });
    await uploads.clear();
    expect(existsSync(join(root, 'uploads'))).toBe(false);
  });
});

describe('browse', () => {
  it('lists folders and models, and says which could be imported', async () => {
    for (const name of ['plain', 'llama', 'encoder', '.hidden']) mkdirSync(join(root, name));
    for (const file of [
      'llama/config.json',
      'llama/model.safetensors',
      'encoder/tokenizer.json',
      'encoder/model.onnx',
    ])
      writeFileSync(join(root, file), '{}');
    for (const file of ['a.gguf', 'notes.txt']) writeFileSync(join(root, file), 'xx');
    const { path, parent, entries } = await browse(root);
    expect([path, parent]).toEqual([root, tmpdir()]);
    expect(entries.map(({ name, kind, size_bytes }) => [name, kind, size_bytes])).toEqual([
      ['encoder', 'encoder', null],
      ['llama', 'decoder', null],
      ['plain', null, null],
      ['a.gguf', 'decoder', 2],
    ]);
  });

  it('says how many are left out, and finds them by a part of their name', async () => {
    for (let index = 0; index < 503; index++) mkdirSync(join(root, `folder-${index}`));
    const all = await browse(root);
    expect([all.entries.length, all.left_out]).toEqual([500, 3]);
    const some = await browse(root, 'FOLDER-50');
    expect(some.entries.map(({ name }) => name)).toEqual([
      'folder-50',
      'folder-500',
      'folder-501',
      'folder-502',
    ]);
    expect(some.left_out).toBe(0);
  });

  it('begins at home, and refuses what is no absolute folder', async () => {
    expect((await browse(null)).path.length).toBeGreaterThan(0);
    for (const path of ['relative', join(root, 'none')])
      await expect(browse(path)).rejects.toMatchObject({ code: 'invalid_value', param: 'path' });
  });
});

describe('estimateImport', () => {
  const signal = new AbortController().signal;
  const described = {
    name: null,
    format: 'safetensors',
    architecture: 'llama',
    weights: 1_000,
    context: 64,
    options: [{ preset: 'quality', pack_bytes: 600, disk_bytes: 1_200, memory_mb: 201 }],
  };
  const estimate = (source: string) =>
    estimateImport(source, { packs: root, judge: () => null, describe: async () => described }, signal);

  function writePack(): string {
    const folder = join(root, 'pack');
    mkdirSync(folder);
    writeFileSync(join(folder, 'a'), 'abc');
    const files = [
      {
        path: 'a',
        size_bytes: 3,
        sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      },
    ];
    const about = {
      id: 'p',
      version: '1',
      name: 'P',
      publisher: 'T',
      roles: ['svc-embed-base'],
      format: 'onnx',
    };
    const rest = {
      engine: 'embeddings',
      licence: 'L',
      languages: [],
      status: 'imported',
      description: '',
      memory_mb: 9,
    };
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...about, ...rest, files }));
    return folder;
  }

  it('asks the converter about a chat model, and names it by its folder where it has no name', async () => {
    const folder = join(root, 'my-llama');
    mkdirSync(folder);
    for (const name of ['config.json', 'model.safetensors']) writeFileSync(join(folder, name), '{}');
    expect(await estimate(folder)).toMatchObject({
      ...described,
      kind: 'decoder',
      name: 'my-llama',
      source_bytes: 4,
    });
  });

  it('reads a pack and a bundle by their manifests', async () => {
    const folder = writePack();
    const option = { preset: null, pack_bytes: 3, disk_bytes: 3, memory_mb: 9 };
    expect(await estimate(folder)).toMatchObject({ kind: 'pack', name: 'P', options: [option] });
    const bundle = join(root, 'p.lokalpack');
    await writeBundle(folder, bundle);
    expect(await estimate(bundle)).toMatchObject({ kind: 'bundle', name: 'P', options: [option] });
    expect((await estimate(bundle)).free_disk_bytes).toBeGreaterThan(0);
  });

  it('refuses as an import would, without the folder above', async () => {
    const refused = estimate(join(root, 'nothing.gguf'));
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_value',
      param: 'path',
      message: '"nothing.gguf" was not imported: there is nothing at this path.',
    });
  });
});
