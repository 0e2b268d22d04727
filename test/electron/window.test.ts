import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Preferences } from '../../electron/preferences.ts';
import { silenceChromium, silenceSession } from '../../electron/silence.ts';
import { confineSession, openWindow } from '../../electron/window.ts';
import { createStandIn } from './stand-in.ts';

const origin = 'http://127.0.0.1:8787';

function setUp(kept: Partial<Preferences> = {}) {
  const value: Preferences = { maximized: false, closeToTray: true, hintShown: true, ...kept };
  const standIn = createStandIn();
  const preferences = { value, change: (part: Partial<Preferences>) => Object.assign(value, part) };
  openWindow(standIn.electron, { origin, preload: '/preload.cjs', icon: '/icon.png', preferences });
  confineSession(standIn.electron.session.defaultSession, origin);
  const [window] = standIn.windows;
  if (!window) throw new Error('no window');
  return { ...standIn, window, value };
}

describe('openWindow', () => {
  it.each(['will-navigate', 'will-redirect'])('%s leads nowhere but to our own server', (event) => {
    const { window } = setUp();
    const refused = (url: string) => {
      let prevented = false;
      window.webContents.emit(event, { preventDefault: () => (prevented = true) }, url);
      return prevented;
    };
    expect(refused(`${origin}/keys`)).toBe(false);
    for (const url of [
      'https://example.com/',
      'http://127.0.0.1:8788/',
      'file:///etc/passwd',
      'about:blank',
      '',
    ])
      expect(refused(url)).toBe(true);
  });

  it('leads no frame inside the page anywhere else', () => {
    const { window } = setUp();
    let prevented = 0;
    for (const url of ['https://example.com/', `${origin}/keys`, `blob:${origin}/1`])
      window.webContents.emit('will-frame-navigate', { url, preventDefault: () => (prevented += 1) });
    expect(prevented).toBe(1);
  });

  it('comes back where it was, as large as it was, and never off the screen', () => {
    const bounds = { x: 100, y: 50, width: 800, height: 600 };
    expect(setUp({ bounds }).window.options).toMatchObject(bounds);
    expect(setUp({ bounds: { ...bounds, x: 4000 } }).window.options).not.toHaveProperty('x');
    expect(setUp({ bounds: { ...bounds, y: -20 } }).window.options).not.toHaveProperty('y');
    expect(setUp({ maximized: true }).window.maximized).toBe(true);
    const { window, value } = setUp();
    window.emit('close');
    expect(value).toMatchObject({ bounds: window.bounds, maximized: false });
  });

  it('asks before unfinished work goes with the window', () => {
    const standIn = setUp();
    const closes = (chosen: string) => {
      let closed = false;
      standIn.answers.button = chosen;
      standIn.window.webContents.emit('will-prevent-unload', { preventDefault: () => (closed = true) });
      return closed;
    };
    expect(closes('Stay')).toBe(false);
    expect(closes('Close all the same')).toBe(true);
  });

  it('offers cut, copy and paste where they do something', () => {
    const { window, popups } = setUp();
    const editFlags = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true };
    const click = (isEditable: boolean, selectionText: string) =>
      window.webContents.emit('context-menu', {}, { isEditable, selectionText, editFlags });
    click(false, ' ');
    expect(popups).toHaveLength(0);
    click(false, 'a word');
    click(true, '');
    expect(popups.map((items) => items.map(({ role }) => role))).toEqual([
      ['copy'],
      ['cut', 'copy', 'paste', undefined, 'selectAll'],
    ]);
  });

  it('opens no second window and no webview', () => {
    const { window } = setUp();
    let prevented = false;
    window.webContents.emit('will-attach-webview', { preventDefault: () => (prevented = true) });
    expect(prevented).toBe(true);
    expect(window.webContents.openHandler?.()).toEqual({ action: 'deny' });
  });

  it('loads the page again after a crash, three times at most', () => {
    const { window } = setUp();
    window.webContents.emit('render-process-gone', {}, { reason: 'clean-exit' });
    expect(window.loaded).toHaveLength(1);
    for (let crash = 0; crash < 5; crash += 1) {
      window.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
    }
    expect(window.loaded).toHaveLength(4);
  });

  it('says in a page of its own why the interface could not be loaded, and nothing of a load cut short', async () => {
    const { window } = setUp();
    const failure = (code: string) => Object.assign(new Error(code), { code });
    const loadURL = window.loadURL.bind(window);
    window.loadURL = (url) =>
      loadURL(url).then(() => {
        if (url.startsWith('http')) throw failure(reason);
      });
    let reason = 'ERR_ABORTED';
    window.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
    await turn();
    expect(window.loaded.at(-1)).toBe(`${origin}/`);
    reason = 'ERR_CERT_DATE_INVALID';
    window.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
    await turn();
    expect(decodeURIComponent(window.loaded.at(-1) ?? '')).toMatch(/^data:text\/html.*ERR_CERT_DATE_INVALID/);
  });

  it('is shown when there is something to see', () => {
    const { window } = setUp();
    expect(window.shown).toBe(0);
    window.emit('ready-to-show');
    expect(window.shown).toBe(1);
  });
});

describe('silence', () => {
  it('leaves Chromium nothing to ask the network for', () => {
    const { electron, app, session } = createStandIn();
    silenceChromium(electron.app);
    silenceSession(electron.session.defaultSession);
    expect(app.switches).toContain('disable-background-networking');
    expect(app.switches).toContain('disable-component-update');
    expect(session.spelling).toEqual([]);
  });
});

describe('confineSession', () => {
  it('grants writing to the clipboard and nothing else', () => {
    const { session } = setUp();
    for (const permission of ['media', 'geolocation', 'notifications', 'clipboard-read', 'openExternal']) {
      expect(session.checkPermission(undefined, permission)).toBe(false);
      session.requestPermission(undefined, permission, (granted) => expect(granted).toBe(false));
    }
    expect(session.checkPermission(undefined, 'clipboard-sanitized-write')).toBe(true);
  });

  it.each([
    ['https://example.com/x.js', true],
    ['http://127.0.0.1:1/', true],
    ['ws://127.0.0.1:8787/', true],
    [`blob:${origin}/1`, false],
    ['data:text/plain,x', false],
    [`${origin}/v1/models`, false],
  ])('%s: cancelled %s', (url, cancelled) => {
    const { session } = setUp();
    const decided: boolean[] = [];
    session.beforeRequest({ url }, ({ cancel }) => decided.push(cancel));
    expect(decided).toEqual([cancelled]);
  });
});
