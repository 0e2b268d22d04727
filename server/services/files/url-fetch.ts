/**
 * Fetches what `image_url` and `file_url` name, when the settings allow it at all (contract.md "URLs"). Always: https with
 * verified TLS, at most three redirects each checked anew, and no private address unless its host is on the allowlist.
 * The address is checked inside the look-up whose result is then dialled, so a name cannot change in between.
 */
import { type LookupAddress, lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ApiError } from '../../errors.ts';
import type { Caller } from '../caller.ts';
import type { Asked, ConnectionLedger } from '../console/connections.ts';

export interface UrlPolicy {
  /** sealed: off, and not to be switched on by the way. */
  mode: 'sealed' | 'off' | 'allowlist' | 'any';
  /** Host names, exact. */
  allowlist: readonly string[];
}

export interface FetchLimits {
  maxBytes: number;
  timeoutMs: number;
}

/** Who asks, for the ledger of connections. */
export type FetchCaller = Pick<Caller, 'principal' | 'requestId' | 'signal'>;

export interface UrlFetcher {
  /** The address alone, where it might be fetched. @throws ApiError as `fetch` does before it dials */
  check(url: string, param: string): URL;
  /** @throws ApiError url_fetch_disabled, url_not_allowed, invalid_value or payload_too_large, naming `param` */
  fetch(url: string, param: string, caller: FetchCaller): Promise<Uint8Array>;
}

const maxRedirects = 3;

/** `field` tells of redirects, `param` is what an error names. */
type AskedBy = Asked & { param: string };

export function createUrlFetcher(
  policy: () => UrlPolicy,
  limits: () => FetchLimits,
  ledger: ConnectionLedger,
): UrlFetcher {
  /** As checkUrl; what the settings refuse is written down. */
  function admit(url: string, asked: AskedBy): URL {
    try {
      return checkUrl(url, asked.param, policy());
    } catch (error) {
      const { code, message } = error as ApiError;
      const host = URL.canParse(url) ? hostOf(new URL(url)) : '';
      if (host !== '')
        ledger.refuse(host, asked, code === 'url_fetch_disabled' ? policy().mode : whyOf(message));
      throw error;
    }
  }

  async function dial(target: URL, asked: AskedBy, signal: AbortSignal): Promise<IncomingMessage> {
    const line = ledger.begin(hostOf(target), asked);
    try {
      const response = await get(target, asked.param, { policy: policy(), signal });
      line.settle('allowed', `answered ${response.statusCode}`);
      return response;
    } catch (error) {
      const why = whyOf((error as Error).message);
      line.settle(why === notPublic ? 'refused' : 'failed', why);
      throw error;
    }
  }

  return {
    check: (url, param) => checkUrl(url, param, policy()),
    async fetch(url, param, caller) {
      const asked = { caller, field: param, param };
      let target = admit(url, asked);
      const { maxBytes, timeoutMs } = limits();
      const deadline = AbortSignal.any([caller.signal, AbortSignal.timeout(timeoutMs)]);
      for (let hop = 0; hop <= maxRedirects; hop += 1) {
        const response = await dial(target, asked, deadline);
        const status = response.statusCode ?? 0;
        if (status >= 300 && status < 400 && response.headers.location) {
          response.destroy();
          target = admit(new URL(response.headers.location, target).href, {
            ...asked,
            field: `${param}, redirected`,
          });
          continue;
        }
        if (status !== 200) {
          response.destroy();
          throw refused(param, `the server answered ${status}`);
        }
        return readBody(response, param, maxBytes);
      }
      throw refused(param, `there were more than ${maxRedirects} redirects`);
    },
  };
}

const hostOf = ({ hostname, port }: URL): string => `${hostname}:${port || 443}`;

const notPublic = 'its address is not public';

/** The reason in a refusal's message, which names nothing of the URL. */
const whyOf = (message: string): string => message.replace(/^.* was not fetched: |\.$/g, '');

/** @throws ApiError when the setting, the scheme or the host rules it out */
export function checkUrl(url: string, param: string, policy: UrlPolicy): URL {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new ApiError('invalid_value', `${param} is not a URL.`, { param });
  }
  if (parsed.protocol !== 'https:') {
    throw new ApiError('invalid_value', `${param} must be an https URL.`, { param });
  }
  if (policy.mode === 'sealed') {
    throw new ApiError(
      'url_fetch_disabled',
      'Lokal is sealed: it fetches no URLs. Send the content as base64, or leave sealed mode under Settings, Network.',
      { param },
    );
  }
  if (policy.mode === 'off') {
    throw new ApiError(
      'url_fetch_disabled',
      `Fetching URLs is off. Send the content as base64, or allow it under Settings, "Fetch URLs".`,
      { param },
    );
  }
  if (parsed.username !== '' || parsed.password !== '') throw refused(param, 'it carries credentials');
  if (policy.mode === 'allowlist' && !isListed(parsed.hostname, policy)) {
    throw refused(param, 'its host is not on the allowlist');
  }
  return parsed;
}

const isListed = (host: string, policy: UrlPolicy): boolean =>
  policy.allowlist.some((each) => each.toLowerCase() === host.toLowerCase());

/** Only plain unicast addresses of the public internet. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  // ::/96 holds IPv4 addresses of old (RFC 4291, 2.5.5.1), which ipaddr.js takes for public or for mapped ones.
  const compatible =
    /^::(?!ffff:)/i.test(address) ||
    (parsed.kind() === 'ipv6' && (parsed as ipaddr.IPv6).parts.slice(0, 6).every((part) => part === 0));
  return !compatible && parsed.range() === 'unicast';
}

function get(
  url: URL,
  param: string,
  options: { policy: UrlPolicy; signal: AbortSignal },
): Promise<IncomingMessage> {
  const trusted = isListed(url.hostname, options.policy);
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !trusted && !isPublicAddress(literal)) {
    throw refused(param, notPublic);
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { lookup: checkedLookup(trusted), signal: options.signal }, resolve);
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOTPUBLIC') reject(refused(param, notPublic));
      else
        reject(
          options.signal.aborted
            ? refused(param, 'it took too long')
            : refused(param, 'it cannot be reached'),
        );
    });
    outgoing.end();
  });
}

/** A look-up that fails when any address of the name is not public. */
const checkedLookup =
  (trusted: boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '', 0);
      if (!trusted && addresses.some(({ address }) => !isPublicAddress(address))) {
        return callback(Object.assign(new Error('not public'), { code: 'ENOTPUBLIC' }), '', 0);
      }
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      return callback(null, first?.address ?? '', first?.family ?? 0);
    });
  };

async function readBody(response: IncomingMessage, param: string, maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) {
        throw new ApiError('payload_too_large', `What ${param} names is larger than the body limit.`, {
          param,
        });
      }
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof ApiError ? error : refused(param, 'the transfer broke off');
  }
  return Buffer.concat(chunks);
}

const refused = (param: string, why: string): ApiError =>
  new ApiError('url_not_allowed', `${param} was not fetched: ${why}.`, { param });
