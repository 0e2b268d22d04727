import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../build/check/chromium.ts';
import { capture, exitCode } from '../../build/start/child.ts';
import { couldNotStart } from '../../build/start/desktop.ts';
import { findElectron, noWindowReason } from '../../build/start/electron-binary.ts';
import { ensureRenderer, sourceStamp } from '../../build/start/renderer.ts';

const folder = mkdtempSync(join(tmpdir(), 'lokal-build-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string, mode = 0o644): string {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

describe('findChromium', () => {
  it('takes CHROMIUM_PATH before the PATH, and nothing that cannot run', () => {
    const named = write('own/chrome', '', 0o755);
    const installed = write('bin/chromium', '', 0o755);
    write('broken/chromium', '', 0o644);
    const PATH = [join(folder, 'broken'), join(folder, 'bin')].join(delimiter);
    expect(findChromium({ CHROMIUM_PATH: named, PATH })).toBe(named);
    expect(findChromium({ PATH })).toBe(installed);
    expect(findChromium({ CHROMIUM_PATH: join(folder, 'missing'), PATH })).toBeUndefined();
  });
});

describe('noWindowReason', () => {
  const user = { platform: 'linux' as const, userId: 1000 };

  it('needs a display and a user who is not root on Linux', () => {
    expect(noWindowReason({ ...user, env: {} })).toMatch('no display');
    expect(noWindowReason({ ...user, env: { DISPLAY: ':0' } })).toBeUndefined();
    expect(noWindowReason({ ...user, env: { WAYLAND_DISPLAY: 'wayland-0' } })).toBeUndefined();
    expect(noWindowReason({ ...user, userId: 0, env: { DISPLAY: ':0' } })).toMatch('sandbox');
  });

  it('has nothing against macOS and Windows', () => {
    for (const platform of ['darwin', 'win32'] as const)
      expect(noWindowReason({ platform, env: {}, userId: undefined })).toBeUndefined();
  });
});

describe('findElectron', () => {
  it('takes the folder it is told, under the usual name where no installer has noted one', () => {
    const binary = write('runtime/electron', '', 0o755);
    const env = { ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'runtime') };
    expect(findElectron(env, 'linux')).toBe(binary);
    expect(findElectron({ ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'missing') }, 'linux')).toBeUndefined();
  });
});

describe('ensureRenderer', () => {
  it('says what is missing where neither the interface nor its build tools are there', async () => {
    const bare = join(folder, 'bare');
    const building = ensureRenderer(
      () => undefined,
      bare,
      () => false,
    );
    await expect(building).rejects.toThrow('npm ci --omit=dev');
    write('bare/dist/renderer/index.html', '<!doctype html>');
    await ensureRenderer(
      () => expect.unreachable('nothing can be built'),
      bare,
      () => false,
    );
  });
});

describe('couldNotStart', () => {
  it('tells a binary that cannot run from an app that ended', () => {
    const exit = { code: null, signal: null, output: '' };
    expect(couldNotStart({ ...exit, code: 127 })).toBe(true);
    expect(couldNotStart({ ...exit, signal: 'SIGTRAP' })).toBe(true);
    expect(couldNotStart(exit)).toBe(true);
    expect(couldNotStart({ ...exit, code: 0 })).toBe(false);
    expect(couldNotStart({ ...exit, code: 1 })).toBe(false);
    expect(couldNotStart({ ...exit, signal: 'SIGTERM' })).toBe(false);
  });
});

describe('sourceStamp', () => {
  it('changes with a source, its name, and nothing else', () => {
    write('tree/renderer/src/main.tsx', 'a');
    const tree = join(folder, 'tree');
    const first = sourceStamp(tree);
    write('tree/README.md', 'no source');
    expect(sourceStamp(tree)).toBe(first);
    const changed = write('tree/renderer/src/main.tsx', 'b') && sourceStamp(tree);
    expect(changed).not.toBe(first);
    write('tree/server/api/services/chat.ts', '');
    expect(sourceStamp(tree)).not.toBe(changed);
  });
});

describe('capture', () => {
  const run = (script: string, timeoutMs?: number) =>
    capture([process.execPath, '-e', script], { cwd: folder, timeoutMs });

  it('keeps what was printed, without colors', async () => {
    const exit = await run("console.log('\\x1b[31mout\\x1b[0m'); console.error('err'); process.exitCode = 3");
    expect(exit.code).toBe(3);
    expect(exit.output.split('\n').sort()).toEqual(['', 'err', 'out']);
  });

  it('ends what runs over its time, and reports what cannot be started', async () => {
    const exit = await run('setInterval(() => {}, 1000)', 300);
    expect(exit.signal).toBe('SIGKILL');
    expect(exitCode(exit)).toBe(1);
    const missing = await capture([join(folder, 'missing')], { cwd: folder });
    expect(missing).toMatchObject({ code: null, signal: null });
  });
});
