import { describe, expect, it } from 'vitest';
import { joinReports } from '../../renderer/src/pages/threats/join-reports.ts';

type Outcome = Parameters<typeof joinReports>[0][number]['outcome'];
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
    expect(report).toMatchObject({ severity: 'high', summary: 'bad', ttps: ['T1059'] });
    expect(report.findings).toHaveLength(1);
    expect(report.findings[0]).toMatchObject({
      count: 2,
      lines: [
        { line: 2, start: 4 },
        { line: 53, end_line: 53, start: 1004, end: 1008 },
      ],
    });
  });
});
