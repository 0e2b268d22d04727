import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StoredAnswer } from '../../../server/db/access/idempotency.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { createStores } from '../../../server/db/stores.ts';
import { createIdempotencyService } from '../../../server/services/idempotency/idempotency.ts';
import {
  describeInstallKey,
  loadInstallKey,
  seal,
  unseal,
} from '../../../server/services/idempotency/install-key.ts';
import { temporaryFolder } from '../../support/app/folder.ts';
import { Clock } from '../../support/app/test-app.ts';

const request = { keyId: 'key_1', operation: 'POST /v1/x', idempotencyKey: 'k', body: { a: 1, b: [2] } };
const answer = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"secret":"answer"}'),
};

function open(installKey = randomBytes(32)) {
  const file = join(temporaryFolder(), 'lokal.db');
  const clock = new Clock();
  const reopen = (key = installKey) => {
    const { idempotency: store, atomically } = createStores(openDatabase(file));
    return createIdempotencyService({ store, atomically, installKey: key, now: clock.now });
  };
  return { service: reopen(), reopen, clock, file };
}

const claimOf = (outcome: ReturnType<ReturnType<typeof open>['service']['claim']>) => {
  if (!('claim' in outcome)) throw new Error('it was a replay');
  return outcome.claim;
};

describe('idempotency', () => {
  it('replays the first answer, whatever the order of the fields', () => {
    const { service } = open();
    claimOf(service.claim(request)).store(answer);
    expect(service.claim({ ...request, body: { b: [2], a: 1 } })).toEqual({ replay: answer });
  });

  it('tells what runs from what differs', () => {
    const { service } = open();
    const claim = claimOf(service.claim(request));
    expect(() => service.claim(request)).toThrow(
      expect.objectContaining({ code: 'idempotency_in_progress' }),
    );
    const other = { ...request, body: { a: 2 } };
    expect(() => service.claim(other)).toThrow(expect.objectContaining({ code: 'idempotency_key_reused' }));
    claim.store(answer);
    expect(() => service.claim(other)).toThrow(expect.objectContaining({ code: 'idempotency_key_reused' }));
  });

  it('replays an answer that the full disk did not take, and writes it once there is room', () => {
    const file = join(temporaryFolder(), 'lokal.db');
    const clock = new Clock();
    const { idempotency: store, atomically } = createStores(openDatabase(file));
    let full = true;
    const put = (row: StoredAnswer) => {
      if (full) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
      store.put(row);
    };
    const installKey = randomBytes(32);
    const service = createIdempotencyService({
      store: { ...store, put },
      atomically,
      installKey,
      now: clock.now,
    });
    claimOf(service.claim(request)).store(answer);
    expect(service.claim(request)).toEqual({ replay: answer });
    expect(() => service.flush()).toThrow('full');
    full = false;
    service.flush();
    const reopened = createIdempotencyService({ store, atomically, installKey, now: clock.now });
    expect(reopened.claim(request)).toEqual({ replay: answer });
  });

  it('refuses new keys once as much waits for the disk as memory may hold', () => {
    const { idempotency: store, atomically } = createStores(
      openDatabase(join(temporaryFolder(), 'lokal.db')),
    );
    let full = true;
    const put = (row: StoredAnswer) => {
      if (full) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
      store.put(row);
    };
    const service = createIdempotencyService({
      store: { ...store, put },
      atomically,
      installKey: randomBytes(32),
      now: new Clock().now,
      maxUnwrittenBytes: 5_000,
    });
    const ask = (idempotencyKey: string) => service.claim({ ...request, idempotencyKey });
    const large = { ...answer, body: Buffer.alloc(3_000) };
    for (const key of ['1', '2']) claimOf(ask(key)).store(large);
    expect(() => ask('3')).toThrow(expect.objectContaining({ code: 'server_overloaded' }));
    expect(ask('1')).toHaveProperty('replay');
    full = false;
    service.flush();
    expect(ask('3')).toHaveProperty('claim');
    expect(ask('2')).toHaveProperty('replay');
  });

  it('keeps a write and its answer, or neither', () => {
    const { service } = open();
    const claim = claimOf(service.claim(request));
    expect(() =>
      claim.commit(() => {
        throw new Error('no');
      }),
    ).toThrow('no');
    claim.release();
    const again = claimOf(service.claim(request));
    expect(again.commit(() => answer)).toEqual(answer);
    expect(service.claim(request)).toEqual({ replay: answer });
  });

  it('keeps keys and operations apart', () => {
    const { service } = open();
    claimOf(service.claim(request)).store(answer);
    expect(service.claim({ ...request, keyId: 'key_2' })).toHaveProperty('claim');
    expect(service.claim({ ...request, operation: 'POST /v1/y' })).toHaveProperty('claim');
  });

  it('runs again what was released', () => {
    const { service } = open();
    claimOf(service.claim(request)).release();
    const claim = claimOf(service.claim(request));
    claim.release();
    claim.store(answer);
    expect(service.claim(request)).toHaveProperty('claim');
  });

  it('lasts ten minutes from the completion, to the millisecond', () => {
    const { service, clock } = open();
    const claim = claimOf(service.claim(request));
    clock.advance(3_600_000);
    claim.store(answer);
    clock.advance(599_999);
    expect(service.claim(request)).toHaveProperty('replay');
    clock.advance(1);
    expect(service.claim(request)).toHaveProperty('claim');
  });

  it('survives a restart; what was running then does not', () => {
    const { service, reopen } = open();
    claimOf(service.claim(request)).store(answer);
    claimOf(service.claim({ ...request, idempotencyKey: 'crashed' }));
    const after = reopen();
    expect(after.claim(request)).toEqual({ replay: answer });
    expect(after.claim({ ...request, idempotencyKey: 'crashed' })).toHaveProperty('claim');
  });

  it('is sealed on disk, and lost with its key', () => {
    const { service, reopen, file } = open();
    claimOf(service.claim(request)).store(answer);
    for (const part of [file, `${file}-wal`]) expect(readFileSync(part).includes('answer')).toBe(false);
    expect(reopen(randomBytes(32)).claim(request)).toHaveProperty('claim');
  });
});

const sealedRecords = (folder: string) => createStores(openDatabase(join(folder, 'lokal.db'))).sealedRecords;

describe('the install key', () => {
  it('is made once, for this user alone', async () => {
    const folder = temporaryFolder();
    const store = sealedRecords(folder);
    const key = await loadInstallKey(folder, { store });
    expect(key).toHaveLength(32);
    expect(await loadInstallKey(folder, { store })).toEqual(key);
    if (process.platform !== 'win32') expect(statSync(join(folder, 'install-key')).mode & 0o777).toBe(0o600);
  });

  it('is kept in the box where there is one, and made anew when the box refuses only if asked to', async () => {
    const folder = temporaryFolder();
    const box = {
      seal: async (plain: Uint8Array) => plain.map((byte) => byte ^ 1),
      open: async (sealed: Uint8Array) => {
        if (sealed.length !== 32) throw new Error('not ours');
        return sealed.map((byte) => byte ^ 1);
      },
    };
    const source = { store: sealedRecords(folder), box };
    const key = await loadInstallKey(folder, source);
    expect(readFileSync(join(folder, 'install-key.sealed'))).not.toEqual(key);
    expect(await loadInstallKey(folder, source)).toEqual(key);
    writeFileSync(join(folder, 'install-key.sealed'), 'broken');
    await expect(loadInstallKey(folder, source)).rejects.toThrow('install-key.sealed is damaged');
    expect(await loadInstallKey(folder, { ...source, replace: true })).not.toEqual(key);
  });

  it('is never made anew or overwritten beside what was sealed under it', async () => {
    const folder = temporaryFolder();
    const store = sealedRecords(folder);
    const file = join(folder, 'install-key');
    const key = await loadInstallKey(folder, { store });
    expect(await describeInstallKey(folder, store)).toEqual({ state: 'fits the database', problem: null });

    rmSync(file);
    await expect(loadInstallKey(folder, { store })).rejects.toThrow('install-key is missing');
    expect(existsSync(file)).toBe(false);
    for (const [content, words] of [
      [Buffer.from('short'), 'is damaged'],
      [randomBytes(32), 'is not the key that the database was sealed under'],
    ] as const) {
      writeFileSync(file, content);
      await expect(loadInstallKey(folder, { store })).rejects.toThrow(words);
      expect(readFileSync(file)).toEqual(content);
      expect((await describeInstallKey(folder, store)).state).toBe(words);
    }
    const other = readFileSync(file);
    const replaced = await loadInstallKey(folder, { store, replace: true });
    expect(await loadInstallKey(folder, { store, replace: true })).toEqual(replaced);
    const [kept] = readdirSync(folder).filter((name) => name.startsWith('install-key.replaced-'));
    expect(readFileSync(join(folder, kept!))).toEqual(other);
    writeFileSync(file, key);
    await expect(loadInstallKey(folder, { store })).rejects.toThrow('is not the key');
  });

  it('of a folder from before checks gets one, and is missed there too', async () => {
    const folder = temporaryFolder();
    const store = sealedRecords(folder);
    const record = {
      owner: '',
      id: '1',
      updatedMs: 1,
      head: Buffer.alloc(0),
      content: Buffer.from('sealed'),
    };
    store.put('work', record);
    await expect(loadInstallKey(folder, { store })).rejects.toThrow('install-key is missing');
    writeFileSync(join(folder, 'install-key'), randomBytes(32));
    await loadInstallKey(folder, { store });
    expect((await describeInstallKey(folder, store)).state).toBe('fits the database');
  });

  it('opens nothing that was altered, moved or cut', () => {
    const key = randomBytes(32);
    const sealed = seal(key, Buffer.from('text'), 'here');
    expect(unseal(key, sealed, 'here')?.toString()).toBe('text');
    expect(unseal(key, sealed, 'there')).toBeUndefined();
    expect(unseal(randomBytes(32), sealed, 'here')).toBeUndefined();
    expect(unseal(key, sealed.subarray(0, 20), 'here')).toBeUndefined();
    sealed[14]! ^= 1;
    expect(unseal(key, sealed, 'here')).toBeUndefined();
  });
});
