import { describe, expect, it } from 'vitest';
import { JoinedReport } from '../../../server/api/services/join-reports.ts';

type Outcome = Parameters<JoinedReport['add']>[1];
const joinReports = (reports: { piece: Parameters<JoinedReport['add']>[0]; outcome: Outcome }[]): Outcome => {
  const joined = new JoinedReport();
  for (const { piece, outcome } of reports) joined.add(piece, outcome);
  return joined.report()!;
};
const quiet: Outcome = {
  severity: 'informational',
  confidence: 0.5,
  summary: 'nothing',
  indicators: [],
  ttps: [],
  recommended_actions: [],
  findings: [],
  techniques: [],
  language: 'en',
  attack_version: '17.1',
};
const finding = (line: number): Outcome['findings'][number] => ({
  rule_id: 'r',
  title: 'R',
  level: 'high',
  confidence: 0.9,
  ttps: ['T1059'],
  lines: [{ line, end_line: line, start: 4, end: 8 }],
  count: 1,
  source: 'sigma',
  author: null,
  description: null,
});

describe('reports of a long log', () => {
  it('are one: the worst severity, findings of one rule together, places in the whole log', () => {
    const first = { piece: { text: '', start: 0, lines: 0 }, outcome: { ...quiet, findings: [finding(2)] } };
    const second = {
      piece: { text: '', start: 1000, lines: 50 },
      outcome: {
        ...quiet,
        severity: 'high' as const,
        summary: 'bad',
        findings: [finding(3)],
        ttps: ['T1059'],
      },
    };
    const report = joinReports([first, second]);
    expect(report).toMatchObject({ severity: 'high', ttps: ['T1059'] });
    expect(report.findings).toHaveLength(1);
    expect(report.findings[0]).toMatchObject({
      count: 2,
      lines: [
        { line: 2, start: 4 },
        { line: 53, end_line: 53, start: 1004, end: 1008 },
      ],
    });
  });

  const indicator = (confidence: number): Outcome['indicators'][number] => ({
    type: 'ip',
    value: '45.155.205.233',
    confidence,
    offsets: [{ start: 0, end: 14 }],
    defanged: false,
    scope: 'public',
  });
  const piece = (lines: number) => ({ text: 'a\n'.repeat(50), start: lines * 2, lines });

  it('tell of the whole in their summary, in the language of the answer', () => {
    const calm = { ...quiet, summary_by: 'chat@1', indicators: [indicator(0.2)] };
    const bad = {
      ...calm,
      severity: 'high' as const,
      confidence: 0.9,
      findings: [finding(3)],
      indicators: [indicator(0.9)],
    };
    const report = joinReports([
      { piece: piece(0), outcome: calm },
      { piece: piece(50), outcome: bad },
      { piece: piece(100), outcome: bad },
    ]);
    expect(report.summary).toBe(
      '150 lines read in 3 parts. 1 finding; overall severity high, confidence 90 %. Most serious: "R" (high) at line 53, seen 2 times. 1 indicator extracted, 1 worth following up.',
    );
    expect(report).not.toHaveProperty('summary_by');
    expect(report.indicators[0]).toMatchObject({ confidence: 0.9, offsets: { length: 3 } });
    const malay = { ...quiet, language: 'ms' as const };
    expect(
      joinReports([
        { piece: piece(0), outcome: malay },
        { piece: piece(50), outcome: malay },
      ]).summary,
    ).toMatch(/^100 baris dibaca dalam 2 bahagian\./);
  });

  it('advise nothing of a harmless piece where another is bad; a single one stays as it is', () => {
    const calm = { ...quiet, recommended_actions: ['Do nothing.'] };
    const bad = { ...quiet, severity: 'high' as const, recommended_actions: ['Keep lines (36).'] };
    const worse = { ...bad, recommended_actions: ['Keep lines (4, 7).'] };
    const reports = [calm, bad, worse].map((outcome, at) => ({ piece: piece(at * 50), outcome }));
    expect(joinReports(reports).recommended_actions).toEqual(['Keep lines.']);
    expect(joinReports([{ piece: piece(0), outcome: calm }])).toEqual(calm);
  });
});
