import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Desktop } from '../../electron/desktop.ts';
import type { RunningServer } from '../../server/main.ts';
import { createStandIn } from './stand-in.ts';

const origin = 'http://127.0.0.1:8787';

function setUp(platform: NodeJS.Platform = 'win32') {
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
    files: { preload: '/preload.cjs', icon: '/icon.png', trayIcon: '/tray.png' },
  });
  const start = async () => {
    starting.resolve(server);
    await desktop.start();
  };
  return { ...standIn, desktop, server, starting, start, closes };
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
    app.emit('second-instance');
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
    expect(errors).toEqual(['Lokal could not start: Port 8787 is in use.']);
    expect(app.exits).toEqual([1]);
  });

  it('copies the address of the API from the tray', async () => {
    const { start, trays, copied } = setUp();
    await start();
    const item = trays[0]?.menu.find(({ label }) => label === 'Copy API address');
    item?.click?.(undefined as never, undefined, undefined as never);
    expect(copied).toEqual([`${origin}/v1`]);
  });
});
