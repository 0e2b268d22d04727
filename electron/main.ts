/** Entry of the desktop app: joins Electron, the server and the shell. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as electron from 'electron';
import { serve } from '../server/cli/server/serve.ts';
import { dataFolder, readConfig, type ServeOptions } from '../server/config.ts';
import { startServer } from '../server/main.ts';
import { version } from '../server/version.ts';
import { fingerprintOf } from './certificate.ts';
import { Desktop, type DesktopServer } from './desktop.ts';
import { createLoginItem, hiddenFlag } from './login-item.ts';
import { openPreferences } from './preferences.ts';
import { createSecretBox } from './secret-box.ts';
import { strings } from './strings.ts';
import { utilitySpawn } from './utility-port.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The options of `lokal serve`; what Electron and Chromium take from the same command line is passed over. */
function readOptions(args: string[]): ServeOptions {
  return parseArgs({ args, options: serve.options, strict: false, allowPositionals: true })
    .values as ServeOptions;
}

async function start(): Promise<DesktopServer> {
  const config = readConfig(readOptions(process.argv.slice(1)));
  const secretBox = await createSecretBox(electron.safeStorage);
  const spawn = utilitySpawn(electron.utilityProcess, config.hostEnv);
  const server = await startServer(config, { spawn, ...(secretBox ? { secretBox } : {}) });
  return { ...server, ...(config.tls ? { fingerprint: fingerprintOf(config.tls.cert) } : {}) };
}

electron.app.setName(strings.name);
// As the installer registers it (build/electron-builder.json).
electron.app.setAppUserModelId('local.lokal.desktop');
// One instance a data folder; and nothing of the window is kept outside it.
electron.app.setPath('userData', join(dataFolder(), 'desktop'));
const desktop = new Desktop<Electron.Menu>(electron, {
  startServer: start,
  platform: process.platform,
  preferences: openPreferences(join(dataFolder(), 'desktop', 'preferences.json'), process.platform),
  version,
  dataFolder: dataFolder(),
  // Unpacked, Electron's own binary comes first and the app's folder second.
  args: process.argv.slice(electron.app.isPackaged ? 1 : 2),
  folder: process.cwd(),
  hidden: process.argv.includes(hiddenFlag) || electron.app.getLoginItemSettings().wasOpenedAtLogin,
  loginItem: electron.app.isPackaged
    ? createLoginItem({
        app: electron.app,
        platform: process.platform,
        // An AppImage runs from a folder that is gone after it.
        program: process.env.APPIMAGE ?? process.execPath,
        autostartFolder: join(electron.app.getPath('appData'), 'autostart'),
      })
    : null,
  files: {
    preload: path('./preload.cjs'),
    icon: path('../../build/icons/icon.png'),
    // macOS colours a template by itself.
    trayIcon: path(`../../build/icons/${process.platform === 'darwin' ? 'trayTemplate' : 'tray'}.png`),
  },
});

// Its message may quote what someone sent, so only its kind is shown.
const onUnexpected = (error: unknown) =>
  desktop.fail(strings.stopped, strings.unexpected(error instanceof Error ? error.name : typeof error));
process.on('uncaughtException', onUnexpected);
process.on('unhandledRejection', onUnexpected);
void desktop.start();
