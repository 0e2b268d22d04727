/** The archive that `npm run release` made: unpacked in an empty folder, asked everything without a network and a PATH, updated by itself. */
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { noNamespaceReason, tryArchive, unpackArchiveFile } from '../../build/release/serves.ts';
import { capture } from '../../build/start/child.ts';
import { root } from '../../build/start/paths.ts';
import { signFile } from '../../server/signing/file.ts';
import { installSigningKey } from '../../server/signing/keys.ts';
import { temporaryFolder } from '../support/app/folder.ts';

const [archive] = globSync(`dist/release/lokal-*-${process.platform}-${process.arch}.tar.zst`, { cwd: root });
const reason = archive ? await noNamespaceReason() : 'npm run release has made none';

describe.skipIf(reason !== null)(`the headless archive${reason ? `: ${reason}` : ''}`, () => {
  it('serves six services and the interface without a network', { timeout: 300_000 }, async () => {
    const served = await tryArchive(join(root, archive ?? ''));
    expect(served.namespace).toBe(true);
    expect(served.services).toEqual([
      'chat',
      'embeddings',
      'moderation',
      'threat analysis',
      'documents',
      'images',
    ]);
  });

  it('is put in its own place by lokal update, and returns', { timeout: 300_000 }, async () => {
    const folder = temporaryFolder();
    const [home, place] = [join(folder, 'home'), join(folder, 'place')];
    for (const each of [home, place]) mkdirSync(each);
    const program = await unpackArchiveFile(join(root, archive ?? ''), place);
    const file = join(home, basename(archive ?? ''));
    copyFileSync(join(root, archive ?? ''), file);
    await signFile(file, installSigningKey(home));
    const lokal = (...args: string[]) =>
      capture([join(program, 'lokal'), ...args], {
        cwd: home,
        env: { PATH: '', HOME: home, LOKAL_HOME: home },
      });
    expect((await lokal('keys', 'create', 'Kept')).code).toBe(0);
    const updated = await lokal('update', file, '--downgrade');
    expect(updated.output).toMatch(/signed by this installation\.[\s\S]*is installed/);
    expect(existsSync(`${program}.previous`)).toBe(true);
    expect((await lokal('keys', 'list')).output).toContain('Kept');
    expect((await lokal('update', '--undo')).output).toMatch(/^This is Lokal .* again with the data of/);
    expect((await lokal('keys', 'list')).output).toContain('Kept');
    expect(existsSync(`${program}.previous`)).toBe(false);
  });

  it('is replaced and started again by the interface, and returns', { timeout: 300_000 }, async () => {
    const folder = temporaryFolder();
    const [home, place] = [join(folder, 'home'), join(folder, 'place')];
    for (const each of [home, place]) mkdirSync(each);
    const program = await unpackArchiveFile(join(root, archive ?? ''), place);
    const file = join(home, basename(archive ?? ''));
    copyFileSync(join(root, archive ?? ''), file);
    await signFile(file, installSigningKey(home));
    const env = { PATH: '', HOME: home, LOKAL_HOME: home };
    const lokal = (...args: string[]) => capture([join(program, 'lokal'), ...args], { cwd: home, env });
    spawn(join(program, 'lokal'), ['serve', '--port', '0'], {
      ...{ env, cwd: home, stdio: 'ignore', detached: true },
    }).unref();
    // Whichever version runs by then.
    onTestFinished(() => void spawnSync('pkill', ['-f', place]));

    const ask = await signIn(home, lokal);
    expect(await ask('POST', 'program/check', { path: file })).toMatchObject({
      signer: expect.stringContaining('installation'),
    });
    expect(await ask('GET', 'program')).toMatchObject({ previous: null, hindrance: null, last: null });
    await ask('POST', 'program/update', { path: file });
    const updated = await eventually(
      () => ask('GET', 'program'),
      ({ last }) => last !== null,
    );
    expect(updated).toMatchObject({ previous: expect.any(String), last: { problem: null } });
    await ask('POST', 'program/undo');
    const returned = await eventually(
      () => ask('GET', 'program'),
      ({ previous }) => previous === null,
    );
    expect(returned.last.problem).toBeNull();
  });
});

// biome-ignore lint/suspicious/noExplicitAny: answers of the console, read by name
type Answer = any;

/** A session of the console, which outlives the restart. */
async function signIn(home: string, lokal: (...args: string[]) => Promise<{ output: string }>) {
  const file = join(home, 'server.url');
  await eventually(async () => existsSync(file), Boolean);
  const url = readFileSync(file, 'utf8');
  const token = /token=([^\s"]+)/.exec((await lokal('console-url')).output)?.[1];
  const opened = await fetch(`${url}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const { secret } = (await opened.json()) as { secret: string };
  return async (method: string, path: string, body?: object): Promise<Answer> => {
    const headers = {
      cookie,
      'x-console-secret': secret,
      ...(body && { 'content-type': 'application/json' }),
    };
    const answer = await fetch(`${url}/console/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    return answer.json();
  };
}

async function eventually(read: () => Promise<Answer>, isDone: (value: Answer) => boolean): Promise<Answer> {
  for (;;) {
    const value = await read().catch(() => null);
    if (value !== null && isDone(value)) return value;
    await sleep(200);
  }
}
