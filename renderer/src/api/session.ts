/** The console session: a one-time token from the address bar or from the desktop window, exchanged for a session. */
import type { Client } from './client.ts';
import type { PageSecret } from './page-secret.ts';

/** Links and files that the system asked the desktop app to open. */
export type OpenRequest =
  | { kind: 'page'; page: string }
  | { kind: 'file'; name: string; bytes: Uint8Array }
  | { kind: 'pack'; path: string };

/** Given to the page by the desktop window. */
export interface DesktopBridge {
  consoleToken(): Promise<string>;
  pathOf(file: File): string;
  onOpen(listener: (request: OpenRequest) => void): void;
  showProgress(share: number | null): void;
  tellEnded(text: string): void;
}

/** Null in a browser. */
export const desktopBridge = (view: Window = window): DesktopBridge | null =>
  (view as { lokal?: DesktopBridge }).lokal ?? null;

/** The token in `#token=…` or `?token=…`, and the address without it. */
export function takeToken(address: string): { token: string | null; rest: string } {
  const url = new URL(address);
  const fragment = new URLSearchParams(url.hash.replace(/^#\/?\??/, ''));
  const token = fragment.get('token') ?? url.searchParams.get('token');
  if (fragment.has('token')) url.hash = '';
  url.searchParams.delete('token');
  return { token, rest: `${url.pathname}${url.search}${url.hash}` };
}

/** Strips the token before anything else can read or store the address; never throws. */
export async function establishSession(
  client: Client,
  secret: PageSecret,
  view: Window = window,
): Promise<void> {
  const token = strip(view);
  if (token) return void (await exchange(client, secret, token));
  const bridge = desktopBridge(view);
  if (bridge && !(await isSignedIn(client, secret)))
    await exchange(client, secret, await bridge.consoleToken());
}

/** A one-time address pasted into the open tab changes the fragment alone, and loads nothing by itself. */
export function followAddress(client: Client, secret: PageSecret, view: Window = window): void {
  view.addEventListener('hashchange', () => {
    const token = strip(view);
    if (token) void exchange(client, secret, token).then((started) => started && view.location.reload());
  });
}

function strip(view: Window): string | null {
  const { token, rest } = takeToken(view.location.href);
  if (token) view.history.replaceState(null, '', rest);
  return token;
}

async function exchange(client: Client, secret: PageSecret, token: string): Promise<boolean> {
  try {
    secret.set((await client.call('POST /console/session', { body: { token } })).data.secret);
    return true;
  } catch {
    // A used or unknown token: an older session may still be valid, and GET /console/state tells.
    return false;
  }
}

async function isSignedIn(client: Client, secret: PageSecret): Promise<boolean> {
  if (secret.get() === null) return false;
  try {
    await client.call('GET /console/state');
    return true;
  } catch {
    return false;
  }
}
