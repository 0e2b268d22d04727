import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, expect, type Page, test } from '@playwright/test';
import { compileDesktop } from '../../build/start/desktop.ts';
import { findElectron, noWindowReason } from '../../build/start/electron-binary.ts';
import { root } from '../../build/start/paths.ts';
import { secretHeader } from '../../server/api/console/secret.ts';

const electron = findElectron();
const reason =
  noWindowReason({ platform: process.platform, env: process.env, userId: process.getuid?.() }) ??
  (electron ? undefined : 'the Electron binary is not installed');

function createKey(home: string): string {
  const args = [join(root, 'server', 'cli.ts'), 'keys', 'create', 'window', '--plan', 'enterprise', '--json'];
  const env = { ...process.env, LOKAL_HOME: home };
  const made = execFileSync(process.execPath, args, { env, encoding: 'utf8' });
  return (JSON.parse(made) as { secret: string }).secret;
}

test.describe('desktop window', () => {
  test.skip(reason !== undefined, reason ?? '');
  let home: string;
  let app: ElectronApplication;
  let page: Page;

  test.beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'lokal-desktop-'));
    await compileDesktop();
    app = await _electron.launch({
      executablePath: electron,
      args: [
        `--log-net-log=${join(home, 'net.json')}`,
        join(root, 'dist', 'electron', 'main.js'),
        '--port',
        '0',
      ],
      env: { ...(process.env as Record<string, string>), LOKAL_HOME: home },
    });
    page = await app.firstWindow();
    // The router moves once the session is there.
    await page.waitForURL(/#\/\w/);
  });

  test.afterAll(async () => {
    await app?.close();
    if (home) rmSync(home, { recursive: true, force: true });
  });

  test('shows the interface with a console session', async () => {
    await expect(page.getByRole('navigation')).toBeVisible();
    expect(new URL(page.url()).hostname).toBe('127.0.0.1');
    const status = page.evaluate(async (header) => {
      const secret = localStorage.getItem('lokal.console') ?? '';
      return (await fetch('/console/settings', { headers: { [header]: secret } })).status;
    }, secretHeader);
    expect(await status).toBe(200);
  });

  test('gives the page the bridge and no Node', async () => {
    const seen = await page.evaluate(() => ({
      bridge: Object.keys((globalThis as unknown as { lokal: object }).lokal),
      require: typeof (globalThis as { require?: unknown }).require,
      process: typeof (globalThis as { process?: unknown }).process,
    }));
    expect(seen).toEqual({
      bridge: ['consoleToken', 'pathOf', 'onOpen', 'showProgress', 'tellEnded'],
      require: 'undefined',
      process: 'undefined',
    });
  });

  test('refuses to navigate away, to open windows and to reach other hosts', async () => {
    const before = page.url();
    await page.evaluate(() => location.assign('https://example.com/'));
    await page.waitForTimeout(500);
    expect(page.url()).toBe(before);
    expect(await page.evaluate(() => window.open('https://example.com/') === null)).toBe(true);
    const reached = await page.evaluate(() =>
      fetch('https://example.com/', { mode: 'no-cors' }).then(
        () => true,
        () => false,
      ),
    );
    expect(reached).toBe(false);
  });

  test('answers from engine hosts that are confined as far as Chromium’s children can be', async () => {
    const { origin } = new URL(page.url());
    const response = await fetch(`${origin}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${createKey(home)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'svc-embed-base', input: 'a' }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-lokal-confinement') ?? 'on').toMatch(
      /^(on|partial; landlock: this kernel)/,
    );
  });

  test('stops the server when it quits, having asked nobody but it for anything', async () => {
    const { origin } = new URL(page.url());
    await app.close();
    await expect(fetch(`${origin}/healthz`)).rejects.toThrow();
    const log = readFileSync(join(home, 'net.json'), 'utf8');
    expect(log).toContain(origin);
    const others = [...log.matchAll(/"(?:url|host|original_url)":"(?:(?:https?|wss?):\/\/)?([^"/:]+)/g)]
      .map(([, host]) => host)
      .filter((host) => host !== '127.0.0.1' && host !== 'devtools');
    expect([...new Set(others)]).toEqual([]);
  });
});
