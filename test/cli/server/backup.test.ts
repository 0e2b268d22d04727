/** `lokal backup` beside a running server, and `lokal restore` into another data folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { capture } from '../../../build/start/child.ts';
import { temporaryFolder } from '../../support/app/folder.ts';

const cli = fileURLToPath(new URL('../../../server/cli.ts', import.meta.url));
const lokal = (home: string, ...args: string[]) =>
  capture([process.execPath, cli, ...args], {
    cwd: home,
    env: { ...process.env, LOKAL_HOME: home, NODE_OPTIONS: '' },
  });

async function withServer(home: string, work: () => Promise<void>): Promise<void> {
  const env = { ...process.env, LOKAL_HOME: home, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    await once(child.stdout, 'data');
    await work();
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

async function backedUp() {
  const [home, folder] = [temporaryFolder(), join(temporaryFolder(), 'copy')];
  mkdirSync(join(home, 'packs', 'mine'), { recursive: true });
  writeFileSync(join(home, 'packs', 'mine', 'weights.bin'), 'weights');
  await withServer(home, async () => {
    expect((await lokal(home, 'keys', 'create', 'Reporting job')).code).toBe(0);
    const made = await lokal(home, 'backup', folder, '--json');
    expect(made.output).toContain(JSON.stringify(folder));
    expect((await lokal(home, 'restore', folder)).output).toMatch('already running');
  });
  return { home, folder };
}

describe('lokal backup and restore', () => {
  it('copies a running installation, and brings keys and packs back elsewhere', {
    timeout: 120_000,
  }, async () => {
    const { home, folder } = await backedUp();
    if (process.platform !== 'win32') expect(statSync(join(folder, 'lokal.db')).mode & 0o77).toBe(0);
    const other = temporaryFolder();
    writeFileSync(join(other, 'install-key'), 'the old one');
    expect((await lokal(other, 'restore', folder)).code).toBe(0);
    expect((await lokal(other, 'keys', 'list')).output).toContain('Reporting job');
    expect(readFileSync(join(other, 'packs', 'mine', 'weights.bin'), 'utf8')).toBe('weights');
    expect(readFileSync(join(other, 'install-key'))).toEqual(readFileSync(join(home, 'install-key')));
    expect(readFileSync(join(other, 'install-key.before-restore'), 'utf8')).toBe('the old one');
    expect((await lokal(home, 'backup', folder)).output).toMatch('there already');
  });

  it('changes nothing when the backup is damaged, cut short, or leads elsewhere', {
    timeout: 120_000,
  }, async () => {
    const { folder } = await backedUp();
    const other = temporaryFolder();
    const refused = async (why: RegExp) => {
      const exit = await lokal(other, 'restore', folder);
      expect(exit.code).toBe(1);
      expect(exit.output).toMatch(why);
      expect(existsSync(join(other, 'lokal.db'))).toBe(false);
    };
    const [manifest, pack] = [join(folder, 'backup.json'), join(folder, 'packs', 'mine', 'weights.bin')];
    writeFileSync(pack, 'changed');
    await refused(/weights\.bin was changed/);
    writeFileSync(pack, 'weights');
    const whole = readFileSync(manifest, 'utf8');
    for (const path of ['../../etc/passwd', 'packs/../../x', '/etc/passwd', 'packs\\..\\x']) {
      writeFileSync(manifest, whole.replace('packs/mine/weights.bin', path.replaceAll('\\', '\\\\')));
      await refused(/no path of a backup/);
    }
    writeFileSync(manifest, '');
    await refused(/holds no backup\.json/);
  });
});
