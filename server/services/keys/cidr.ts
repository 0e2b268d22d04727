/** Address ranges of a key's allowlist. An IPv4-mapped IPv6 address is the IPv4 address it carries. */
import ipaddr from 'ipaddr.js';
import { ApiError } from '../../errors.ts';

export type AddressRange = ReturnType<typeof parseRange>;

/** The canonical text of each entry: `10.1.2.3/8` becomes `10.0.0.0/8`, a bare address gets its full length. */
export function normaliseRanges(entries: readonly string[], param: string): string[] {
  const ranges = entries.map((entry, index) => {
    try {
      return formatRange(entry);
    } catch {
      throw new ApiError('invalid_value', `'${param}[${index}]' is not an IP address or CIDR range.`, {
        param: `${param}[${index}]`,
      });
    }
  });
  return [...new Set(ranges)];
}

/** @throws Error when it is no address and no range */
export function parseRange(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [address, bits] = ipaddr.parseCIDR(withLength(text));
  if (address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress() && bits >= 96) {
    return [(address as ipaddr.IPv6).toIPv4Address(), bits - 96];
  }
  return [address, bits];
}

export function isWithin(address: string, ranges: readonly AddressRange[]): boolean {
  let client: ipaddr.IPv4 | ipaddr.IPv6;
  try {
    client = ipaddr.process(address.replace(/%.*$/, ''));
  } catch {
    return false;
  }
  return ranges.some((range) => range[0].kind() === client.kind() && client.match(range as [never, number]));
}

function withLength(text: string): string {
  // Short forms such as `10.1` are numbers to ipaddr.js; nobody means them in an allowlist.
  const [address = ''] = text.split('/', 1);
  const isV6 = address.includes(':');
  if (!(isV6 ? ipaddr.IPv6.isValid(address) : ipaddr.IPv4.isValidFourPartDecimal(address))) {
    throw new Error('not an address');
  }
  return text.includes('/') ? text : `${text}/${isV6 ? 128 : 32}`;
}

function formatRange(text: string): string {
  const [address, bits] = parseRange(text);
  const network =
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`);
  return `${network}/${bits}`;
}
