import { expect, test } from 'vitest';
import { readEvents } from '../../support/threat-engine.ts';

const sysmon = {
  Event: {
    System: {
      Provider: { '#attributes': { Name: 'Microsoft-Windows-Sysmon' } },
      EventID: 1,
      Channel: 'Microsoft-Windows-Sysmon/Operational',
      Computer: 'WS',
    },
    EventData: { Image: 'C:\\a.exe' },
  },
};
const xml = `<Event xmlns="http://schemas.microsoft.com/win/2004/08/events/event"><System><Provider Name="Microsoft-Windows-Sysmon"/><EventID>11</EventID><TimeCreated SystemTime="2025-03-04T09:12:44Z"/><Channel>Microsoft-Windows-Sysmon/Operational</Channel><Computer>WS</Computer></System>
<EventData><Data Name="TargetFilename">C:\\a &amp; b.txt</Data></EventData></Event>`;

const cases: [name: string, text: string, format: string, fields: Record<string, string>][] = [
  [
    'evtx JSON',
    JSON.stringify(sysmon),
    'windows-json',
    { image: 'C:\\a.exe', provider_name: 'Microsoft-Windows-Sysmon', eventid: '1' },
  ],
  [
    'EventData as a list',
    JSON.stringify({
      Event: {
        System: { EventID: { '#text': 4688 }, Channel: 'Security' },
        EventData: { Data: [{ '#attributes': { Name: 'NewProcessName' }, '#text': 'C:\\b.exe' }] },
      },
    }),
    'windows-json',
    { image: 'C:\\b.exe' },
  ],
  [
    'winlogbeat',
    JSON.stringify({ winlog: { channel: 'Security', event_id: 4624, event_data: { LogonType: '3' } } }),
    'windows-json',
    { logontype: '3', eventid: '4624' },
  ],
  ['Windows XML', xml, 'windows-xml', { targetfilename: 'C:\\a & b.txt', eventid: '11', computer: 'WS' }],
  [
    'RFC 3164',
    '<34>Oct 11 22:14:15 host su[9]: failed',
    'syslog',
    { host: 'host', program: 'su', message: 'failed' },
  ],
  [
    'RFC 5424',
    '<34>1 2003-10-11T22:14:15.003Z host su - ID47 [ex@1 a="b"] failed',
    'syslog',
    { a: 'b', message: 'failed' },
  ],
  [
    'sshd',
    'Oct 11 22:14:15 h sshd[1]: Failed password for invalid user bob from 10.0.0.9 port 1 ssh2',
    'syslog',
    { user: 'bob', src_ip: '10.0.0.9', outcome: 'failure' },
  ],
  [
    'sudo',
    'Oct 11 22:14:15 h sudo:  bob : TTY=pts/0 ; PWD=/tmp ; USER=root ; COMMAND=/bin/ls -l',
    'syslog',
    { user: 'bob', commandline: '/bin/ls -l', image: '/bin/ls' },
  ],
  [
    'access log',
    '1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] "GET /a?b=c HTTP/1.0" 200 2326 "http://r/" "UA"',
    'access-log',
    { 'c-uri': '/a?b=c', 'cs-uri-query': 'b=c', 'sc-status': '200', 'c-useragent': 'UA' },
  ],
  [
    'CEF',
    'CEF:0|V|P|1|100|na\\|me|10|src=10.0.0.1 msg=hello big world dst=2.1.2.2',
    'cef',
    { name: 'na|me', msg: 'hello big world', dst_ip: '2.1.2.2' },
  ],
  ['LEEF', 'LEEF:1.0|V|P|1|15345|src=10.0.0.1\tusrName=bob', 'leef', { src_ip: '10.0.0.1', user: 'bob' }],
  [
    'key=value',
    'date=2025-03-04 srcip=10.0.0.1 msg="a b c" action=deny',
    'key-value',
    { msg: 'a b c', action: 'deny' },
  ],
  [
    'auditd',
    'type=EXECVE msg=audit(1741079564.1:9): argc=2 a0="cat" a1="/etc/shadow"',
    'auditd',
    { commandline: 'cat /etc/shadow' },
  ],
  [
    'CloudTrail',
    JSON.stringify({ eventSource: 'iam.amazonaws.com', eventName: 'X', userIdentity: { type: 'Root' } }),
    'cloudtrail',
    { 'useridentity.type': 'Root' },
  ],
  [
    'Kubernetes audit',
    JSON.stringify({ kind: 'Event', apiVersion: 'audit.k8s.io/v1', verb: 'get' }),
    'kubernetes-audit',
    { verb: 'get' },
  ],
  ['Zeek JSON', JSON.stringify({ _path: 'dns', uid: 'C', query: 'a.b' }), 'zeek-json', { query: 'a.b' }],
  [
    'Suricata',
    JSON.stringify({ event_type: 'alert', src_ip: '1.1.1.1', alert: { severity: 1 } }),
    'suricata-eve',
    { 'alert.severity': '1' },
  ],
  [
    'raw request',
    'POST /a?x=1 HTTP/1.1\r\nHost: h\r\nContent-Type: text/plain\r\n\r\nbody here',
    'http-request',
    { 'cs-method': 'POST', 'cs-host': 'h', 'cs-body': 'body here' },
  ],
  [
    'JSON request',
    JSON.stringify({ method: 'GET', uri: '/a', headers: { 'User-Agent': 'UA' } }),
    'http-json',
    { 'c-uri': '/a', 'c-useragent': 'UA' },
  ],
  ['plain text', 'something happened', 'text', { message: 'something happened' }],
];

test.each(cases)('%s', (_, text, format, fields) => {
  const [event] = readEvents(text);
  expect(event?.format).toBe(format);
  for (const [name, value] of Object.entries(fields)) expect(event?.fields.get(name)?.[0], name).toBe(value);
  expect(text.slice(event?.start, event?.end)).toBe(event?.raw);
});

test('CSV and Zeek tables read rows under their header', () => {
  const csv = readEvents(
    'time,src_ip,user\n2025-03-04T09:00:00Z,10.0.0.1,"a, b"\n2025-03-04T09:00:01Z,10.0.0.2,c',
  );
  expect(csv.map((event) => event.fields.get('user')?.[0])).toEqual(['a, b', 'c']);
  const zeek = readEvents('#separator \\x09\n#path\tdns\n#fields\tts\tuid\tquery\n1741079564.1\tC1\ta.b.c');
  expect(zeek[0]?.fields.get('query')).toEqual(['a.b.c']);
  expect(zeek[0]?.sources).toEqual([{ product: 'zeek', service: 'dns' }]);
});

test('W3C logs and logs that only name an address are web requests', () => {
  const [iis] = readEvents(
    '#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query sc-status cs(User-Agent)\n2025-03-04 09:12:44 10.0.0.1 GET /a.aspx id=1+or+1=1 200 Mozilla/5.0+(X)',
  );
  expect(iis?.fields.get('c-uri')).toEqual(['/a.aspx?id=1+or+1=1']);
  expect(iis?.fields.get('c-useragent')).toEqual(['Mozilla/5.0 (X)']);
  expect(iis?.timeMs).toBe(Date.UTC(2025, 2, 4, 9, 12, 44));
  const [named] = readEvents('ts=1 level=info method=GET uri=/a?b=c status=200');
  expect(named?.fields.get('cs-uri-query')).toEqual(['b=c']);
});

test('lists, wrappers and pretty-printed JSON keep their lines', () => {
  const text = `note\n${JSON.stringify(
    {
      Records: [
        { eventSource: 'a', eventName: 'b' },
        { eventSource: 'c', eventName: 'd' },
      ],
    },
    null,
    2,
  )}\nend`;
  const events = readEvents(text);
  expect(events.map((event) => event.format)).toEqual(['text', 'cloudtrail', 'cloudtrail', 'text']);
  expect(events.map((event) => event.line)).toEqual([1, 4, 8, 14]);
  for (const event of events) expect(text.slice(event.start, event.end)).toBe(event.raw);
});

test('mixed input is told line by line', () => {
  const events = readEvents(
    cases
      .filter(([, text]) => !text.includes('\n'))
      .map(([, text]) => text)
      .join('\n'),
  );
  const expected = cases.filter(([, text]) => !text.includes('\n')).map(([, , format]) => format);
  expect(events.map((event) => event.format)).toEqual(expected);
});
