/**
 * The life of the desktop app: one instance, the server first, then window, menu and tray; at the end the server (and
 * with it every engine host) is closed before the process goes.
 */
import type { MenuItemConstructorOptions } from 'electron';
import type { RunningServer } from '../server/main.ts';
import type { OpenRequest } from './bridge.ts';
import { pinCertificate } from './certificate.ts';
import type { ElectronApi, TrayApi, WindowApi } from './electron-api.ts';
import { handleRequests } from './ipc.ts';
import type { LoginItem } from './login-item.ts';
import { type Actions, applicationMenu } from './menu.ts';
import { linkScheme, readArguments, readLink, readOpenedFile } from './open-requests.ts';
import type { PreferencesFile } from './preferences.ts';
import { silenceChromium, silenceSession } from './silence.ts';
import { strings } from './strings.ts';
import { createTray } from './tray.ts';
import { confineSession, openWindow } from './window.ts';

/** A host that does not end does not keep the app from quitting. */
const closeLimitMs = 15_000;

export interface DesktopServer extends RunningServer {
  /** Of its certificate, where it speaks TLS. */
  fingerprint?: string;
}

export interface DesktopOptions {
  startServer(): Promise<DesktopServer>;
  platform: NodeJS.Platform;
  preferences: PreferencesFile;
  version: string;
  dataFolder: string;
  /** Of the command line that started it. */
  args: string[];
  /** The folder it was started in. */
  folder: string;
  /** Started by the system: no window unless the tray cannot bring one. */
  hidden: boolean;
  /** null where nothing is installed that could be opened. */
  loginItem: LoginItem | null;
  files: { preload: string; icon: string; trayIcon: string };
}

export class Desktop<Menu> {
  readonly #electron: ElectronApi<Menu>;
  readonly #options: DesktopOptions;
  #starting: Promise<DesktopServer> | undefined;
  #server: RunningServer | undefined;
  #window: WindowApi | undefined;
  #tray: TrayApi<Menu> | undefined;
  #leaving = false;
  /** Opened before a page could take it. */
  #waiting: OpenRequest[] = [];
  #pageReady = false;

  constructor(electron: ElectronApi<Menu>, options: DesktopOptions) {
    this.#electron = electron;
    this.#options = options;
  }

  /** Resolves when the window is open, or when this process turned out to have no business running. */
  async start(): Promise<void> {
    const { app } = this.#electron;
    app.enableSandbox();
    silenceChromium(app);
    if (!app.requestSingleInstanceLock()) return app.exit(0); // the running instance shows its window
    app.on('second-instance', (_event, args, folder) => {
      this.#show();
      // The first is the program itself.
      for (const request of readArguments(args.slice(1), folder)) this.#hand(request);
    });
    app.on('open-url', (event, link) => this.#opened(event, readLink(link)));
    app.on('open-file', (event, path) => this.#opened(event, readOpenedFile(path)));
    app.on('activate', () => this.#show());
    app.on('window-all-closed', () => this.#windowClosed());
    app.on('before-quit', (event) => {
      event.preventDefault();
      void this.#leave(0);
    });
    // The installers of macOS and Linux have said so already.
    if (app.isPackaged && this.#options.platform === 'win32') app.setAsDefaultProtocolClient(linkScheme);
    this.#waiting.push(...readArguments(this.#options.args, this.#options.folder));
    await app.whenReady();
    silenceSession(this.#electron.session.defaultSession);
    try {
      this.#starting = this.#options.startServer();
      this.#open(await this.#starting);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.fail(strings.startFailed, strings.startHelp(reason, this.#options.dataFolder));
    }
  }

  /** Says what happened, stops the hosts and ends with code 1. */
  fail(title: string, message: string): void {
    if (this.#leaving) return;
    this.#electron.dialog.showErrorBox(title, message);
    void this.#leave(1);
  }

  #open(server: DesktopServer): void {
    if (this.#leaving) return;
    this.#server = server;
    const { origin } = new URL(server.url);
    const electron = this.#electron;
    confineSession(electron.session.defaultSession, origin);
    if (server.fingerprint) pinCertificate(electron.session.defaultSession, origin, server.fingerprint);
    handleRequests(electron.ipcMain, origin, {
      'console:token': () => server.issueConsoleToken(),
      'desktop:ready': () => this.#pageTakes(),
      'desktop:progress': (share) => this.#progress(share),
      'desktop:ended': (text) => this.#ended(text),
    });
    electron.Menu.setApplicationMenu(electron.Menu.buildFromTemplate(this.#menu()));
    const icon = this.#options.files.trayIcon;
    this.#tray = createTray(electron, { icon, url: server.url, actions: this.#actions(server) });
    const { hidden, preferences } = this.#options;
    if (!(hidden && preferences.value.closeToTray) || this.#waiting.length > 0) this.#show();
  }

  #opened(event: { preventDefault(): void }, request: OpenRequest | null): void {
    event.preventDefault();
    if (!request) return;
    this.#show();
    this.#hand(request);
  }

  #hand(request: OpenRequest): void {
    if (this.#pageReady && this.#window && !this.#window.isDestroyed())
      this.#window.webContents.send('desktop:open', request);
    else this.#waiting.push(request);
  }

  #pageTakes(): undefined {
    this.#pageReady = true;
    for (const request of this.#waiting.splice(0)) this.#hand(request);
  }

  #progress(share: unknown): undefined {
    if (!this.#window || this.#window.isDestroyed()) return;
    this.#window.setProgressBar(typeof share === 'number' && share >= 0 ? Math.min(1, share) : -1);
  }

  /** A notice that is seen while the person looks at another program. */
  #ended(text: unknown): undefined {
    if (typeof text !== 'string' || (this.#window && !this.#window.isDestroyed() && this.#window.isFocused()))
      return;
    const notice = new this.#electron.Notification({ title: strings.name, body: text.slice(0, 200) });
    notice.on('click', () => this.#show());
    notice.show();
  }

  #menu(): MenuItemConstructorOptions[] {
    const { app, shell } = this.#electron;
    const { platform, preferences, version, dataFolder, loginItem } = this.#options;
    app.setAboutPanelOptions({
      applicationName: strings.name,
      applicationVersion: version,
      copyright: strings.licence,
    });
    const { closeToTray } = preferences.value;
    return applicationMenu(
      { platform, isPackaged: app.isPackaged, closeToTray, openAtLogin: loginItem?.enabled() },
      {
        about: () => app.showAboutPanel(),
        openDataFolder: () => void shell.openPath(dataFolder),
        setCloseToTray: (on) => preferences.change({ closeToTray: on }),
        setOpenAtLogin: (on) => loginItem?.set(on),
      },
    );
  }

  #actions(server: RunningServer): Actions {
    return {
      open: () => this.#show(),
      copyAddress: () => this.#electron.clipboard.writeText(new URL('/v1', server.url).href),
      quit: () => this.#electron.app.quit(),
    };
  }

  #show(): void {
    if (!this.#server || this.#leaving) return;
    if (this.#window && !this.#window.isDestroyed()) {
      if (this.#window.isMinimized()) this.#window.restore();
      this.#window.show();
      this.#window.focus();
      return;
    }
    const { origin } = new URL(this.#server.url);
    const { preload, icon } = this.#options.files;
    const { preferences } = this.#options;
    this.#pageReady = false;
    this.#window = openWindow(this.#electron, { origin, preload, icon, preferences });
  }

  /** The API goes on without its window as the person chose; the first time they are told. */
  #windowClosed(): void {
    this.#window = undefined;
    const { preferences } = this.#options;
    if (!preferences.value.closeToTray) this.#electron.app.quit();
    else if (!preferences.value.hintShown && !this.#leaving) this.#hint();
  }

  #hint(): void {
    const { preferences } = this.#options;
    preferences.change({ hintShown: true });
    new this.#electron.Notification({ title: strings.goesOn, body: strings.goesOnHint }).show();
  }

  async #leave(code: number): Promise<void> {
    if (this.#leaving) return;
    this.#leaving = true;
    this.#tray?.destroy();
    await Promise.race([this.#closeServer(), timeLimit()]);
    this.#electron.app.exit(code);
  }

  /** Also when it is still starting; one that failed to start or to close has said so already. */
  async #closeServer(): Promise<void> {
    try {
      const server = await this.#starting;
      await server?.close();
    } catch {}
  }
}

function timeLimit(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, closeLimitMs).unref());
}
