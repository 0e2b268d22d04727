import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const port = fileURLToPath(new URL('../../server/hosts/port.ts', import.meta.url));
const entry = fileURLToPath(new URL('../support/hosts/fake-host.ts', import.meta.url));

/** A server that starts one host, makes it busy for a minute and says its process id. */
const server = `
const { nodeSpawn } = await import(${JSON.stringify(port)});
const host = nodeSpawn(process.env, ${JSON.stringify(entry)})();
host.onMessage(({ type }) => {
  if (type !== 'opened') return;
  host.send({ type: 'call', id: 1, method: 'embed', params: { texts: ['block 60000'] } });
  setTimeout(() => console.log('pid', host.pid), 500);
});
host.send({ type: 'open', engine: 'embeddings', pack: { ref: 'a@1', folder: '', manifest: {} }, options: { threads: 1, providers: [] } });`;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('a host ends within seconds of a server that was killed, also in the midst of its work', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lokal-orphans-'));
  writeFileSync(join(folder, 'server.mjs'), server);
  const child = spawn(process.execPath, [join(folder, 'server.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [chunk] = await once(child.stdout.setEncoding('utf8'), 'data');
  const pid = Number(/^pid (\d+)/.exec(chunk)?.[1]);
  expect(isAlive(pid)).toBe(true);
  child.kill('SIGKILL');
  for (let tries = 0; tries < 100 && isAlive(pid); tries += 1) await sleep(50);
  expect(isAlive(pid)).toBe(false);
  rmSync(folder, { recursive: true });
}, 20_000);
