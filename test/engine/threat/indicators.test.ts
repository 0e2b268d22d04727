import { expect, test } from 'vitest';
import { extractIndicators } from '../../../server/engine/threat/indicators/extract.ts';
import { labelledTexts } from '../../support/logs/indicators.ts';
import { readEvents } from '../../support/threat-engine.ts';

const extract = (text: string) => extractIndicators(text, readEvents(text));
const found = (text: string) => extract(text).map(({ type, value }) => `${type} ${value}`);

test.each<[text: string, expected: string[]]>([
  ['at 10.1.2.3 and 2001:db8::1', ['ip 10.1.2.3', 'ip 2001:db8::1']],
  ['ping 8.8.8[.]8 or 8(.)8(.)4(.)4', ['ip 8.8.8.8', 'ip 8.8.4.4']],
  ['see hxxps://bad[.]co[.]uk/p?q=1.', ['url https://bad.co.uk/p?q=1', 'domain bad.co.uk']],
  ['mail eve[at]bad-site[.]ru', ['email eve@bad-site.ru']],
  ['host evil-site.com.my up', ['domain evil-site.com.my']],
  ['CVE-2024-3094, cve-2021-44228', ['cve CVE-2024-3094', 'cve CVE-2021-44228']],
  ['mac 00-1A-2B-3C-4D-5E or 001a.2b3c.4d5f', ['mac 00:1a:2b:3c:4d:5e', 'mac 00:1a:2b:3c:4d:5f']],
  [
    'HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Winlogon\\Shell set',
    ['registry_key HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Winlogon\\Shell'],
  ],
  ['copied "C:\\Program Files (x86)\\App\\a b.dll" now', ['file_path C:\\Program Files (x86)\\App\\a b.dll']],
  ['share \\\\srv01\\c$\\temp\\x.exe opened', ['file_path \\\\srv01\\c$\\temp\\x.exe']],
  ['ran powershell.exe then', ['process powershell.exe']],
])('%s', (text, expected) => {
  for (const item of expected) expect(found(text)).toContain(item);
});

test.each([
  'Chrome/120.0.0.0 Safari/537.36',
  'updated to version 1.2.3.4 from v1.2.3.3',
  'libfoo-1.2.3.4.tar.gz and foo_2.0.0.1-amd64',
  'oid 1.3.6.1.4.1.311',
  'id 550e8400-e29b-41d4-a716-446655440000',
  'trace_id=4bf92f3577b34da6a3ce929d0e0e4736',
  'number 00000000000000000000000000000000',
  'Node.js, ASP.NET, System.IO, run.sh, main.rs, readme.md, e.g. this',
  'at 12:34:56 std::vector ab::cd 999.1.1.1 256.256.256.256',
  'btc 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb',
  'xmlns="http://schemas.microsoft.com/win/2004/08/events/event"',
  'ratio 3.14 price 12.50 date 2025.03.04',
])('nothing in: %s', (text) => {
  expect(found(text)).toEqual([]);
});

test('offsets are exact in UTF-16, also behind emoji, escapes and defanging', () => {
  const text = '😀 数据 {x} hxxp://a-b[.]com/x 😀 10.0.0[.]9\n{"Image":"C:\\\\T\\\\é.exe","note":"10.9.8.7"}';
  const slices = Object.fromEntries(
    extract(text).flatMap(({ value, offsets }) =>
      offsets.map(({ start, end }) => [value, text.slice(start, end)]),
    ),
  );
  expect(slices['http://a-b.com/x']).toBe('hxxp://a-b[.]com/x');
  expect(slices['10.0.0.9']).toBe('10.0.0[.]9');
  expect(slices['10.9.8.7']).toBe('10.9.8.7');
  expect(slices['C:\\T\\é.exe']).toBe('C:\\\\T\\\\é.exe');
});

test('ranges nobody should block are marked', () => {
  const scopes = Object.fromEntries(
    extract('10.0.0.1 127.0.0.1 169.254.1.1 192.0.2.1 8.8.8.8 100.64.0.1 fe80::1 www.microsoft.com').map(
      ({ value, scope }) => [value, scope],
    ),
  );
  expect(scopes).toMatchObject({
    '10.0.0.1': 'private',
    '127.0.0.1': 'loopback',
    '169.254.1.1': 'linkLocal',
    '192.0.2.1': 'documentation',
    '8.8.8.8': 'public',
    '100.64.0.1': 'shared',
    'fe80::1': 'linkLocal',
    'www.microsoft.com': 'well-known',
  });
});

test('one value, all its places, once', () => {
  const [ip, ...rest] = extract('1.1.1.1 then 1.1.1.1 and 1[.]1[.]1[.]1');
  expect(rest).toEqual([]);
  expect(ip?.offsets).toHaveLength(3);
  expect(ip?.defanged).toBe(true);
});

test('labelled texts: F1 at least 0.95', () => {
  let [tp, fp, fn] = [0, 0, 0];
  for (const { text, expected } of labelledTexts(21, 300)) {
    const values = new Set(found(text));
    const hits = expected.filter((item) => values.has(item)).length;
    tp += hits;
    fn += expected.length - hits;
    fp += values.size - hits;
  }
  expect((2 * tp) / (2 * tp + fp + fn)).toBeGreaterThanOrEqual(0.95);
});
