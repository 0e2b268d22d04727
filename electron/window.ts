import type { BrowserWindowConstructorOptions } from 'electron';
import { contextMenu } from './context-menu.ts';
import type { ElectronApi, SessionApi, WebContentsApi, WindowApi } from './electron-api.ts';
import { sameOrigin } from './ipc.ts';
import { type PreferencesFile, visibleBounds } from './preferences.ts';
import { strings } from './strings.ts';

/** A page that keeps crashing is not loaded for ever. */
const maxReloads = 3;

export interface WindowOptions {
  /** Origin of our server, e.g. `http://127.0.0.1:8787`. */
  origin: string;
  /** Path of the compiled preload script. */
  preload: string;
  icon: string;
  preferences: PreferencesFile;
}

/** Opens the window on the interface. It can go nowhere else, and has no more rights than a web page. */
export function openWindow(electron: ElectronApi, options: WindowOptions): WindowApi {
  const displays = electron.screen.getAllDisplays().map(({ workArea }) => workArea);
  const place = visibleBounds(options.preferences.value.bounds, displays);
  const window = new electron.BrowserWindow({ ...windowOptions(options), ...place });
  if (options.preferences.value.maximized) window.maximize();
  window.on('close', () =>
    options.preferences.change({ bounds: window.getNormalBounds(), maximized: window.isMaximized() }),
  );
  confine(window.webContents, options.origin);
  offerContextMenu(electron, window.webContents);
  askBeforeLoss(electron, window);
  reloadAfterCrash(window, options.origin);
  window.once('ready-to-show', () => window.show());
  void load(window, options.origin);
  return window;
}

/** The session's part of the confinement: no permission, and no request to anyone but our server. */
export function confineSession(session: SessionApi, origin: string): void {
  const allowed = (permission: string) => permission === 'clipboard-sanitized-write'; // the copy buttons
  session.setPermissionRequestHandler((_contents, permission, decide) => decide(allowed(permission)));
  session.setPermissionCheckHandler((_contents, permission) => allowed(permission));
  session.webRequest.onBeforeRequest(({ url }, decide) => decide({ cancel: !isLocal(url, origin) }));
}

function windowOptions({ preload, icon }: WindowOptions): BrowserWindowConstructorOptions {
  return {
    width: 1200,
    height: 800,
    minWidth: 480,
    minHeight: 400,
    show: false,
    icon,
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      // The spell checker fetches its dictionaries from the network.
      spellcheck: false,
    },
  };
}

function confine(contents: WebContentsApi, origin: string): void {
  const refuseForeign = (event: { preventDefault(): void }, url: string) => {
    if (!sameOrigin(url, origin)) event.preventDefault();
  };
  contents.on('will-navigate', refuseForeign);
  contents.on('will-redirect', refuseForeign);
  contents.on('will-frame-navigate', (event) => refuseForeign(event, event.url));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  // No STUN or peer connection can be opened past the session's request filter.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}

function offerContextMenu({ Menu }: ElectronApi, contents: WebContentsApi): void {
  contents.on('context-menu', (_event, params) => {
    const template = contextMenu(params);
    if (template.length > 0) Menu.buildFromTemplate(template).popup();
  });
}

/** Electron asks nobody where a page holds on to its work, and the window would just not close. */
function askBeforeLoss({ dialog }: ElectronApi, window: WindowApi): void {
  const buttons = [strings.leave, strings.stay];
  const stay = buttons.indexOf(strings.stay);
  window.webContents.on('will-prevent-unload', (event) => {
    const choice = dialog.showMessageBoxSync({
      type: 'question',
      message: strings.unkept,
      detail: strings.unkeptHint,
      buttons,
      defaultId: stay,
      cancelId: stay,
    });
    if (choice !== stay) event.preventDefault();
  });
}

function reloadAfterCrash(window: WindowApi, origin: string): void {
  let reloads = 0;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed() || reloads === maxReloads) return;
    reloads += 1;
    void load(window, origin);
  });
}

/** A load that is cut short (a reload, a closed window) rejects too; there is nothing to do about that one. */
async function load(window: WindowApi, origin: string): Promise<void> {
  try {
    await window.loadURL(`${origin}/`);
  } catch (error) {
    const { code = 'ERR_FAILED' } = error as { code?: string };
    if (code === 'ERR_ABORTED' || window.isDestroyed()) return;
    await window.loadURL(messagePage(strings.pageFailed(code))).catch(() => undefined);
  }
}

/** A page of its own, without a script: nothing of the server can be shown. */
function messagePage(text: string): string {
  const style = 'font: 16px system-ui; margin: 20vh auto; max-width: 36em; padding: 0 2em';
  const html = `<!doctype html><meta charset="utf-8"><title>Lokal</title><p style="${style}">${text}</p>`;
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
}

function isLocal(url: string, origin: string): boolean {
  const { protocol } = new URL(url);
  return sameOrigin(url, origin) || protocol === 'blob:' || protocol === 'data:' || protocol === 'devtools:';
}
