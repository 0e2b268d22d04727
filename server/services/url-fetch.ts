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
import { ApiError } from '../errors.ts';

export interface UrlPolicy {
  mode: 'off' | 'allowlist' | 'any';
  /** Host names, exact. */
  allowlist: readonly string[];
}

export interface FetchLimits {
  maxBytes: number;
  timeoutMs: number;
}

export interface UrlFetcher {
  /** @throws ApiError url_fetch_disabled, url_not_allowed, invalid_value or payload_too_large, naming `param` */
  fetch(url: string, param: string, signal: AbortSignal): Promise<Uint8Array>;
}

const maxRedirects = 3;

export function createUrlFetcher(policy: () => UrlPolicy, limits: () => FetchLimits): UrlFetcher {
  return {
    async fetch(url, param, signal) {
      let target = checkUrl(url, param, policy());
      const { maxBytes, timeoutMs } = limits();
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      for (let hop = 0; hop <= maxRedirects; hop += 1) {
        const response = await get(target, param, { policy: policy(), signal: deadline });
        const status = response.statusCode ?? 0;
        if (status >= 300 && status < 400 && response.headers.location) {
          response.destroy();
          target = checkUrl(new URL(response.headers.location, target).href, param, policy());
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
    throw refused(param, 'its address is not public');
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { lookup: checkedLookup(trusted), signal: options.signal }, resolve);
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOTPUBLIC') reject(refused(param, 'its address is not public'));
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
