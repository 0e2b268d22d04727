/** Which addresses an engine's record opens: those of its own host alone, and never those where machines keep their secrets. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isLoopback } from '../config.ts';
import { ApiError } from '../errors.ts';

export interface EngineAddress {
  url: URL;
  /** Without brackets. */
  host: string;
  port: number;
  tls: boolean;
  loopback: boolean;
  /** Before a method's own path; empty or `/some/prefix`. */
  prefix: string;
}

/** @throws ApiError invalid_value naming base_url */
export function readBaseUrl(text: string, allowHttp: boolean): EngineAddress {
  const refuse = (why: string) => new ApiError('invalid_value', `base_url ${why}.`, { param: 'base_url' });
  if (!URL.canParse(text)) throw refuse('is not a URL: https://HOST, or http://HOST:PORT on this machine');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refuse('must begin with https:// or http://');
  if (url.username !== '' || url.password !== '')
    throw refuse('carries credentials; the secret is a field of its own');
  if (url.search !== '' || url.hash !== '') throw refuse('has a query or a fragment');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const loopback = isLoopback(host);
  const tls = url.protocol === 'https:';
  if (!tls && !loopback && !allowHttp)
    throw refuse(
      'is plain http beyond this machine: use https, or allow_http to let secret and payloads be read',
    );
  const literal = isIP(host) !== 0 ? addressFault(host, loopback) : null;
  if (literal) throw refuse(literal);
  // People paste the address that clients are given.
  const prefix = url.pathname.replace(/\/+$/, '').replace(/\/v[12]$/, '');
  return { url, host, port: Number(url.port) || (tls ? 443 : 80), tls, loopback, prefix };
}

const neverDialled = new Set(['linkLocal', 'unspecified', 'multicast', 'broadcast', 'reserved']);
/** Clouds answer there with a machine's credentials, outside the link-local ranges. */
const metadata = new Set(['fd00:ec2::254', '100.100.100.200', '168.63.129.16', '192.0.0.192']);

/**
 * The reason not to dial an address; null where it may be. Private ranges are an engine's usual place, and only its own host
 * is ever looked up; loopback is for records that name it.
 */
export function addressFault(address: string, loopback: boolean): string | null {
  if (!ipaddr.isValid(address)) return 'has no address';
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (metadata.has(parsed.toString()) || neverDialled.has(range))
    return 'has an address that is never dialled (link-local, metadata or reserved)';
  if (range === 'loopback' && !loopback) return 'leads back to this machine under another name';
  return null;
}
