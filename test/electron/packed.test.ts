/**
 * The packed desktop app, run: electron-builder's own output on the runtime that ELECTRON_OVERRIDE_DIST_PATH names (or that
 * Electron's installer fetched), on a display of its own, as an ordinary user with Chromium's sandbox on.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askServices, type PackedProcess, startPacked } from '../../build/release/six-services.ts';
import { capture } from '../../build/start/child.ts';
import { compileDesktop } from '../../build/start/desktop.ts';
import { findElectron } from '../../build/start/electron-binary.ts';
import { root, tool } from '../../build/start/paths.ts';
import { ensureRenderer } from '../../build/start/renderer.ts';

const electron = findElectron();
/** Chromium's sandbox refuses root, so root hands on to nobody. */
const uid = process.getuid?.() === 0 ? 65_534 : undefined;
const display = ':93';
const reason =
  process.platform !== 'linux'
    ? 'packed on Linux only'
    : !electron
      ? 'no Electron runtime (ELECTRON_OVERRIDE_DIST_PATH names one)'
      : !existsSync('/usr/bin/Xvfb')
        ? 'no Xvfb'
        : undefined;

describe.skipIf(reason !== undefined)(`the packed desktop app${reason ? `: ${reason}` : ''}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'lokal-packed-'));
  const unpacked = join(folder, 'linux-unpacked');
  const command = join(unpacked, 'lokal');
  const trial = join(root, 'dist', 'electron', 'trial.js');
  let screen: ChildProcess;

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    // The test run's own temporary folder is closed to the user that the app runs as.
    if ((statSync(tmpdir()).mode & 0o1000) === 0) chmodSync(tmpdir(), 0o711);
    await ensureRenderer(() => undefined);
    await compileDesktop();
    await pack(folder, trial);
    const sandbox = join(unpacked, 'chrome-sandbox');
    if (uid !== undefined) chownSync(sandbox, 0, 0);
    if (uid !== undefined) chmodSync(sandbox, 0o4755);
    screen = spawn('Xvfb', [display, '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], { stdio: 'ignore' });
  }, 300_000);
  afterAll(() => {
    screen?.kill();
    rmSync(trial, { force: true });
    rmSync(folder, { recursive: true, force: true });
  });

  it('holds only what runs, and its fuses are set', async () => {
    const archive = join(unpacked, 'resources', 'app.asar');
    const listed = await capture([...tool('@electron/asar', 'bin/asar.js'), 'list', archive], { cwd: root });
    const tops = new Set(
      listed.output
        .split('\n')
        .filter(Boolean)
        .map((path) => path.split(/[\\/]/).slice(1, 3).join('/')),
    );
    const own = [...tops].filter((path) => !path.startsWith('node_modules'));
    expect(own.sort()).toEqual(
      [
        'LICENSE',
        'build',
        'build/icons',
        'dist',
        'dist/electron',
        'dist/renderer',
        'dist/server',
        'models',
        'models/packs',
        'package.json',
        ...(existsSync(join(root, 'THIRD-PARTY-NOTICES.txt')) ? ['THIRD-PARTY-NOTICES.txt'] : []),
      ].sort(),
    );
    const fuses = await capture([...tool('@electron/fuses', 'dist/bin.js'), 'read', '--app', command], {
      cwd: root,
    });
    for (const fuse of [
      'RunAsNode',
      'EnableNodeOptionsEnvironmentVariable',
      'EnableNodeCliInspectArguments',
      'GrantFileProtocolExtraPrivileges',
    ])
      expect(fuses.output).toContain(`${fuse} is Disabled`);
    for (const fuse of [
      'EnableCookieEncryption',
      'EnableEmbeddedAsarIntegrityValidation',
      'OnlyLoadAppFromAsar',
    ])
      expect(fuses.output).toContain(`${fuse} is Enabled`);
  });

  it('serves six of six, shows its page, sends a second start away, and quits clean', {
    timeout: 180_000,
  }, async () => {
    const home = newHome(folder);
    const app = await startPacked({ command, args: [], home, env: environment(folder), uid });
    const said: string[] = [];
    expect([await askServices(app, (line) => said.push(line)), said]).toEqual([
      ['chat', 'embeddings', 'moderation', 'threat analysis', 'documents', 'images'],
      [],
    ]);
    // The page in the window has exchanged its token for a session.
    expect(await until(() => sessions(home) === 1)).toBe(true);
    const second = spawn(command, ['--port', '0'], {
      env: { ...environment(folder), LOKAL_HOME: home },
      stdio: 'ignore',
      uid,
      gid: uid,
    });
    expect(await once(second, 'exit')).toEqual([0, null]);
    const family = descendants(app);
    expect(family.length).toBeGreaterThan(6);
    app.child.kill('SIGTERM');
    expect(await once(app.child, 'exit')).toEqual([0, null]);
    expect(await until(() => family.every((pid) => !runs(pid)))).toBe(true);
    expect(existsSync(join(home, 'lokal.db-wal'))).toBe(false);
  });

  it.skipIf(!existsSync('/usr/bin/openssl'))(
    'shows its page over TLS under a certificate no system knows',
    { timeout: 120_000 },
    async () => {
      const home = newHome(folder);
      const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
      const request = [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=localhost',
      ];
      const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
      const made = await capture(['openssl', ...request, ...names, '-keyout', key, '-out', cert], {
        cwd: folder,
      });
      expect(made.code).toBe(0);
      if (uid !== undefined) chownSync(key, uid, uid);
      const args = ['--tls-cert', cert, '--tls-key', key];
      const app = await startPacked({ command, args, home, env: environment(folder), uid });
      expect(app.url).toMatch(/^https:/);
      expect(await until(() => sessions(home) === 1)).toBe(true);
      app.child.kill('SIGTERM');
      expect(await once(app.child, 'exit')).toEqual([0, null]);
    },
  );

  it('leaves no host behind when it is killed', { timeout: 120_000 }, async () => {
    const home = newHome(folder);
    const app = await startPacked({ command, args: [], home, env: environment(folder), uid });
    expect(await askServices(app)).toHaveLength(6);
    const family = descendants(app);
    app.child.kill('SIGKILL');
    expect(await until(() => family.every((pid) => !runs(pid)))).toBe(true);
  });
});

async function pack(output: string, trial: string): Promise<void> {
  const version = /Electron\/([\d.]+)/.exec(readFileSync(electron ?? '', 'latin1'))?.[1] ?? '';
  writeFileSync(trial, trialEntry);
  const settings = {
    electronDist: dirname(electron ?? ''),
    electronVersion: version,
    'directories.output': output,
  };
  const major = Number.parseInt(settings.electronVersion, 10);
  if (major < 45) Object.assign(settings, { 'extraMetadata.main': 'dist/electron/trial.js' });
  else rmSync(trial);
  const options = Object.entries(settings).map(([name, value]) => `-c.${name}=${value}`);
  const builder = tool('electron-builder', 'cli.js');
  const exit = await capture(
    [...builder, '-c', 'build/electron-builder.json', '--linux', 'dir', ...options],
    { cwd: root },
  );
  if (exit.code !== 0) throw new Error(exit.output);
}

/** Electron before 45 has the key store in its synchronous form only. */
const trialEntry = `import { safeStorage } from 'electron';
Object.assign(safeStorage, {
  isAsyncEncryptionAvailable: async () => safeStorage.isEncryptionAvailable(),
  encryptStringAsync: async (plain) => safeStorage.encryptString(plain),
  decryptStringAsync: async (sealed) => ({ result: safeStorage.decryptString(sealed) }),
});
await import('./main.js');
`;

function newHome(folder: string): string {
  const home = mkdtempSync(join(folder, 'home-'));
  if (uid !== undefined) chownSync(home, uid, uid);
  return home;
}

const environment = (folder: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: newHome(folder),
  DISPLAY: display,
});

function sessions(home: string): number {
  const db = new Sqlite(join(home, 'lokal.db'), { readonly: true });
  try {
    return db.prepare('SELECT count(*) FROM console_sessions').pluck().get() as number;
  } finally {
    db.close();
  }
}

function descendants({ child }: PackedProcess): number[] {
  const parents = new Map<number, number>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = /\) \S (\d+)/.exec(readStat(pid))?.[1];
    if (parent) parents.set(Number(pid), Number(parent));
  }
  const family = [child.pid ?? 0];
  for (const pid of family)
    family.push(...[...parents].filter(([, parent]) => parent === pid).map(([found]) => found));
  return family.slice(1);
}

/** A zombie no longer runs. */
const runs = (pid: number): boolean => /\) [^ZX] /.test(readStat(String(pid)));

function readStat(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}

async function until(holds: () => boolean, limitMs = 20_000): Promise<boolean> {
  for (const end = performance.now() + limitMs; performance.now() < end; await pause(100))
    if (holds()) return true;
  return holds();
}
