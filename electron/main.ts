/** Entry of the desktop app: joins Electron, the server and the shell. */
import { fileURLToPath } from 'node:url';
import * as electron from 'electron';
import { Desktop, type DesktopServer } from './desktop.ts';
import { strings } from './strings.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

async function startServer(): Promise<DesktopServer> {
  throw new Error('server');
}

electron.app.setName(strings.name);
const desktop = new Desktop<Electron.Menu>(electron, {
  startServer,
  platform: process.platform,
  files: {
    preload: path('./preload.cjs'),
    icon: path('../../build/icons/icon.png'),
    trayIcon: path('../../build/icons/tray.png'),
  },
});

// Its message may quote what someone sent, so only its kind is shown.
const onUnexpected = (error: unknown) =>
  desktop.fail(strings.stopped, strings.unexpected(error instanceof Error ? error.name : typeof error));
process.on('uncaughtException', onUnexpected);
process.on('unhandledRejection', onUnexpected);
void desktop.start();
