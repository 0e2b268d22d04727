/** The console session: a one-time token from the address bar or from the desktop window, exchanged for a cookie. */
import type { Client } from './client.ts';

/** Given to the page by the desktop window. */
export interface DesktopBridge {
  consoleToken(): Promise<string>;
  pathOf(file: File): string;
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
export async function establishSession(client: Client, view: Window = window): Promise<void> {
  const { token, rest } = takeToken(view.location.href);
  if (token) view.history.replaceState(null, '', rest);
  const bridge = desktopBridge(view);
  try {
    const given = token ?? (bridge ? await bridge.consoleToken() : null);
    if (given) await client.call('POST /console/session', { body: { token: given } });
  } catch {
    // A used or unknown token: an older cookie may still be valid, and GET /console/state tells.
  }
}
