/** The pasted log in lines, with where findings and indicators fall in each. */
import type { Finding, Indicator, Severity } from './indicators.ts';

export interface LogLine {
  number: number;
  /** UTF-16 offset of its first character. */
  start: number;
  text: string;
}

export function toLines(text: string): LogLine[] {
  let start = 0;
  return text.split('\n').map((line, index) => {
    const entry = { number: index + 1, start, text: line.replace(/\r$/, '') };
    start += line.length + 1;
    return entry;
  });
}

/** Every line a finding touches, in order. */
export function toLineNumbers({ lines }: Pick<Finding, 'lines'>): number[] {
  const numbers = new Set<number>();
  for (const { line, end_line } of lines) for (let at = line; at <= end_line; at += 1) numbers.add(at);
  return [...numbers].sort((a, b) => a - b);
}

/** `1–6`, `9`: neighbours drawn together. */
export function toRanges(numbers: readonly number[]): string[] {
  const ranges: [first: number, last: number][] = [];
  for (const number of numbers) {
    const open = ranges.at(-1);
    if (open && number === open[1] + 1) open[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}–${last}`));
}

const rank: Severity[] = ['informational', 'low', 'medium', 'high', 'critical'];

/** The highest level of the findings on each line. */
export function levelsByLine(findings: readonly Finding[]): Map<number, Severity> {
  const levels = new Map<number, Severity>();
  for (const { level, ...finding } of findings) {
    for (const line of toLineNumbers(finding)) {
      const known = levels.get(line);
      if (!known || rank.indexOf(level) > rank.indexOf(known)) levels.set(line, level);
    }
  }
  return levels;
}

export interface LinePart {
  text: string;
  indicator: Indicator | null;
}

/** A line cut at its indicators; where two overlap, the one that starts first has the text. */
export function toParts(line: LogLine, indicators: readonly Indicator[]): LinePart[] {
  const end = line.start + line.text.length;
  const hits = indicators
    .flatMap((indicator) => indicator.offsets.map(({ start, end: to }) => ({ from: start, to, indicator })))
    .filter(({ from, to }) => from >= line.start && to <= end && to > from)
    .sort((a, b) => a.from - b.from || b.to - a.to);
  const parts: LinePart[] = [];
  let at = line.start;
  for (const { from, to, indicator } of hits) {
    if (from < at) continue;
    if (from > at) parts.push({ text: line.text.slice(at - line.start, from - line.start), indicator: null });
    parts.push({ text: line.text.slice(from - line.start, to - line.start), indicator });
    at = to;
  }
  if (at < end || parts.length === 0) parts.push({ text: line.text.slice(at - line.start), indicator: null });
  return parts;
}
