/** Opens the interface in a Chromium that is there, by its debugging port: no driver is needed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const startLimitMs = 30_000;
const pageLimitMs = 15_000;

/** CHROMIUM_PATH, then the PATH. */
export function findChromium(env: NodeJS.ProcessEnv): string | null {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = env.CHROMIUM_PATH
    ? [env.CHROMIUM_PATH]
    : names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Chromium's own requests are switched off as far as it lets one, and it resolves no names: what it looks up for itself is
 * not the product's. Names that the page asks for are taken from its debugging port, addresses from the network.
 */
const flags = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-component-extensions-with-background-pages',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-sync',
  '--disable-breakpad',
  '--metrics-recording-only',
  '--no-pings',
  '--password-store=basic',
  '--use-mock-keychain',
  '--disable-features=OptimizationHints,MediaRouter,DialMediaRouteProvider,CertificateTransparencyComponentUpdater,Translate,InterestFeedContentSuggestions,AutofillServerCommunication,NetworkTimeServiceQuerying',
  '--remote-debugging-port=0',
];

const routes = [
  'chat',
  'images',
  'moderation',
  'threats',
  'documents',
  'embeddings',
  'keys',
  'packs',
  'requests',
  'settings',
];

/** Visits every page. @returns why the interface did not work, null where it did */
export async function visitInterface(chromium: string, options: Visit): Promise<string | null> {
  const args = [...flags, `--user-data-dir=${options.profile}`, 'about:blank'];
  const browser = spawn(chromium, args, { env: options.env, stdio: 'ignore' });
  options.signal.addEventListener('abort', () => browser.kill('SIGKILL'));
  try {
    const page = await openPage(browser, options);
    await page.send('Network.enable');
    await page.send('Page.navigate', { url: options.url });
    if (!(await page.shows('nav'))) return 'the interface shows no navigation';
    for (const route of routes) {
      await page.evaluate(`location.hash = '#/${route}'`);
      await sleep(300);
    }
    const alive = await page.shows('nav');
    page.close();
    return alive ? null : 'a page broke the interface';
  } catch (error) {
    return (error as Error).message;
  } finally {
    const ended = browser.exitCode === null && browser.signalCode === null ? once(browser, 'exit') : null;
    browser.kill('SIGKILL');
    await ended;
  }
}

export interface Visit {
  url: string;
  profile: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** Hears the address of everything that the page asks for elsewhere. */
  onForeign: (url: string) => void;
}

const isOwn = (url: string): boolean =>
  /^(data|blob|about|chrome|devtools):/.test(url) || URL.parse(url)?.hostname === '127.0.0.1';

interface DebuggedPage {
  send(method: string, params?: object): Promise<{ result?: { value?: unknown } }>;
  evaluate(expression: string): Promise<unknown>;
  /** Waits until something matches. */
  shows(selector: string): Promise<boolean>;
  close(): void;
}

async function openPage(browser: ChildProcess, { profile, onForeign }: Visit): Promise<DebuggedPage> {
  const file = join(profile, 'DevToolsActivePort');
  for (let waitedMs = 0; !existsSync(file); waitedMs += 100) {
    if (waitedMs > startLimitMs || browser.exitCode !== null) throw new Error('Chromium did not start');
    await sleep(100);
  }
  const port = readFileSync(file, 'utf8').split('\n')[0];
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
    type: string;
    webSocketDebuggerUrl: string;
  }[];
  const address = targets.find(({ type }) => type === 'page')?.webSocketDebuggerUrl;
  if (!address) throw new Error('Chromium has no page');
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error('Chromium does not answer'));
  });
  return debugPage(socket, onForeign);
}

interface Message {
  id?: number;
  result?: object;
  params?: { request?: { url: string }; url?: string };
}

function debugPage(socket: WebSocket, onForeign: Visit['onForeign']): DebuggedPage {
  const waiting = new Map<number, (answer: { result?: { value?: unknown } }) => void>();
  let last = 0;
  socket.onmessage = ({ data }) => {
    const { id, result, params } = JSON.parse(String(data)) as Message;
    const url = params?.request?.url ?? params?.url;
    if (url !== undefined && !isOwn(url)) onForeign(url);
    if (id !== undefined) waiting.get(id)?.(result ?? {});
  };
  const send: DebuggedPage['send'] = (method, params = {}) =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  const evaluate = async (expression: string) =>
    (await send('Runtime.evaluate', { expression, returnByValue: true })).result?.value;
  const shows = async (selector: string) => {
    for (let waitedMs = 0; waitedMs < pageLimitMs; waitedMs += 100) {
      if (await evaluate(`document.querySelector('${selector}') !== null`)) return true;
      await sleep(100);
    }
    return false;
  };
  return { send, evaluate, shows, close: () => socket.close() };
}
