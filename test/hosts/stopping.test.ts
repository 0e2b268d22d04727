/** SIGTERM in the midst of real work: the server ends by itself, and with it all that it started. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLiveKey } from '../support/chat/live-key.ts';
import { writeRandomGguf } from '../support/chat/random-gguf.ts';
import { llama135m } from '../support/chat/random-weights.ts';
import { childrenOf } from '../support/children-of.ts';
import { makeVideo } from '../support/images/make-video.ts';
import { openSession, post } from '../support/running-server.ts';

const cli = fileURLToPath(new URL('../../server/cli.ts', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lokal-stopping-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Running {
  url: string;
  consoleUrl: string;
  key: string;
  home: string;
  pid: number;
  ended: Promise<unknown[]>;
}

async function startServer(): Promise<Running> {
  const home = join(folder, 'home');
  mkdirSync(home);
  const key = createLiveKey(home);
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0', '--json'], {
    env: { ...process.env, LOKAL_HOME: home, LOKAL_LOG: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url, console_url: consoleUrl } = JSON.parse(line) as { url: string; console_url: string };
  return { url, consoleUrl, key, home, pid: child.pid!, ended };
}

/** Sends the signal while a host works. @returns code of the server, and what of it still runs */
async function stopAmidst({ pid, ended }: Running): Promise<{ code: unknown; left: number[] }> {
  while (childrenOf(pid).length === 0) await sleep(20);
  await sleep(700);
  const hosts = childrenOf(pid);
  expect(hosts).not.toEqual([]);
  process.kill(pid, 'SIGTERM');
  const [code] = await ended;
  for (let tries = 0; tries < 100 && hosts.some(isThere); tries += 1) await sleep(50);
  return { code, left: hosts.filter(isThere) };
}

const isThere = (pid: number): boolean => existsSync(`/proc/${pid}`);

function ask(server: Running, path: string, body: object): Promise<number> {
  return fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).then(
    ({ status }) => status,
    () => 0,
  );
}

// Beyond the grace of ten seconds the test fails by its own limit, with room for a busy machine to start and load.
describe.skipIf(process.platform !== 'linux')('a stopped server', () => {
  it('leaves nothing of a video behind', { timeout: 90_000 }, async () => {
    const video = await makeVideo({ count: 128, width: 320, height: 240 });
    const server = await startServer();
    const image = Buffer.from(video).toString('base64');
    const answer = ask(server, '/v1/images/analyze', { image, max_frames: 128 });
    expect(await stopAmidst(server)).toEqual({ code: 0, left: [] });
    expect([0, 200, 503]).toContain(await answer);
  });

  it('leaves nothing of a grammar behind that is being compiled', { timeout: 90_000 }, async () => {
    const server = await startServer();
    const item = { type: 'array', items: { enum: [...Array(100).keys()] }, uniqueItems: true, minItems: 99 };
    const answer = ask(server, '/v1/chat/completions', {
      model: 'svc-lingua-7b',
      messages: [{ role: 'user', content: 'hi' }],
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: item } },
    });
    expect(await stopAmidst(server)).toEqual({ code: 0, left: [] });
    expect([0, 200, 400, 503]).toContain(await answer);
  });

  it('leaves nothing of a conversion behind', { timeout: 120_000 }, async () => {
    const source = join(folder, 'random.gguf');
    await writeRandomGguf(source, llama135m);
    const server = await startServer();
    const session = await openSession(server.url, new URL(server.consoleUrl).hash.slice('#token='.length));
    const converting = post(`${server.url}/console/packs/import`, { path: source }, session).catch(() => {});
    expect(await stopAmidst(server)).toEqual({ code: 0, left: [] });
    await converting;
    expect(readdirSync(join(server.home, 'packs'))).toEqual([]);
  });
});
