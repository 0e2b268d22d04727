/** `npm start` and `lokal serve` as a person runs them: processes, signals, what they print. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { capture } from '../../build/start/child.ts';
import { root } from '../../build/start/paths.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

/** Starts a server process on a data folder of its own and waits for its address. */
async function start(args: string[]) {
  const home = mkdtempSync(join(tmpdir(), 'lokal-launch-'));
  const { DISPLAY, WAYLAND_DISPLAY, ...env } = process.env;
  const child = spawn(process.execPath, [...args, '--port', '0', '--json'], {
    env: { ...env, LOKAL_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  cleanUps.push(() => {
    child.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });
  const stderr = text(child.stderr);
  const [line] = await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), endOf(child)]);
  return { child, stderr, url: (JSON.parse(line) as { url: string }).url };
}

async function endOf(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`ended with code ${code} before it listened`);
}

async function stop(child: ChildProcess): Promise<unknown> {
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  return code;
}

describe('npm start', () => {
  const launcher = join(root, 'build', 'launch.ts');

  it('--headless serves interface and API and ends on a signal', { timeout: 180_000 }, async () => {
    const { child, url } = await start([launcher, '--headless']);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(await page.text()).toContain('id="root"');
    expect(await stop(child)).toBe(0);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  it.skipIf(process.platform !== 'linux')('says in one line why there is no window', async () => {
    const { child, stderr } = await start([launcher]);
    await stop(child);
    const lines = (await stderr).split('\n').filter((line) => line.includes('window'));
    expect(lines).toEqual(['No desktop window: there is no display. Starting for the browser instead.']);
  });
});

describe('lokal', () => {
  const command = join(root, 'build', 'lokal.mjs');

  it('serves and ends on a signal', async () => {
    const { child, url } = await start([command, 'serve']);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(await stop(child)).toBe(0);
  });

  it('passes on the exit code', async () => {
    const exit = await capture([process.execPath, command, 'no-such-command'], { cwd: root });
    expect(exit.code).toBe(2);
    expect(exit.output).toContain('no-such-command');
  });
});
