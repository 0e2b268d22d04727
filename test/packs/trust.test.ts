import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../server/errors.ts';
import { writeBundle } from '../../server/packs/bundle.ts';
import { estimateImport } from '../../server/packs/estimate.ts';
import { importPack } from '../../server/packs/import.ts';
import { readPackHead, signPack } from '../../server/packs/signature.ts';
import { createKeyFile } from '../../server/signing/keys.ts';
import { temporaryFolder } from '../support/app/folder.ts';
import { codeOf, openTestApp, send } from '../support/app/test-app.ts';

const signal = new AbortController().signal;
const newKey = (name: string) => createKeyFile(join(temporaryFolder(), 'key.json'), name);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const publisher = newKey('Publisher');

function writePack(version = '1.0', text = 'graph', id = 'tiny'): string {
  const folder = temporaryFolder();
  const manifest = {
    id,
    version,
    name: 'Tiny',
    publisher: 'Tests',
    roles: ['svc-embed-base'],
    format: 'onnx',
    engine: 'embeddings',
    files: [{ path: 'model.onnx', size_bytes: text.length, sha256: sha256(text) }],
    licence: 'Apache-2.0',
    languages: ['en'],
    status: 'imported',
    description: 'For tests.',
  };
  writeFileSync(join(folder, 'model.onnx'), text);
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return folder;
}

/** Of the files given, stored, in that order. */
function writeZip(files: Record<string, Uint8Array>): string {
  const file = join(temporaryFolder(), 'tiny.lokalpack');
  writeFileSync(file, zipSync(files, { level: 0 }));
  return file;
}

async function bundle(version = '1.0', key: typeof publisher | null = publisher): Promise<string> {
  const file = join(temporaryFolder(), `tiny-${version}.lokalpack`);
  await writeBundle(writePack(version), file, { signWith: key ?? undefined });
  return file;
}

const signedAt = (version: string, signedMs: number, key = publisher) => {
  const folder = writePack(version);
  const manifest = readFileSync(join(folder, 'manifest.json'));
  return writeZip({
    'manifest.json': manifest,
    'signature.json': signPack(manifest, key, signedMs),
    'model.onnx': readFileSync(join(folder, 'model.onnx')),
  });
};

function open() {
  const { services } = openTestApp();
  const packs = join(temporaryFolder(), 'packs');
  const { trust } = services;
  const deps = {
    packs,
    tryPack: async () => {},
    convert: async () => expect.fail('nothing is to be converted'),
    admit: trust.admit,
  };
  return {
    services,
    trust,
    packs,
    async take(source: string, allowOlder = false) {
      const pack = await importPack(source, deps, { signal, allowOlder });
      trust.note(readPackHead(pack.folder));
      return trust.judgeFolder(pack.folder);
    },
    async refusal(source: string): Promise<string> {
      const before = existsSync(packs) ? readdirSync(packs) : [];
      const error = await importPack(source, deps, { signal }).then(
        () => expect.fail('it was imported'),
        (reason) => reason,
      );
      expect(error).toBeInstanceOf(ApiError);
      expect(error.message).not.toContain('\n');
      expect(existsSync(packs) ? readdirSync(packs) : []).toEqual(before);
      return error.message;
    },
  };
}

describe('a signed pack', () => {
  it('names its signer before and after its import, as the list does', async () => {
    const { trust, take } = open();
    const source = await bundle();
    const judge = (head: Parameters<typeof trust.admit>[0]) => head && trust.judge(head.signature);
    const describe = async () => expect.fail('it is a pack');
    const foretell = async () =>
      (await estimateImport(source, { packs: temporaryFolder(), describe, judge }, signal)).signature;
    expect(await foretell()).toMatchObject({ state: 'unknown', signer: 'Publisher' });
    trust.add({ public_key: publisher.publicKey, name: 'Models Ltd' });
    expect(await foretell()).toMatchObject({
      state: 'trusted',
      signer: 'Models Ltd',
      public_key: publisher.publicKey,
    });
    expect(await take(source)).toMatchObject({ state: 'trusted', signer: 'Models Ltd' });
  });

  it('keeps its signature in its folder, and is exported with it', async () => {
    const { take, packs } = open();
    await take(await bundle());
    const again = join(temporaryFolder(), 'again.lokalpack');
    await writeBundle(join(packs, 'tiny@1.0'), again);
    expect(await open().take(again)).toMatchObject({ state: 'unknown', signer: 'Publisher' });
  });

  it('may be unsigned, and is said to be', async () => {
    expect(await open().take(await bundle('1.0', null))).toMatchObject({
      state: 'unsigned',
      signer: null,
    });
    expect(await open().take(writePack())).toMatchObject({ state: 'unsigned' });
  });

  it('is refused with a byte flipped, unless it is one of the zip that nothing hangs on', async () => {
    const source = await bundle();
    const bytes = readFileSync(source);
    const { trust, take, packs } = open();
    trust.add({ public_key: publisher.publicKey, name: 'Models Ltd' });
    const file = join(temporaryFolder(), 'tiny.lokalpack');
    const names = ['manifest.json', 'signature.json', 'model.onnx'];
    const original = await take(source).then(() => readAll(packs, names));
    let refused = 0;
    for (let at = 0; at < bytes.length; at += 5) {
      rmSync(packs, { recursive: true });
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 0x01;
      writeFileSync(file, flipped);
      try {
        await take(file);
        expect(readAll(packs, names), `byte ${at}`).toEqual(original);
      } catch (error) {
        expect(error, `byte ${at}`).toBeInstanceOf(ApiError);
        refused += 1;
      }
    }
    const content = bytes.length - bytes.indexOf('PK\x01\x02') + 3 * 80;
    expect(refused * 5).toBeGreaterThan(bytes.length - content);
  });

  it('is refused when it is cut', async () => {
    const bytes = readFileSync(await bundle());
    const { refusal } = open();
    const file = join(temporaryFolder(), 'tiny.lokalpack');
    for (let length = 0; length < bytes.length - 300; length += 37) {
      writeFileSync(file, bytes.subarray(0, length));
      expect(await refusal(file)).toMatch(/imported: /);
    }
  });

  it.each<[string, () => Uint8Array, RegExp]>([
    [
      'another pack’s',
      () => signPack(readFileSync(join(writePack('1.0', 'graph', 'other'), 'manifest.json')), publisher),
      /of another pack, "other@1.0"/,
    ],
    [
      'another version’s',
      () => signPack(readFileSync(join(writePack('2.0'), 'manifest.json')), publisher),
      /of another pack, "tiny@2.0"/,
    ],
    [
      'of another manifest',
      () => signPack(readFileSync(join(writePack('1.0', 'other'), 'manifest.json')), publisher),
      /manifest was changed/,
    ],
    ['empty', () => new Uint8Array(), /not whole/],
    ['no signature', () => Buffer.from('{}'), /no signature/],
    ['too long', () => Buffer.alloc(70_000, 32), /does not name/],
  ])('is refused with a signature that is %s', async (_name, signature, words) => {
    const folder = writePack();
    const file = writeZip({
      'manifest.json': readFileSync(join(folder, 'manifest.json')),
      'signature.json': signature(),
      'model.onnx': readFileSync(join(folder, 'model.onnx')),
    });
    expect(await open().refusal(file)).toMatch(words);
    const copy = writePack();
    writeFileSync(join(copy, 'signature.json'), signature());
    expect(await open().refusal(copy)).toMatch(
      /not imported: the signature|not imported: the manifest|no signature/,
    );
  });

  it('is refused with other weights under its manifest', async () => {
    const folder = writePack();
    const manifest = readFileSync(join(folder, 'manifest.json'));
    const signature = signPack(manifest, publisher);
    const file = writeZip({
      'manifest.json': manifest,
      'signature.json': signature,
      'model.onnx': Buffer.from('grapH'),
    });
    expect(await open().refusal(file)).toMatch('model.onnx does not have the SHA-256 of the manifest');
  });

  it('is told of when it is changed after its import', async () => {
    const { take, packs, trust } = open();
    await take(await bundle());
    const manifest = join(packs, 'tiny@1.0', 'manifest.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('For tests.', 'For all.'));
    expect(trust.judgeFolder(join(packs, 'tiny@1.0')).state).toBe('wrong');
  });
});

describe('a later pack of a trusted signer', () => {
  const day = 86_400_000;

  it('may be newer, and the same once more', async () => {
    const { trust, take } = open();
    trust.add({ public_key: publisher.publicKey, name: 'Models Ltd' });
    await take(signedAt('1.0', day));
    expect((await take(signedAt('1.1', 2 * day))).state).toBe('trusted');
  });

  it('is refused when it is older, unless that is wanted', async () => {
    const { trust, take, refusal } = open();
    trust.add({ public_key: publisher.publicKey, name: 'Models Ltd' });
    await take(signedAt('1.1', 2 * day));
    expect(await refusal(signedAt('1.0', day))).toMatch(
      'tiny@1.0 was signed on 1970-01-02, before tiny@1.1 of 1970-01-03 that was imported already',
    );
    expect((await take(signedAt('1.0', day), true)).state).toBe('trusted');
  });

  it('is refused when another signed it, or nobody, while the first is trusted', async () => {
    const { trust, take, refusal } = open();
    trust.add({ public_key: publisher.publicKey, name: 'Models Ltd' });
    await take(await bundle('1.0'));
    expect(await refusal(await bundle('1.1', newKey('Models Ltd')))).toMatch(
      'tiny was signed by “Models Ltd” before, and this one by another key, which calls itself “Models Ltd”',
    );
    expect(await refusal(await bundle('1.1', null))).toMatch('this one is not signed');
    trust.remove(publisher.publicKey);
    expect((await take(await bundle('1.1', null))).state).toBe('unsigned');
  });
});

describe('signed packs only', () => {
  it('refuses what is not signed by a trusted signer, and models that become packs here', async () => {
    const { services, trust, take, refusal } = open();
    services.settings.update({ signed_packs_only: true });
    const rule = 'the settings take signed packs of trusted signers alone';
    expect(await refusal(await bundle())).toMatch(
      `${rule}, and this one is signed by a key that is not on the list`,
    );
    expect(await refusal(await bundle('1.0', null))).toMatch(`${rule}, and this one is not signed`);
    const model = join(temporaryFolder(), 'model.gguf');
    writeFileSync(model, 'GGUF');
    expect(await refusal(model)).toMatch(`${rule}, and this one is not signed`);
    trust.add({ public_key: publisher.publicKey, name: 'Models Ltd' });
    expect((await take(await bundle())).state).toBe('trusted');
  });
});

describe('the list of signers', () => {
  it('is kept over the console, and its changes are recorded', async () => {
    const test = openTestApp();
    const headers = test.session();
    const ask = (path: string, method: 'GET' | 'POST' | 'DELETE', body?: object) =>
      send(test, path, null, { headers, method, ...(body ? { body } : {}) });
    const key = { public_key: publisher.publicKey, name: 'Models Ltd' };
    expect((await ask('/console/trust', 'POST', key)).statusCode).toBe(201);
    expect(codeOf(await ask('/console/trust', 'POST', key))).toBe('conflict');
    expect(codeOf(await ask('/console/trust', 'POST', { ...key, public_key: 'ed25519:x' }))).toBe(
      'invalid_value',
    );
    expect(codeOf(await ask('/console/trust', 'POST', { ...key, name: ' ' }))).toBe('invalid_value');
    expect((await ask('/console/trust', 'GET')).json().data).toMatchObject([key]);
    await ask(`/console/trust/${encodeURIComponent(publisher.publicKey)}`, 'DELETE');
    expect((await ask('/console/trust', 'GET')).json().data).toEqual([]);
    expect(codeOf(await ask('/console/trust/x', 'DELETE'))).toBe('not_found');
    const acts = test.services.audit.lines().map(({ action, changes }) => [action, changes.name]);
    expect(acts.slice(1)).toEqual([
      ['trust.add', 'Models Ltd'],
      ['trust.remove', 'Models Ltd'],
    ]);
  });
});

const readAll = (packs: string, names: string[]): string[] =>
  names.map((name) => readFileSync(join(packs, 'tiny@1.0', name), 'latin1'));
