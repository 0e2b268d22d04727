import { describe, expect, it } from 'vitest';
import { cutLog, joinReports, maxPieceBytes } from '../../renderer/src/pages/threats/pieces.ts';

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

describe('pieces of a long log', () => {
  it('are cut at line ends, fit a request each and are the whole text', () => {
    const text = Array.from({ length: 4000 }, (_, at) => `line ${at} é`).join('\n');
    const pieces = cutLog(text)!;
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    for (const { text: part, start, lines } of pieces) {
      expect(new TextEncoder().encode(part).length).toBeLessThanOrEqual(maxPieceBytes);
      expect(text.slice(start, start + part.length)).toBe(part);
      expect(text.slice(0, start).split('\n').length - 1).toBe(lines);
    }
  });

  it('a short text is one, a line that fits no request is refused', () => {
    expect(cutLog('one\ntwo')).toEqual([{ text: 'one\ntwo', start: 0, lines: 0 }]);
    expect(cutLog('x'.repeat(maxPieceBytes + 1))).toBeNull();
  });

  it('give one report: the worst severity, findings of one rule together, places in the whole log', () => {
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
