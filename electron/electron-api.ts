/**
 * The few Electron APIs that Lokal uses, as narrow types. Only main.ts (and the sandboxed preload) imports Electron
 * itself; everything else gets this, so that tests drive it without the binary.
 */
import type {
  AboutPanelOptionsOptions,
  BrowserWindowConstructorOptions,
  MenuItemConstructorOptions,
  MessageBoxSyncOptions,
  OnBeforeRequestListenerDetails,
} from 'electron';
import type { OpenRequest } from './bridge.ts';
import type { ContextParams } from './context-menu.ts';
import type { Bounds } from './preferences.ts';

interface Cancellable {
  preventDefault(): void;
}

export interface AppApi {
  readonly isPackaged: boolean;
  setName(name: string): void;
  /** Windows groups windows, pins and notifications by it. */
  setAppUserModelId(id: string): void;
  setAboutPanelOptions(options: AboutPanelOptionsOptions): void;
  showAboutPanel(): void;
  setPath(name: 'userData', path: string): void;
  enableSandbox(): void;
  readonly commandLine: { appendSwitch(name: string, value?: string): void };
  requestSingleInstanceLock(): boolean;
  whenReady(): Promise<void>;
  quit(): void;
  exit(code: number): void;
  on(event: 'before-quit', listener: (event: Cancellable) => void): unknown;
  on(event: 'window-all-closed' | 'activate', listener: () => void): unknown;
  on(event: 'second-instance', listener: (event: unknown, args: string[], folder: string) => void): unknown;
  /** On macOS, also before the app is ready. */
  on(event: 'open-url' | 'open-file', listener: (event: Cancellable, opened: string) => void): unknown;
  setAsDefaultProtocolClient(scheme: string): boolean;
  getLoginItemSettings(options: { args: string[] }): { openAtLogin: boolean };
  setLoginItemSettings(options: { openAtLogin: boolean; args: string[] }): void;
}

export interface WebContentsApi {
  on(event: 'will-navigate' | 'will-redirect', listener: (event: Cancellable, url: string) => void): unknown;
  on(event: 'will-frame-navigate', listener: (event: Cancellable & { url: string }) => void): unknown;
  on(event: 'context-menu', listener: (event: unknown, params: ContextParams) => void): unknown;
  on(event: 'will-prevent-unload', listener: (event: Cancellable) => void): unknown;
  on(event: 'will-attach-webview', listener: (event: Cancellable) => void): unknown;
  on(event: 'render-process-gone', listener: (event: unknown, gone: { reason: string }) => void): unknown;
  send(channel: 'desktop:open', request: OpenRequest): void;
  setWindowOpenHandler(handler: () => { action: 'deny' }): void;
  setWebRTCIPHandlingPolicy(policy: 'disable_non_proxied_udp'): void;
}

export interface WindowApi {
  readonly webContents: WebContentsApi;
  loadURL(url: string): Promise<void>;
  once(event: 'ready-to-show' | 'closed', listener: () => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  /** 0 to 1; below 0 there is none. */
  setProgressBar(share: number): void;
  isFocused(): boolean;
  getNormalBounds(): Bounds;
  isMaximized(): boolean;
  maximize(): void;
  isDestroyed(): boolean;
  isMinimized(): boolean;
  restore(): void;
  show(): void;
  focus(): void;
}

/** Asked by Chromium before it trusts a server. */
export interface CertificateRequest {
  hostname: string;
  certificate: { fingerprint: string };
}

export interface SessionApi {
  setCertificateVerifyProc(
    verify: ((request: CertificateRequest, decide: (verdict: number) => void) => void) | null,
  ): void;
  setSpellCheckerLanguages(languages: string[]): void;
  setPermissionRequestHandler(
    handler: (contents: unknown, permission: string, callback: (granted: boolean) => void) => void,
  ): void;
  setPermissionCheckHandler(handler: (contents: unknown, permission: string) => boolean): void;
  webRequest: {
    onBeforeRequest(
      listener: (
        details: Pick<OnBeforeRequestListenerDetails, 'url'>,
        callback: (response: { cancel: boolean }) => void,
      ) => void,
    ): void;
  };
}

export interface TrayApi<Menu> {
  setToolTip(text: string): void;
  setContextMenu(menu: Menu): void;
  on(event: 'click', listener: () => void): unknown;
  destroy(): void;
}

/** The sender of an IPC call. */
export interface IpcEvent {
  senderFrame: { url: string; parent: unknown } | null;
}

export interface IpcMainApi {
  handle(channel: string, listener: (event: IpcEvent, ...args: unknown[]) => unknown): void;
}

export interface SafeStorageApi {
  isAsyncEncryptionAvailable(): Promise<boolean>;
  /** On Linux alone. */
  getSelectedStorageBackend?(): string;
  encryptStringAsync(plain: string): Promise<Uint8Array>;
  decryptStringAsync(sealed: Buffer): Promise<{ result: string }>;
}

export interface UtilityChildApi {
  /** Undefined before the process has started and after its end. */
  readonly pid: number | undefined;
  on<Message>(event: 'message', listener: (message: Message) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
  postMessage(message: unknown): void;
  kill(): boolean;
}

export interface UtilityProcessApi {
  fork(
    entry: string,
    args: string[],
    options: { env: NodeJS.ProcessEnv; stdio: 'ignore'; serviceName: string },
  ): UtilityChildApi;
}

/** `Menu` stays opaque: it is built from a template and handed on. */
export interface ElectronApi<Menu = unknown> {
  app: AppApi;
  BrowserWindow: new (options: BrowserWindowConstructorOptions) => WindowApi;
  Tray: new (icon: string) => TrayApi<Menu>;
  Menu: {
    buildFromTemplate(template: MenuItemConstructorOptions[]): Menu & { popup(): void };
    setApplicationMenu(menu: Menu): void;
  };
  session: { readonly defaultSession: SessionApi };
  ipcMain: IpcMainApi;
  dialog: {
    showErrorBox(title: string, content: string): void;
    /** @returns the button's place in the list */
    showMessageBoxSync(options: MessageBoxSyncOptions): number;
  };
  clipboard: { writeText(text: string): void };
  shell: { openPath(path: string): Promise<string> };
  screen: { getAllDisplays(): { workArea: Bounds }[] };
  Notification: new (options: {
    title: string;
    body: string;
  }) => { show(): void; on(event: 'click', listener: () => void): unknown };
}
