import { expect, test } from 'vitest';
import { Drain } from '../../../server/engine/threat/anomalies/drain.ts';
import { entropy } from '../../../server/engine/threat/anomalies/entropy.ts';
import { findAnomalies, never, openThreatEngine, readEvents } from '../../support/threat-engine.ts';

const found = (lines: string[]) =>
  findAnomalies(readEvents(lines.join('\n'))).map((anomaly) => anomaly.ruleId);
const range = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
const pad = (n: number) => String(n).padStart(2, '0');

test('spraying, guessing, and the login that follows', () => {
  const failed = (user: string, i: number) =>
    `Mar  4 09:12:${pad(i)} h sshd[1]: Failed password for ${user} from 10.0.0.9 port 1 ssh2`;
  expect(found(range(6, (i) => failed('root', i)))).toEqual(['anomaly-password-guessing']);
  expect(found(range(6, (i) => failed(`u${i}`, i)))).toEqual(['anomaly-password-spraying']);
  expect(
    found([
      ...range(6, (i) => failed('root', i)),
      'Mar  4 09:13:00 h sshd[1]: Accepted password for root from 10.0.0.9 port 1 ssh2',
    ]),
  ).toContain('anomaly-guessed-login');
  expect(found(range(4, (i) => failed('root', i)))).toEqual([]);
});

test('a login is told that is accepted from the address of web attacks, however few were refused', async () => {
  const engine = await openThreatEngine();
  const rules = async (address: string) => {
    const text = [
      '203.0.113.77 - - [12/Nov/2026:02:15:31 +0800] "GET /a?id=1%27%20UNION%20SELECT%20password%20FROM%20users-- HTTP/1.1" 200 9120 "-" "x"',
      `Nov 12 02:16:00 web-01 sshd[2213]: Failed password for root from ${address} port 51830 ssh2`,
      `Nov 12 02:16:04 web-01 sshd[2215]: Accepted password for deploy from ${address} port 51840 ssh2`,
    ].join('\n');
    return (await engine.methods.analyze({ text }, never)).findings.map(({ ruleId }) => ruleId);
  };
  expect(await rules('203.0.113.77')).toContain('anomaly-attacker-login');
  expect(await rules('198.51.100.4')).not.toContain('anomaly-attacker-login');
});

test('Windows log-ons count as well', () => {
  const event = (id: number, i: number) =>
    JSON.stringify({
      EventID: id,
      Channel: 'Security',
      TargetUserName: 'bob',
      IpAddress: '10.0.0.9',
      TimeCreated: `2025-03-04T09:12:${pad(i)}Z`,
    });
  expect(found([...range(6, (i) => event(4625, i)), event(4624, 10)])).toContain('anomaly-guessed-login');
});

test('even contact with an outside host is a beacon, uneven is not', () => {
  const conn = (second: number) =>
    JSON.stringify({
      _path: 'conn',
      uid: 'C',
      ts: 1_741_079_564 + second,
      'id.orig_h': '10.0.0.9',
      'id.resp_h': '91.2.3.4',
    });
  expect(found(range(10, (i) => conn(i * 60)))).toContain('anomaly-beacon');
  expect(found(range(10, (i) => conn(i * i * 17)))).not.toContain('anomaly-beacon');
});

test('records read by their number, one after another', () => {
  const read = (path: string, status = 200) =>
    `203.0.113.9 - - [26/Nov/2026:03:11:02 +0000] "GET ${path} HTTP/1.1" ${status} 812 "-" "-"`;
  const found = (lines: string[]) =>
    findAnomalies(readEvents(lines.join('\n'))).some(({ ruleId }) => ruleId === 'anomaly-numbered-records');
  expect(found(range(4, (i) => read(`/api/customers/${4410 + i}`)))).toBe(true);
  expect(found(range(4, (i) => read(`/api/customers/${4410 + i}`, 404)))).toBe(false);
  expect(found(range(4, (i) => read(`/api/customers/${4410 + 7 * i}`)))).toBe(false);
  const two = [4410, 4411, 7001, 7002, 7003, 7004, 7005, 9001].map((number) =>
    read(`/api/customers/${number}`),
  );
  const [row] = findAnomalies(readEvents(two.join('\n'))).filter(
    ({ ruleId }) => ruleId === 'anomaly-numbered-records',
  );
  expect(row?.events.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7]);
  expect(found(range(4, (i) => read(`/news/page/${i + 1}`)))).toBe(false);
  expect(found(range(4, (i) => read(`/video/part-${1001 + i}.ts`)))).toBe(false);
});

test('records read by their number in a parameter', () => {
  const read = (i: number) =>
    `203.0.113.9 - - [26/Nov/2026:03:11:02 +0000] "GET /receipt?id=${i} HTTP/1.1" 200 812 "-" "-"`;
  const found = (lines: string[]) => findAnomalies(readEvents(lines.join('\n'))).map(({ ruleId }) => ruleId);
  expect(found(range(4, (i) => read(40_001 + i)))).toContain('anomaly-numbered-records');
  expect(found(range(4, (i) => read(40_001 + 3 * i)))).not.toContain('anomaly-numbered-records');
});

test('a crawler that asks where it may look and says its name reads pages by their number', () => {
  const found = (agent: string) => {
    const paths = ['/robots.txt', ...range(5, (i) => `/invoice/${1001 + i}`)];
    const lines = paths.map(
      (path) => `203.0.113.9 - - [26/Nov/2026:03:11:02 +0000] "GET ${path} HTTP/1.1" 200 812 "-" "${agent}"`,
    );
    return findAnomalies(readEvents(lines.join('\n'))).map(({ ruleId }) => ruleId);
  };
  expect(found('Mozilla/5.0 (compatible; Examplebot/2.1)')).not.toContain('anomaly-numbered-records');
  const listed = ['/robots.txt', ...range(5, (i) => `/product/${1001 + i}`)].map((path) => `GET ${path} 200`);
  const ofOne = (head: string) =>
    findAnomalies(readEvents([head, ...listed].join('\n'))).map(({ ruleId }) => ruleId);
  expect(ofOne('source crawl-66-249-66-8.googlebot.com')).not.toContain('anomaly-numbered-records');
  expect(ofOne('source 203.0.113.9')).toContain('anomaly-numbered-records');
  expect(found('python-requests/2.31')).toContain('anomaly-numbered-records');
});

test('codes tried one after another', () => {
  const found = (text: string) => findAnomalies(readEvents(text)).map(({ ruleId }) => ruleId);
  const tried = (codes: string[]) =>
    found(codes.map((code) => `portal POST /otp/verify phone=6012 code=${code} 401`).join('\n'));
  expect(tried(['0000', '0001', '0002'])).toContain('anomaly-counted-codes');
  expect(tried(['GC-2041', 'GC-2042', 'GC-2043'])).toContain('anomaly-counted-codes');
  expect(tried(['5310', '0244', '9107'])).not.toContain('anomaly-counted-codes');
  expect(tried(['0000', '0001'])).not.toContain('anomaly-counted-codes');
  const batch = range(4, (i) => `a${i}: login(user:\\"admin\\",pin:\\"000${i}\\"){token}`).join(' ');
  expect(found(`POST /graphql HTTP/1.1\n\n{"query":"mutation verify { ${batch} }"}`)).toContain(
    'anomaly-counted-codes',
  );
  expect(found(range(4, (i) => `shop: stock code=10${i}0 verified`).join('\n'))).not.toContain(
    'anomaly-counted-codes',
  );
});

test('passwords tried in one request after another', () => {
  const login = (user: string, password: string) =>
    `POST /login HTTP/1.1\nHost: vpn.firma.example\n\nusername=${user}&password=${password}`;
  const found = (tries: [string, string][]) =>
    findAnomalies(readEvents(tries.map(([user, password]) => login(user, password)).join('\n')))
      .filter(({ ruleId }) => ruleId === 'anomaly-tried-passwords')
      .map(({ level }) => level);
  expect(
    found([
      ['kim', 'Autumn26'],
      ['lee', 'Autumn26'],
      ['ana', 'Autumn26'],
    ]),
  ).toEqual(['high']);
  expect(
    found([
      ['kim', 'Autumn26'],
      ['kim', 'Winter26'],
      ['kim', 'Spring26'],
    ]),
  ).toEqual(['medium']);
  expect(
    found([
      ['kim', 'Autumn26'],
      ['kim', 'Autumn26'],
      ['lee', 'x7Kq'],
    ]),
  ).toEqual([]);
  expect(
    found([
      ['kim', '********'],
      ['lee', '********'],
      ['ana', '********'],
    ]),
  ).toEqual([]);
});

test('many missing paths from one client, many ports from one host', () => {
  const miss = (i: number, status: number) =>
    `1.2.3.4 - - [10/Oct/2000:13:55:${pad(i)} -0700] "GET /p${i} HTTP/1.0" ${status} 1 "-" "-"`;
  expect(found(range(20, (i) => miss(i, 404)))).toContain('anomaly-forced-browsing');
  expect(found(range(20, (i) => miss(i, 200)))).not.toContain('anomaly-forced-browsing');
  expect(found(range(20, (i) => `srcip=10.0.0.9 dstip=10.0.0.8 dstport=${20 + i} action=deny`))).toContain(
    'anomaly-port-scan',
  );
});

test('long random DNS labels below one domain', () => {
  const label = (i: number) => Buffer.from(range(24, (j) => (i * 37 + j * 91) % 256)).toString('hex');
  expect(
    found(range(6, (i) => JSON.stringify({ _path: 'dns', uid: 'C', query: `${label(i)}.t.bad.example` }))),
  ).toContain('anomaly-dns-tunnel');
});

test('a new source for an account with a habit', () => {
  const login = (i: number, ip: string) =>
    `Mar  4 09:${pad(i)}:00 h sshd[1]: Accepted password for bob from ${ip} port 1 ssh2`;
  expect(found([...range(12, (i) => login(i, '10.0.0.9')), login(20, '91.2.3.4')])).toContain(
    'anomaly-first-seen-source',
  );
  expect(found([login(1, '10.0.0.9'), login(2, '91.2.3.4')])).toEqual([]);
});

test('a rare line counts only when it speaks of trouble', () => {
  const lines = range(60, (i) => `job ${i} finished in ${i} ms`);
  expect(found([...lines, 'possible rootkit found in module xyz'])).toContain('anomaly-rare-template');
  expect(found([...lines, 'cache warmed up and ready now'])).toEqual([]);
});

test('Drain joins lines that differ in values', () => {
  const drain = new Drain();
  for (const [i, line] of ['user bob logged in', 'user eve logged in', 'disk full'].entries())
    drain.add(line, i);
  expect(
    drain
      .templates()
      .map((template) => template.lines.length)
      .toSorted(),
  ).toEqual([1, 2]);
});

test('entropy is zero for one letter and one bit for two', () => {
  expect(entropy('aaaa')).toBeCloseTo(0);
  expect(entropy('abab')).toBeCloseTo(1);
});

test('a stranger who tries account after account is told when one lets it in', () => {
  const line = (i: number, user: string, from: string, word = 'Failed') =>
    `Mar  4 02:12:${pad(i)} h sshd[1]: ${word} password for ${user} from ${from} port 1 ssh2`;
  const tried = (from: string, users: string[]) =>
    found([...users.map((user, i) => line(i, user, from)), line(9, 'deploy', from, 'Accepted')]);
  expect(tried('203.0.113.88', ['oracle', 'postgres', 'deploy'])).toEqual(['anomaly-guessed-login']);
  expect(tried('10.0.0.9', ['oracle', 'postgres', 'deploy'])).toEqual([]);
  expect(tried('203.0.113.88', ['deploy', 'deploy', 'deploy'])).toEqual([]);
  // Another attempt behind the login hides nothing.
  const from = '203.0.113.88';
  const users = ['oracle', 'postgres', 'deploy'];
  const lines = [
    ...users.map((user, i) => line(i, user, from)),
    line(8, 'deploy', from, 'Accepted'),
    line(9, 'x', from),
  ];
  expect(found(lines)).toEqual(['anomaly-guessed-login']);
});

test('a line may stand for many attempts of a stranger', () => {
  const lines = (from: string) => [
    `Mar  4 02:12:01 h sshd[1]: Failed password for sa from ${from} port 1 ssh2 (x2,911)`,
    `Mar  4 02:13:01 h sshd[1]: Accepted password for sa from ${from} port 1 ssh2`,
  ];
  expect(found(lines('203.0.113.9'))).toContain('anomaly-guessed-login');
  expect(found(lines('10.0.2.9'))).toEqual([]);
});

test('the kind of a processor counts no attempts, and the version of a program is no address', () => {
  const mail = (agent: string) =>
    findAnomalies(readEvents(`${agent} said: wrong password for user kim, tried 3x`));
  expect(mail('Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/133.0.0.0')).toEqual([]);
  expect(mail('client 133.0.0.9 [x640]').map(({ ruleId }) => ruleId)).toEqual(['anomaly-password-guessing']);
});

test('pieces of data in names that ask for text', () => {
  const query = (name: string, type: string) =>
    `2025-03-04T13:20:11Z query client=10.6.1.44 q=${name} type=${type} rcode=NOERROR`;
  const pieces = ['agvsbg8gd29ybgq0', 'c2vjcmv0lwrvy3gt', 'uesdbbqaaaaiab1k', 'mfytl2zpbmfuy2uv'];
  const names = pieces.map((piece, i) => `${piece}.000${i}.a8f1.dl.cachex.example`);
  expect(found(names.map((name) => query(name, 'TXT')))).toContain('anomaly-dns-tunnel');
  expect(found(names.map((name) => query(name, 'A')))).not.toContain('anomaly-dns-tunnel');
  expect(found(pieces.map((piece) => query(`${piece}._domainkey.news.example`, 'TXT')))).not.toContain(
    'anomaly-dns-tunnel',
  );
});
