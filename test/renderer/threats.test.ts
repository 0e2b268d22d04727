import { describe, expect, it, test } from 'vitest';
import { toColumns } from '../../renderer/src/pages/threats/attack-tactics.ts';
import { findingsCsv } from '../../renderer/src/pages/threats/evidence.ts';
import {
  defang,
  type Indicator,
  indicatorsCsv,
  partIndicators,
  type ThreatOutcome,
} from '../../renderer/src/pages/threats/indicators.ts';
import {
  levelsByLine,
  toLineNumbers,
  toLines,
  toParts,
  toRanges,
} from '../../renderer/src/pages/threats/log-lines.ts';
import { reportMarkdown } from '../../renderer/src/pages/threats/report-markdown.ts';
import { toPattern, toStixBundle } from '../../renderer/src/pages/threats/stix.ts';

const indicator = (type: Indicator['type'], value: string, spans: [number, number][] = []): Indicator => ({
  type,
  value,
  confidence: 0.9,
  offsets: spans.map(([start, end]) => ({ start, end })),
  defanged: false,
  scope: 'public',
});

const finding = (level: 'low' | 'high', line: number, end_line = line) => ({
  rule_id: 'r',
  title: 't',
  level,
  confidence: 1,
  ttps: [],
  lines: [{ line, end_line, start: 0, end: 1 }],
  count: 1,
  source: 'web' as const,
  author: null,
  description: null,
});

describe('defang', () => {
  it.each([
    ['ip', '203.0.113.7', '203[.]0[.]113[.]7'],
    ['ip', '2001:db8::1', '2001[:]db8[:][:]1'],
    ['domain', 'evil.example', 'evil[.]example'],
    ['url', 'https://evil.example/a.b?c=d.e', 'hxxps://evil[.]example/a.b?c=d.e'],
    ['url', 'ftp://evil.example', 'ftp://evil[.]example'],
    ['email', 'a@evil.example', 'a[@]evil[.]example'],
    ['sha256', 'ab.cd', 'ab.cd'],
  ] as const)('%s %s', (type, value, expected) => {
    expect(defang({ type, value })).toBe(expected);
  });
});

describe('log lines', () => {
  const text = 'from 203.0.113.7\r\nok\nevil.example';
  it('keep their offsets', () => {
    expect(toLines(text).map(({ start, text: line }) => [start, line])).toEqual([
      [0, 'from 203.0.113.7'],
      [18, 'ok'],
      [21, 'evil.example'],
    ]);
  });
  it('are cut at indicators, longer ones first', () => {
    const [first, second, third] = toLines(text) as [never, never, never];
    const known = [
      indicator('ip', '203.0.113.7', [[5, 16]]),
      indicator('domain', 'evil.example', [
        [21, 33],
        [26, 33],
      ]),
    ];
    expect(toParts(first, known).map((part) => [part.text, part.indicator?.type])).toEqual([
      ['from ', undefined],
      ['203.0.113.7', 'ip'],
    ]);
    expect(toParts(second, known)).toEqual([{ text: 'ok', indicator: null }]);
    expect(toParts(third, known).map((part) => part.text)).toEqual(['evil.example']);
  });
  it('take the highest level of their findings', () => {
    const levels = levelsByLine([finding('low', 1, 3), finding('high', 2)]);
    expect([...levels]).toEqual([
      [1, 'low'],
      [2, 'high'],
      [3, 'low'],
    ]);
  });
  it('are named in ranges', () => {
    expect(
      toRanges(toLineNumbers({ lines: [...finding('low', 4, 6).lines, ...finding('low', 9).lines] })),
    ).toEqual(['4–6', '9']);
  });
});

describe('ATT&CK columns', () => {
  it('follow the order of an attack, whatever the spelling of tactics', () => {
    const columns = toColumns([
      { id: 'T1486', name: 'Data Encrypted for Impact', tactics: ['impact'] },
      { id: 'T1078', name: 'Valid Accounts', tactics: ['Persistence', 'Initial Access'] },
      { id: 'T9999', name: 'Unknown', tactics: [] },
      { id: 'T1021', name: 'Remote Services', tactics: ['lateral-movement'] },
    ]);
    expect(columns.map(({ tactic, techniques }) => [tactic, techniques.map(({ id }) => id).join()])).toEqual([
      ['initial_access', 'T1078'],
      ['lateral_movement', 'T1021'],
      ['impact', 'T1486'],
      ['other', 'T9999'],
    ]);
  });
});

describe('exports', () => {
  it('say what was found and where it may be blocked', () => {
    expect(indicatorsCsv([indicator('domain', 'evil.example', [[1, 2]])])).toContain(
      'domain,evil.example,evil[.]example,0.9,1,public',
    );
  });

  it('escape values in STIX patterns', () => {
    expect(toPattern({ type: 'user', value: "CORP\\o'neil" })).toBe(
      "[user-account:account_login = 'CORP\\\\o\\'neil']",
    );
    expect(toPattern({ type: 'ip', value: '2001:db8::1' })).toBe("[ipv6-addr:value = '2001:db8::1']");
    expect(toPattern({ type: 'cve', value: 'CVE-2021-44228' })).toBe(null);
  });

  it('make a bundle that relates indicators to techniques and whose report names every object', () => {
    const outcome = {
      severity: 'high',
      confidence: 0.8,
      summary: 'Something',
      indicators: [indicator('domain', 'evil.example', [[0, 1]]), indicator('cve', 'CVE-2021-44228')],
      ttps: ['T1059.001'],
      techniques: [{ id: 'T1059.001', name: 'PowerShell', tactics: ['execution'] }],
      recommended_actions: ['Isolate'],
      findings: [{ ...finding('high', 1), ttps: ['T1059.001'] }],
      language: 'en',
      attack_version: '17',
    } satisfies ThreatOutcome;
    let next = 0;
    const uuid = () => `00000000-0000-4000-8000-${String(next++).padStart(12, '0')}`;
    const bundle = toStixBundle(outcome, { now: new Date(0), uuid }) as {
      objects: { type: string; id: string; object_refs?: string[]; [ref: string]: unknown }[];
    };
    expect(bundle.objects.map(({ type }) => type)).toEqual([
      'identity',
      'indicator',
      'attack-pattern',
      'relationship',
      'course-of-action',
      'report',
    ]);
    const [, source, target, relationship] = bundle.objects;
    expect(relationship).toMatchObject({ source_ref: source?.id, target_ref: target?.id });
    expect(bundle.objects.at(-1)?.object_refs).toEqual(bundle.objects.slice(0, -1).map(({ id }) => id));
  });
});

test('indicators worth following up are parted from private addresses and names of programs', () => {
  const known: Indicator[] = [
    indicator('ip', '203.0.113.7'),
    { ...indicator('ip', '10.0.0.5'), scope: 'private' },
    { ...indicator('domain', 'github.com'), scope: 'well-known' },
    indicator('process', 'evil.exe'),
    indicator('sha256', 'ab'),
  ];
  const { worth, others } = partIndicators(known);
  expect(worth.map(({ value }) => value)).toEqual(['203.0.113.7', 'ab']);
  expect(others.map(({ value }) => value)).toEqual(['10.0.0.5', 'github.com', 'evil.exe']);
});

describe('the report in Markdown', () => {
  const outcome: ThreatOutcome = {
    severity: 'high',
    confidence: 0.9,
    summary: 'An encoded command ran.',
    indicators: [
      indicator('url', 'http://203.0.113.7/a.ps1'),
      { ...indicator('ip', '10.0.0.5'), scope: 'private' },
    ],
    ttps: [],
    recommended_actions: ['Isolate FIN-07.'],
    findings: [{ ...finding('high', 3), title: 'A [link](x) # head', decoded: ['IEX ```x```'] }],
    techniques: [{ id: 'T1059.001', name: 'PowerShell', tactics: ['execution'] }],
    language: 'en',
    attack_version: '16.1',
  };
  const text = reportMarkdown(outcome, null, 0);
  it('names findings, lines, decoded commands, indicators and actions', () => {
    expect(text).toContain('line 3');
    expect(text).toContain('hxxp://203[.]0[.]113[.]7/a.ps1'.replace(/[[\]]/g, '\\$&'));
    expect(text).toContain('- T1059.001 PowerShell (execution)');
    expect(text).toContain('- Isolate FIN-07.');
    expect(text.indexOf('203')).toBeLessThan(text.indexOf('10\\[.\\]0'));
  });
  it('shows the evidence: file, time, who, and the lines, none of them cut off', () => {
    const evidence = {
      excerpts: [{ line: 4, text: 'POST /login ```' }],
      first_seen: '2026-10-10T08:21:07.000Z',
      last_seen: '2026-10-10T08:36:00.000Z',
      hosts: [],
      users: ['ann_b'],
      processes: [],
      addresses: ['185.220.101.47'],
      files: [],
    };
    const lines = [1, 3, 5, 7, 9, 11].flatMap((line) => finding('high', line).lines);
    const findings = [{ ...finding('high', 4), lines, evidence }];
    const report = reportMarkdown({ ...outcome, findings }, 'access_log.txt', 0);
    expect(report).toContain('File access\\_log.txt');
    expect(report).toContain('lines 1, 3, 5, 7, 9, 11');
    expect(report).toContain('- Time: 2026-10-10 08:21:07Z – 2026-10-10 08:36:00Z');
    expect(report).toContain('- Accounts: ann\\_b');
    expect(report).toContain('````\n4: POST /login ```\n````');
    const [, row] = findingsCsv(findings, 'access_log.txt').split('\r\n');
    expect(row).toMatch(/^access_log\.txt,high,t,1,,1 3 5 7 9 11,1,2026-10-10T08:21:07\.000Z,/);
  });
  it('lets no text of the log become markup', () => {
    expect(text).toContain('### 1. A \\[link\\](x) \\# head (high)');
    expect(text).toContain('````\nIEX ```x```\n````');
  });
});
