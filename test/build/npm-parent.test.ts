import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'lokal-npm-'));
const watch = fileURLToPath(new URL('../../build/start/npm-parent.ts', import.meta.url));
writeFileSync(
  join(folder, 'start.ts'),
  `import { whenNpmEnds } from ${JSON.stringify(watch)};
setInterval(() => {}, 1000);
whenNpmEnds(() => process.exit(0));
console.log('pid', process.pid);`,
);
writeFileSync(
  join(folder, 'package.json'),
  JSON.stringify({
    scripts: { start: `"${process.execPath}" start.ts`, shell: `"${process.execPath}" start.ts; true` },
  }),
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function pidIn(npm: ChildProcess): Promise<number> {
  for await (const chunk of npm.stdout!.setEncoding('utf8')) {
    const pid = /^pid (\d+)/m.exec(chunk)?.[1];
    if (pid) return Number(pid);
  }
  throw new Error('npm ended first');
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it.skipIf(process.platform === 'win32').each([
  ['start', 'SIGTERM'],
  ['start', 'SIGHUP'],
  ['start', 'SIGKILL'],
  ['shell', 'SIGTERM'],
  ['shell', 'SIGKILL'],
] as const)(
  'npm run %s leaves nothing behind after %s',
  async (script, signal) => {
    const npm = spawn('npm', ['run', script], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
    const pid = await pidIn(npm);
    await sleep(300);
    process.kill(npm.pid!, signal);
    await once(npm, 'exit');
    for (let tries = 0; tries < 100 && isAlive(pid); tries += 1) await sleep(50);
    expect(isAlive(pid)).toBe(false);
  },
  20_000,
);
