import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { MenuItemConstructorOptions } from 'electron';
import { afterAll, describe, expect, it } from 'vitest';
import { Desktop, type DesktopOptions } from '../../electron/desktop.ts';
import { openPreferences } from '../../electron/preferences.ts';
import type { RunningServer } from '../../server/main.ts';
import { createStandIn } from './stand-in.ts';

type Template = MenuItemConstructorOptions[];
const origin = 'http://127.0.0.1:8787';

const folder = mkdtempSync(join(tmpdir(), 'lokal-desktop-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

function setUp(platform: NodeJS.Platform = 'win32', options: Partial<DesktopOptions> = {}) {
  count += 1;
  const preferences = openPreferences(join(folder, `${count}.json`), platform);
  const standIn = createStandIn();
  const closes = { count: 0 };
  const server: RunningServer = {
    url: `${origin}/`,
    issueConsoleToken: () => 'once',
    close: async () => {
      closes.count += 1;
    },
  };
  const starting = Promise.withResolvers<RunningServer>();
  const desktop = new Desktop(standIn.electron, {
    startServer: () => starting.promise,
    platform,
    preferences,
    version: '1.2.3',
    dataFolder: '/data/lokal',
    args: [],
    folder,
    hidden: false,
    loginItem: null,
    ...options,
    files: { preload: '/preload.cjs', icon: '/icon.png', trayIcon: '/tray.png' },
  });
  const start = async () => {
    starting.resolve(server);
    await desktop.start();
  };
  return { ...standIn, preferences, desktop, server, starting, start, closes };
}

describe('Desktop', () => {
  it('starts the server, then opens one confined window on it', async () => {
    const { start, windows, app } = setUp();
    await start();
    expect(app.sandboxed).toBe(true);
    expect(windows).toHaveLength(1);
    expect(windows[0]?.loaded).toEqual([`${origin}/`]);
    expect(windows[0]?.options.webPreferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      preload: '/preload.cjs',
    });
  });

  it('leaves at once when another instance runs, without starting a server', async () => {
    const { desktop, windows, app } = setUp();
    app.firstInstance = false;
    await desktop.start();
    expect(app.exits).toEqual([0]);
    expect(windows).toHaveLength(0);
  });

  it('shows the window it has when a second instance is started', async () => {
    const { start, windows, app } = setUp();
    await start();
    const [window] = windows;
    if (window) window.minimized = true;
    app.emit('second-instance', {}, ['lokal'], folder);
    expect(windows).toHaveLength(1);
    expect(window).toMatchObject({ minimized: false, shown: 1, focused: 1 });
  });

  it('goes on without a window, and the tray opens a new one', async () => {
    const { start, windows, trays, app, closes } = setUp();
    await start();
    if (windows[0]) windows[0].destroyed = true;
    app.emit('window-all-closed');
    expect(closes.count).toBe(0);
    trays[0]?.emit('click');
    expect(windows).toHaveLength(2);
  });

  it('quits with its last window on Linux, where there may be no tray', async () => {
    const { start, app, closes } = setUp('linux');
    await start();
    app.emit('window-all-closed');
    await turn();
    expect(closes.count).toBe(1);
    expect(app.exits).toEqual([0]);
  });

  it('goes on without a window on Linux too where the person chose so, and quits elsewhere where not', async () => {
    const linux = setUp('linux');
    linux.preferences.change({ closeToTray: true });
    await linux.start();
    linux.app.emit('window-all-closed');
    const windows = setUp('win32');
    await windows.start();
    const keep = windows.menus[0]
      ?.flatMap(({ submenu = [] }) => submenu as Template)
      .find(({ type }) => type === 'checkbox');
    expect(keep?.checked).toBe(true);
    keep?.click?.({ checked: false } as never, undefined, undefined as never);
    windows.app.emit('window-all-closed');
    await turn();
    expect([linux.closes.count, windows.closes.count]).toEqual([0, 1]);
  });

  it('says once that it goes on', async () => {
    const { start, app, notices } = setUp();
    await start();
    app.emit('window-all-closed');
    app.emit('window-all-closed');
    expect(notices).toEqual(['Lokal goes on']);
  });

  it('tells its version and opens its data folder from the menu', async () => {
    const { start, app, menus, opened } = setUp();
    await start();
    expect(app.about).toMatchObject({ applicationVersion: '1.2.3' });
    const items = menus[0]?.flatMap(({ submenu = [] }) => submenu as Template) ?? [];
    const item = items.find(({ label }) => label === 'Open data folder');
    item?.click?.(undefined as never, undefined, undefined as never);
    expect(opened).toEqual(['/data/lokal']);
  });

  it('closes the server once before it exits, however often it is asked', async () => {
    const { start, app, server, trays, closes } = setUp();
    const closing = Promise.withResolvers<void>();
    const close = server.close;
    server.close = async () => {
      await close();
      await closing.promise;
    };
    await start();
    app.quit();
    app.quit();
    await turn();
    expect(closes.count).toBe(1);
    expect(app.exits).toEqual([]);
    closing.resolve();
    await turn();
    expect(app.exits).toEqual([0]);
    expect(trays[0]?.destroyed).toBe(true);
  });

  it('closes a server that was still starting when the person quit', async () => {
    const { desktop, app, starting, server, windows, closes } = setUp();
    const started = desktop.start();
    await turn();
    app.quit();
    starting.resolve(server);
    await started;
    await turn();
    expect(closes.count).toBe(1);
    expect(windows).toHaveLength(0);
    expect(app.exits).toEqual([0]);
  });

  it('says in one box why the server could not start, and exits with code 1', async () => {
    const { desktop, app, starting, errors } = setUp();
    starting.reject(new Error('Port 8787 is in use.'));
    await desktop.start();
    await turn();
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(
      /^Lokal could not start: Port 8787 is in use\.\n.*\/data\/lokal.*lokal doctor/s,
    );
    expect(app.exits).toEqual([1]);
  });

  it('copies the address of the API from the tray', async () => {
    const { start, trays, copied } = setUp();
    await start();
    const item = trays[0]?.menu.find(({ label }) => label === 'Copy API address');
    item?.click?.(undefined as never, undefined, undefined as never);
    expect(copied).toEqual([`${origin}/v1`]);
  });

  const fromPage = { senderFrame: { url: `${origin}/`, parent: null } };

  it('hands links and files to the page once it takes them, and to a running one at once', async () => {
    const { start, app, windows, handlers } = setUp('win32', { args: ['lokal://keys'] });
    await start();
    const sent = windows[0]?.webContents.sent;
    expect(sent).toEqual([]);
    await handlers.get('desktop:ready')?.(fromPage);
    expect(sent).toEqual([{ kind: 'page', page: '/keys' }]);
    app.emit('second-instance', {}, ['lokal.exe', 'lokal://packs', 'lokal://keys?x=1'], folder);
    app.emit('open-url', { preventDefault: () => undefined }, 'lokal://usage');
    expect(sent?.slice(1)).toEqual([
      { kind: 'page', page: '/packs' },
      { kind: 'page', page: '/usage' },
    ]);
    expect(app.schemes).toEqual([]);
    const installed = setUp('win32');
    installed.app.isPackaged = true;
    await installed.start();
    expect(installed.app.schemes).toEqual(['lokal']);
  });

  it('opens no window when the system starts it at login, unless there is no tray to bring one', async () => {
    const tray = setUp('win32', { hidden: true });
    await tray.start();
    expect(tray.windows).toHaveLength(0);
    tray.trays[0]?.emit('click');
    expect(tray.windows).toHaveLength(1);
    const linux = setUp('linux', { hidden: true });
    await linux.start();
    expect(linux.windows).toHaveLength(1);
  });

  it('shows progress, and tells of an end where the person looks elsewhere', async () => {
    const { start, windows, handlers, notices, noticeClicks } = setUp();
    await start();
    const [window] = windows;
    const ask = (channel: string, value: unknown) => handlers.get(channel)?.(fromPage, value);
    ask('desktop:progress', 0.25);
    expect(window?.progress).toBe(0.25);
    ask('desktop:progress', 7);
    expect(window?.progress).toBe(1);
    ask('desktop:progress', null);
    expect(window?.progress).toBe(-1);
    ask('desktop:ended', 'Invoices are read');
    expect(notices).toEqual([]);
    if (window) window.inFront = false;
    ask('desktop:ended', { not: 'a text' });
    ask('desktop:ended', 'Invoices are read');
    expect(notices).toEqual(['Lokal']);
    noticeClicks[0]?.();
    expect(window?.focused).toBe(1);
  });

  it('offers opening at login where it is installed', async () => {
    const calls: boolean[] = [];
    const loginItem = { enabled: () => true, set: (on: boolean) => void calls.push(on) };
    const { start, menus } = setUp('win32', { loginItem });
    await start();
    const item = menus[0]
      ?.flatMap(({ submenu = [] }) => submenu as Template)
      .find(({ label }) => label?.startsWith('Open at login'));
    expect(item?.checked).toBe(true);
    item?.click?.({ checked: false } as never, undefined, undefined as never);
    expect(calls).toEqual([false]);
  });
});
