/**
 * Refuses requests whose Host is not this server's name: a page on another site whose name was made to resolve to
 * 127.0.0.1 (DNS rebinding) would otherwise pass as same-origin.
 */
import { isIP } from 'node:net';
import { ApiError } from '../../errors.ts';
import type { RequestHook } from '../request-hooks.ts';

export interface HostRules {
  /** Names besides the loopback ones: what the server was told to listen on or be called. */
  names: readonly string[];
  /** Listening beyond loopback: any literal address will do, since rebinding needs a name. */
  anyAddress: boolean;
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

export function checkHost(rules: HostRules): RequestHook {
  const names = new Set([...loopback, ...rules.names.map((name) => name.toLowerCase())]);
  // Nearly all requests spell it alike, and the spelling is worth a comparison before it is taken apart.
  let lastAccepted: string | undefined;
  return ({ headers: { host }, raw: { rawHeaders } }) => {
    if (hasTwoHosts(rawHeaders)) throw new ApiError('invalid_value', 'The request has two Host headers.');
    if (host !== undefined && host === lastAccepted) return;
    const name = hostName(host ?? '');
    if (names.has(name) || (rules.anyAddress && isIP(name.replace(/^\[|\]$/g, '')) !== 0)) {
      lastAccepted = host;
      return;
    }
    throw new ApiError(
      'host_not_allowed',
      'The Host header does not name this server; `lokal serve --host-name NAME` adds names.',
    );
  };
}

/** Of two, a proxy may have looked at one and this server at the other (RFC 9112, 3.2). Names and values alternate. */
function hasTwoHosts(rawHeaders: readonly string[] = []): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}

/** Without the port, in lower case. */
export const hostName = (host: string): string => host.replace(/:\d*$/, '').toLowerCase();
