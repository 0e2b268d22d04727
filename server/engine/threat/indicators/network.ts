/** Addresses, names and links. Every expression is bounded, so a long line costs its length. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parse } from 'tldts';
import { addressScope, domainScope } from './address.ts';
import type { IndicatorMatch } from './indicator-match.ts';

const URL_TEXT =
  /\b(?:https?|ftps?|sftp|ldaps?|tcp|udp|smb|ws|wss):\/\/[^\s"'<>`\\^{}|\p{Cc}\u3000-\u303f\uff00-\uffef]{3,2048}/giu;
const EMAIL =
  /[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.){1,8}[A-Za-z]{2,24}(?![\w.-]*@)/gu;
const IPV4 = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d]|\.\d)/gu;
const IPV6 = /(?<![\w:.])(?:[0-9a-f]{0,4}:){2,7}(?:[0-9a-f]{0,4}|(?:\d{1,3}\.){3}\d{1,3})(?![\w:])/giu;
const DOMAIN =
  /(?<![\w@.-])(?:[a-z0-9_](?:[a-z0-9_-]{0,62}[a-z0-9])?\.){1,10}(?:[a-z]{2,24}|xn--[a-z0-9-]{2,59})(?![\w-]|\.\w|@)/giu;
const MAC =
  /(?<![\w:.-])(?:[0-9a-f]{2}(?::[0-9a-f]{2}){5}|[0-9a-f]{2}(?:-[0-9a-f]{2}){5}|[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})(?![\w:-]|\.\w)/giu;

/** A dotted number after one of these is a version. */
const VERSION_BEFORE =
  /(?:^|[^a-z])(?:version|ver|release|build|rev|revision|firmware|assembly|fileversion|productversion|kb\d*|v|rv|sdk)["')\]]{0,2}\s{0,2}(?:is|to|from|[:=])?\s{0,2}["'(]?v?$/iu;
const PRODUCT_BEFORE = /[A-Za-z][\w.+-]{0,40}[/_-]v?$/u;
const PATH_BEFORE =
  /(?:https?|ftps?|sftp|ldaps?|tcp|udp|smb|wss?|to|from|src|dst|tcp|udp|icmp|inside|outside|dmz|ip)[:/=]{1,3}$/iu;
const VERSION_AFTER = /^(?:[-+_][A-Za-z]|[a-z]|\.(?:exe|zip|tar|msi|deb|rpm|dll|jar|tgz|whl))/u;

export function findNetworkIndicators(text: string): IndicatorMatch[] {
  const found: IndicatorMatch[] = [];
  for (const match of text.matchAll(URL_TEXT)) found.push(...urlFound(match[0], match.index));
  for (const match of text.matchAll(EMAIL)) found.push(...emailFound(match[0], match.index));
  for (const match of text.matchAll(IPV4)) {
    if (isIP(match[0]) === 4 && !isVersion(text, match.index, match[0]))
      found.push(ipFound(match[0], match.index));
  }
  for (const match of text.matchAll(IPV6))
    if (isPlausibleV6(match[0])) found.push(ipFound(match[0], match.index));
  for (const match of text.matchAll(MAC))
    if (!/^(?:0{2}[:-]?){6}$/u.test(match[0]))
      found.push({
        type: 'mac',
        value: canonicalMac(match[0]),
        start: match.index,
        end: match.index + match[0].length,
        scope: 'public',
      });
  for (const match of text.matchAll(DOMAIN)) found.push(...domainFound(text, match[0], match.index));
  return found;
}

function isVersion(text: string, at: number, value: string): boolean {
  const before = text.slice(Math.max(0, at - 48), at);
  if (VERSION_BEFORE.test(before)) return true;
  if (PRODUCT_BEFORE.test(before) && !PATH_BEFORE.test(before)) return true;
  return VERSION_AFTER.test(text.slice(at + value.length, at + value.length + 8));
}

function isPlausibleV6(text: string): boolean {
  if (isIP(text) !== 6) return false;
  const groups = text.split(':').filter((group) => group !== '');
  // `ab::cd` is as likely a C++ name; an address has more groups or a well-known start.
  return (
    groups.length >= 3 || /^(?:::1$|fe80::|f[cd][0-9a-f]{2}:|2[0-9a-f]{3}:|ff0[0-9a-f]:|::ffff:)/iu.test(text)
  );
}

function ipFound(text: string, at: number): IndicatorMatch {
  return {
    type: 'ip',
    value: ipaddr.parse(text).toString(),
    start: at,
    end: at + text.length,
    scope: addressScope(text),
  };
}

const canonicalMac = (text: string) =>
  (
    text
      .replace(/[^0-9a-f]/giu, '')
      .toLowerCase()
      .match(/../gu) as string[]
  ).join(':');

/** Closing marks belong to the sentence unless the link opened them. */
export function trimUrl(text: string): string {
  let url = text;
  for (;;) {
    const last = url.at(-1) as string;
    const opener = { ')': '(', ']': '[' }[last];
    if (/[.,;:!?*'"…]/u.test(last) || (opener !== undefined && !url.includes(opener))) url = url.slice(0, -1);
    else return url;
  }
}

const NAMESPACE = /^https?:\/\/(?:schemas\.(?:microsoft|xmlsoap)\.(?:com|org)|www\.w3\.org)\//u;

/** Hosts of XML namespaces: names, not places. */
const NAMESPACE_HOST = /^(?:schemas\.(?:microsoft|xmlsoap)\.(?:com|org)|www\.w3\.org)$/iu;

function urlFound(raw: string, at: number): IndicatorMatch[] {
  const text = trimUrl(raw);
  if (NAMESPACE.test(text)) return [];
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return [];
  }
  const host = url.hostname.replace(/^\[|\]$/gu, '');
  if (host === '') return [];
  const value = canonicalUrl(text);
  const hostAt = at + text.toLowerCase().indexOf(host.toLowerCase(), text.indexOf('//'));
  const end = at + text.length;
  if (isIP(host) !== 0) {
    const scope = addressScope(host);
    const ip = hostAt < at ? [] : [ipFound(host, hostAt)];
    return [{ type: 'url', value, start: at, end, scope }, ...ip];
  }
  const { domain, isIcann } = parse(host);
  const scope = domain === null ? 'internal' : domainScope(domain);
  const link: IndicatorMatch = { type: 'url', value, start: at, end, scope };
  if (domain === null || !isIcann || hostAt < at) return [link];
  return [
    link,
    { type: 'domain', value: host.toLowerCase(), start: hostAt, end: hostAt + host.length, scope },
  ];
}

/** Scheme and host in lower case; path and query as written. */
function canonicalUrl(text: string): string {
  const slashes = text.indexOf('//') + 2;
  const hostEnd = text.slice(slashes).search(/[/?#]/u);
  const split = hostEnd < 0 ? text.length : slashes + hostEnd;
  return text.slice(0, split).toLowerCase() + text.slice(split);
}

function emailFound(text: string, at: number): IndicatorMatch[] {
  const { domain, isIcann } = parse(text.slice(text.indexOf('@') + 1));
  if (domain === null || !isIcann) return [];
  return [
    {
      type: 'email',
      value: text.toLowerCase(),
      start: at,
      end: at + text.length,
      scope: domainScope(domain),
    },
  ];
}

/** Endings that are top-level domains and, far more often in logs, kinds of files or fields. */
const FILE_ENDINGS = new Set(
  'sh py pl rs md so ps zip mov cc mm pub tf vi ink name id host email date rest zone target page now java map cab bar pm pn gdn locker'.split(
    ' ',
  ),
);
const NOT_NAMES = /^(?:(?:asp|vb|ado|ml|f#|c#)\.net|(?:system|microsoft|windows)\.\w+)$/iu;

function domainFound(text: string, raw: string, at: number): IndicatorMatch[] {
  const after = text.slice(at + raw.length, at + raw.length + 2);
  const before = text[at - 1] ?? '';
  // A dotted field name (`"user.name":`, `user.name=`), a call or a path part is no host.
  if (before === '/' && NAMESPACE_HOST.test(raw)) return [];
  if (after[0] === '(' || after[0] === '=' || after === '":' || before === '\\' || before === '$') return [];
  const { domain, isIcann, publicSuffix } = parse(raw);
  if (domain === null || !isIcann || publicSuffix === null) return [];
  const ending = raw.slice(raw.lastIndexOf('.') + 1);
  const isMixed = /[A-Z]/u.test(ending) && /[a-z]/u.test(raw);
  if (isMixed || NOT_NAMES.test(raw) || !/[a-z]/iu.test(domain.slice(0, domain.indexOf('.')))) return [];
  return [
    {
      type: 'domain',
      value: raw.toLowerCase(),
      start: at,
      end: at + raw.length,
      scope: domainScope(domain),
      weak: FILE_ENDINGS.has(ending.toLowerCase()) || (before === '/' && text[at - 2] !== '/'),
    },
  ];
}
