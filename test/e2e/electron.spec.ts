import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, expect, type Page, test } from '@playwright/test';
import { compileDesktop } from '../../build/start/desktop.ts';
import { findElectron, noWindowReason } from '../../build/start/electron-binary.ts';
import { root } from '../../build/start/paths.ts';

const electron = findElectron();
const reason =
  noWindowReason({ platform: process.platform, env: process.env, userId: process.getuid?.() }) ??
  (electron ? undefined : 'the Electron binary is not installed');

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
      args: [join(root, 'dist', 'electron', 'main.js'), '--port', '0'],
      env: { ...(process.env as Record<string, string>), LOKAL_HOME: home },
    });
    page = await app.firstWindow();
  });

  test.afterAll(async () => {
    await app?.close();
    if (home) rmSync(home, { recursive: true, force: true });
  });

  test('shows the interface with a console session', async () => {
    await expect(page.getByRole('navigation')).toBeVisible();
    expect(new URL(page.url()).hostname).toBe('127.0.0.1');
    expect(await page.evaluate(async () => (await fetch('/console/settings')).status)).toBe(200);
  });

  test('gives the page the bridge and no Node', async () => {
    const seen = await page.evaluate(() => ({
      bridge: Object.keys((globalThis as unknown as { lokal: object }).lokal),
      require: typeof (globalThis as { require?: unknown }).require,
      process: typeof (globalThis as { process?: unknown }).process,
    }));
    expect(seen).toEqual({ bridge: ['consoleToken', 'pathOf'], require: 'undefined', process: 'undefined' });
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

  test('stops the server when it quits', async () => {
    const { origin } = new URL(page.url());
    await app.close();
    await expect(fetch(`${origin}/healthz`)).rejects.toThrow();
  });
});
