import { t, tn } from '../../strings/t.ts';
import type { Finding } from './indicators.ts';
import { toLineNumbers, toRanges } from './log-lines.ts';

const shownRanges = 4;

/** “lines 3, 7–9 · 12 times”; empty where a finding rests on no line. */
export function toLineText(finding: Pick<Finding, 'lines' | 'count'>, mostRanges = shownRanges): string {
  const lines = toLineNumbers(finding);
  if (lines.length === 0) return '';
  const ranges = toRanges(lines);
  const shown = ranges.slice(0, mostRanges).join(', ');
  const text = t(lines.length === 1 ? 'threats.line' : 'threats.lines', {
    lines: ranges.length > mostRanges ? `${shown} …` : shown,
  });
  return finding.count > lines.length ? `${text} · ${tn('threats.times', finding.count)}` : text;
}
