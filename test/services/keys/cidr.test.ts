import { describe, expect, it } from 'vitest';
import { isWithin, normaliseRanges, parseRange } from '../../../server/services/keys/cidr.ts';

const within = (address: string, ...ranges: string[]) => isWithin(address, ranges.map(parseRange));

describe('normaliseRanges', () => {
  it.each([
    ['10.1.2.3', '10.1.2.3/32'],
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['::1', '::1/128'],
    ['2001:DB8::1/32', '2001:db8::/32'],
    ['::ffff:192.168.1.9/120', '192.168.1.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
  ])('%s is %s', (given, expected) => {
    expect(normaliseRanges([given], 'p')).toEqual([expected]);
  });

  it('drops what stands twice', () => {
    expect(normaliseRanges(['10.0.0.1/8', '10.0.0.0/8'], 'p')).toEqual(['10.0.0.0/8']);
  });

  it.each([
    '10.1',
    '10.0.0.0/33',
    'example.com',
    '1.2.3.4.5',
    '::1/129',
    '10.0.0.0/',
    '0x7f.0.0.1',
    '010.0.0.1',
    '10.0.0.0/-1',
  ])('refuses %s by its place', (bad) => {
    expect(() => normaliseRanges(['::1', bad], 'allowed_cidrs')).toThrow(
      expect.objectContaining({ code: 'invalid_value', param: 'allowed_cidrs[1]' }),
    );
  });
});

describe('isWithin', () => {
  it('takes an IPv4 address mapped into IPv6 for what it is', () => {
    expect(within('::ffff:10.2.3.4', '10.0.0.0/8')).toBe(true);
    expect(within('10.2.3.4', '::ffff:10.0.0.0/104')).toBe(true);
    expect(within('::ffff:11.2.3.4', '10.0.0.0/8')).toBe(false);
  });

  it('keeps the families apart', () => {
    expect(within('::1', '0.0.0.0/0')).toBe(false);
    expect(within('127.0.0.1', '::/0')).toBe(false);
  });

  it('knows borders, zones and nonsense', () => {
    expect(within('10.0.0.255', '10.0.0.0/24')).toBe(true);
    expect(within('10.0.1.0', '10.0.0.0/24')).toBe(false);
    expect(within('fe80::1%eth0', 'fe80::/10')).toBe(true);
    expect(within('', '0.0.0.0/0', '::/0')).toBe(false);
  });
});
