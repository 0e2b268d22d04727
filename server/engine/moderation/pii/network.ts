import ipaddr from 'ipaddr.js';
import { fromRules } from './match.ts';

/** A full address; `::` and version numbers are none. */
function isAddress(found: string): boolean {
  return (
    found.length > 3 &&
    (ipaddr.IPv4.isValidFourPartDecimal(found) || (ipaddr.IPv6.isValid(found) && /[\da-f]/i.test(found)))
  );
}

const versionWords = /\b(?:version|versi|v|ver|release|build|firmware|section|chapter)\.?\s*$|版本/i;

const findAddresses = fromRules([
  {
    kind: 'ip_address',
    pattern: /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d]|\.\d)/dg,
    score: 0.6,
    contextScore: 0.85,
    context: /\b(?:ip|address|host|server|login|alamat)\b|地址/i,
    valid: isAddress,
  },
  {
    kind: 'ip_address',
    pattern: /(?<![\w:])(?:[\da-f]{0,4}:){2,7}[\da-f]{1,4}(?![\w:])/dgi,
    score: 0.6,
    valid: (found) => found.length > 7 && isAddress(found),
  },
  {
    kind: 'mac_address',
    pattern: /(?<![\w:-])[\da-f]{2}([:-])(?:[\da-f]{2}\1){4}[\da-f]{2}(?![\w:-])/dgi,
    score: 0.75,
  },
]);

export function findNetworkPii(text: string): ReturnType<typeof findAddresses> {
  return findAddresses(text).filter(
    (match) => !versionWords.test(text.slice(Math.max(0, match.start - 12), match.start)),
  );
}
