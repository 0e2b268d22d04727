import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileDesktop } from '../../build/start/desktop.ts';

const boot = join(import.meta.dirname, 'boot.ts');
const home = mkdtempSync(join(tmpdir(), 'lokal-compiled-'));

function start(...args: string[]) {
  const child = spawn(process.execPath, [boot, ...args], { env: { ...process.env, LOKAL_HOME: home } });
  return { child, errors: text(child.stderr), exit: once(child, 'exit') };
}

describe('the compiled desktop app', () => {
  beforeAll(() => compileDesktop(), 180_000);
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('serves from dist/, opens its window on it, and closes the server when it quits', async () => {
    const { child, exit } = start('--port', '0', '--unknown-chromium-switch');
    const [line] = await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), exit]);
    const { url, token, userData } = JSON.parse(line) as { url: string; token: string; userData: string };
    expect(userData).toBe(join(home, 'desktop'));
    const session = await fetch(new URL('/console/session', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: new URL(url).origin },
      body: JSON.stringify({ token }),
    });
    expect(session.status).toBe(200);
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    await expect(fetch(url)).rejects.toThrow();
  });

  it('shows why it cannot start, and ends with code 1', async () => {
    const { exit, errors } = start('--port', 'many');
    expect(await exit).toEqual([1, null]);
    expect(await errors).toMatch(/Lokal could not start: --port must be/);
  });
});
