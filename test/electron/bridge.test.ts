import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { Bridge } from '../../electron/bridge.ts';
import type { IpcEvent } from '../../electron/electron-api.ts';
import { handleRequests } from '../../electron/ipc.ts';
import { createStandIn } from './stand-in.ts';

const origin = 'http://127.0.0.1:8787';
const ownPage: IpcEvent = { senderFrame: { url: `${origin}/keys`, parent: null } };

function setUp() {
  const { electron, handlers } = createStandIn();
  handleRequests(electron.ipcMain, origin, {
    'console:token': () => 'once',
    'desktop:ready': () => undefined,
    'desktop:progress': () => undefined,
    'desktop:ended': () => undefined,
  });
  const call = (event: IpcEvent, channel: string) => handlers.get(channel)?.(event);
  return { call };
}

/** The preload script as Electron runs it: nothing but `require('electron')`. */
function loadPreload(invoke: (channel: string, ...params: unknown[]) => unknown): Bridge {
  const source = readFileSync(new URL('../../electron/preload.cts', import.meta.url), 'utf8');
  const exposed: Record<string, unknown> = {};
  const contextBridge = {
    exposeInMainWorld: (name: string, api: unknown) => {
      exposed[name] = api;
    },
  };
  const webUtils = { getPathForFile: ({ name }: { name: string }) => `/models/${name}` };
  const electron = { contextBridge, ipcRenderer: { invoke }, webUtils };
  const modules: Record<string, unknown> = { electron };
  runInNewContext(stripTypeScriptTypes(source), { require: (name: string) => modules[name] });
  expect(Object.keys(exposed)).toEqual(['lokal']);
  return exposed.lokal as Bridge;
}

describe('bridge', () => {
  it('hands the page a console token', async () => {
    const { call } = setUp();
    const bridge = loadPreload(async (channel) => call(ownPage, channel));
    expect(Object.keys(bridge)).toEqual(['consoleToken', 'pathOf', 'onOpen', 'showProgress', 'tellEnded']);
    expect(bridge.pathOf({ name: 'a.gguf' } as File)).toBe('/models/a.gguf');
    expect(await bridge.consoleToken()).toBe('once');
  });

  it.each<[string, IpcEvent]>([
    ['another origin', { senderFrame: { url: 'https://example.com/', parent: null } }],
    ['another port', { senderFrame: { url: 'http://127.0.0.1:8788/', parent: null } }],
    ['a frame inside our page', { senderFrame: { url: `${origin}/`, parent: {} } }],
    ['a frame that is gone', { senderFrame: null }],
    ['an empty page', { senderFrame: { url: '', parent: null } }],
  ])('refuses %s', (_who, event) => {
    const { call } = setUp();
    expect(() => call(event, 'console:token')).toThrow('refused');
  });
});
