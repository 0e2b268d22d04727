/** A typed stand-in for Electron: remembers what it was told and lets a test raise events. */
import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions, MenuItemConstructorOptions } from 'electron';
import type { ElectronApi, IpcEvent } from '../../electron/electron-api.ts';

type Template = MenuItemConstructorOptions[];
type IpcListener = (event: IpcEvent, ...args: unknown[]) => unknown;

class FakeContents extends EventEmitter {
  openHandler: (() => { action: 'deny' }) | undefined;
  webRtcPolicy = '';
  readonly sent: unknown[] = [];
  send(_channel: string, request: unknown): void {
    this.sent.push(request);
  }
  setWebRTCIPHandlingPolicy(policy: string): void {
    this.webRtcPolicy = policy;
  }
  setWindowOpenHandler(handler: () => { action: 'deny' }): void {
    this.openHandler = handler;
  }
}

class FakeWindow extends EventEmitter {
  readonly webContents = new FakeContents();
  readonly loaded: string[] = [];
  readonly options: BrowserWindowConstructorOptions;
  shown = 0;
  focused = 0;
  destroyed = false;
  minimized = false;
  constructor(options: BrowserWindowConstructorOptions) {
    super();
    this.options = options;
  }
  async loadURL(url: string): Promise<void> {
    this.loaded.push(url);
  }
  progress: number | undefined;
  inFront = true;
  setProgressBar(share: number): void {
    this.progress = share;
  }
  isFocused = () => this.inFront;
  bounds = { x: 40, y: 30, width: 900, height: 700 };
  maximized = false;
  getNormalBounds = () => this.bounds;
  isMaximized = () => this.maximized;
  maximize = () => {
    this.maximized = true;
  };
  isDestroyed = () => this.destroyed;
  isMinimized = () => this.minimized;
  restore = () => {
    this.minimized = false;
  };
  show = () => {
    this.shown += 1;
  };
  focus = () => {
    this.focused += 1;
  };
}

class FakeTray extends EventEmitter {
  readonly icon: string;
  menu: Template = [];
  destroyed = false;
  constructor(icon: string) {
    super();
    this.icon = icon;
  }
  setToolTip(): void {}
  setContextMenu(menu: Template): void {
    this.menu = menu;
  }
  destroy(): void {
    this.destroyed = true;
  }
}

class FakeApp extends EventEmitter {
  isPackaged = false;
  readonly schemes: string[] = [];
  loginItem = { openAtLogin: false, args: [] as string[] };
  setAsDefaultProtocolClient(scheme: string): boolean {
    this.schemes.push(scheme);
    return true;
  }
  getLoginItemSettings = () => ({ ...this.loginItem, wasOpenedAtLogin: false });
  setLoginItemSettings(settings: { openAtLogin: boolean; args: string[] }): void {
    this.loginItem = settings;
  }
  getPath = () => '/config';
  readonly exits: number[] = [];
  firstInstance = true;
  sandboxed = false;
  readonly switches: string[] = [];
  readonly commandLine = { appendSwitch: (name: string) => void this.switches.push(name) };
  name = '';
  userData = '';
  about: object | undefined;
  setAppUserModelId(): void {}
  setAboutPanelOptions(options: object): void {
    this.about = options;
  }
  showAboutPanel(): void {}
  setName(name: string): void {
    this.name = name;
  }
  setPath(_name: 'userData', path: string): void {
    this.userData = path;
  }
  enableSandbox(): void {
    this.sandboxed = true;
  }
  requestSingleInstanceLock = () => this.firstInstance;
  whenReady = async () => undefined;
  /** As Electron does: quitting asks first, and goes only when nobody objects. */
  quit(): void {
    let prevented = false;
    this.emit('before-quit', { preventDefault: () => (prevented = true) });
    if (!prevented) this.exit(0);
  }
  exit(code: number): void {
    this.exits.push(code);
    this.emit('exit', code);
  }
}

class FakeSession {
  spelling: string[] = ['en-US'];
  verifyCertificate: Parameters<ElectronApi['session']['defaultSession']['setCertificateVerifyProc']>[0] =
    null;
  setCertificateVerifyProc(verify: FakeSession['verifyCertificate']): void {
    this.verifyCertificate = verify;
  }
  setSpellCheckerLanguages(languages: string[]): void {
    this.spelling = languages;
  }
  requestPermission: Parameters<ElectronApi['session']['defaultSession']['setPermissionRequestHandler']>[0] =
    () => undefined;
  checkPermission: (contents: unknown, permission: string) => boolean = () => true;
  beforeRequest: (details: { url: string }, callback: (response: { cancel: boolean }) => void) => void = () =>
    undefined;
  setPermissionRequestHandler(handler: FakeSession['requestPermission']): void {
    this.requestPermission = handler;
  }
  setPermissionCheckHandler(handler: FakeSession['checkPermission']): void {
    this.checkPermission = handler;
  }
  webRequest = {
    onBeforeRequest: (listener: FakeSession['beforeRequest']): void => {
      this.beforeRequest = listener;
    },
  };
}

export function createStandIn() {
  const windows: FakeWindow[] = [];
  const trays: FakeTray[] = [];
  const handlers = new Map<string, IpcListener>();
  const errors: string[] = [];
  const copied: string[] = [];
  const menus: Template[] = [];
  const popups: Template[] = [];
  const opened: string[] = [];
  const notices: string[] = [];
  const noticeClicks: (() => void)[] = [];
  const lists = { windows, trays, handlers, errors, copied, menus, popups, opened, notices, noticeClicks };
  /** The button that is pressed in a box of choices. */
  const answers = { button: '' };
  const state = { ...lists, answers, app: new FakeApp(), session: new FakeSession() };
  const electron: ElectronApi<Template> = {
    app: state.app,
    session: { defaultSession: state.session },
    BrowserWindow: class extends FakeWindow {
      constructor(options: BrowserWindowConstructorOptions) {
        super(options);
        windows.push(this);
      }
      override async loadURL(url: string): Promise<void> {
        await super.loadURL(url);
        state.app.emit('load', url);
      }
    },
    Tray: class extends FakeTray {
      constructor(icon: string) {
        super(icon);
        trays.push(this);
      }
    },
    Menu: {
      buildFromTemplate: (template) =>
        Object.assign(template, { popup: () => void popups.push(template as Template) }) as Template & {
          popup(): void;
        },
      setApplicationMenu: (menu) => void menus.push(menu),
    },
    shell: {
      openPath: async (path) => {
        opened.push(path);
        return '';
      },
    },
    screen: { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1040 } }] },
    Notification: class {
      readonly #title: string;
      constructor({ title }: { title: string }) {
        this.#title = title;
      }
      on(_event: 'click', listener: () => void): void {
        noticeClicks.push(listener);
      }
      show(): void {
        notices.push(this.#title);
      }
    },
    ipcMain: { handle: (channel, listener) => void handlers.set(channel, listener as IpcListener) },
    dialog: {
      showErrorBox: (title, content) => void errors.push(`${title}: ${content}`),
      showMessageBoxSync: ({ buttons }) => (buttons ?? []).indexOf(answers.button),
    },
    clipboard: { writeText: (text) => void copied.push(text) },
  };
  return { electron, ...state };
}
