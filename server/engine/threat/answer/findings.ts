/** Collects hits into findings: one a rule, with every line it matched. */

import type { LogEvent } from '../readers/event.ts';
import { BSD_YEAR } from '../readers/time.ts';
import type { Finding, Level } from '../types.ts';
import { findingConfidence, rank } from './score.ts';
import { addSubjects, emptySubjects } from './subjects.ts';

const MAX_LINES = 100;
const MAX_EXCERPTS = 3;
/** Characters of a line that a report shows. */
const MAX_EXCERPT = 240;

const excerptOf = ({ line, raw }: LogEvent) => {
  const text = raw
    .slice(0, 4 * MAX_EXCERPT)
    .replace(/\s+/gu, ' ')
    .trim();
  return { line, text: text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT - 1)}…` : text };
};

/** Takes in the event's time, unless its line names no year. */
function addTime(finding: Finding, { timeMs, raw }: LogEvent): void {
  if (timeMs === null) return;
  if (new Date(timeMs).getUTCFullYear() === BSD_YEAR && !raw.includes(String(BSD_YEAR))) return;
  const [first, last] = finding.spanMs ?? [timeMs, timeMs];
  finding.spanMs = [Math.min(first, timeMs), Math.max(last, timeMs)];
}

export interface Hit {
  ruleId: string;
  title: string;
  level: Level;
  status: string;
  ttps: string[];
  source: Finding['source'];
  /** 0 to 1, where the level and the status do not say it. */
  confidence?: number;
  author?: string | null;
  description?: string | null;
  falsePositives?: string[];
  events: readonly LogEvent[];
  /** The event to act on, where not all are alike. */
  about?: LogEvent;
}

export class Findings {
  readonly #byRule = new Map<string, Finding>();

  add(hit: Hit): void {
    const { events, status, about, ...head } = hit;
    const confidence = Math.round((hit.confidence ?? findingConfidence(hit.level, status)) * 100) / 100;
    let finding = this.#byRule.get(hit.ruleId);
    if (finding === undefined) {
      finding = {
        ...head,
        author: hit.author ?? null,
        description: hit.description ?? null,
        falsePositives: hit.falsePositives ?? [],
        confidence,
        lines: [],
        count: 0,
        subjects: emptySubjects(),
        excerpts: [],
        spanMs: null,
      };
      this.#byRule.set(hit.ruleId, finding);
    } else if (rank(hit.level) > rank(finding.level)) {
      // A remark about one event says nothing of the next.
      Object.assign(finding, { level: hit.level, title: hit.title, confidence });
    }
    finding.count += 1;
    if (about !== undefined) finding.mainLine ??= about.line;
    for (const event of about ? [about] : events) addSubjects(finding.subjects, event);
    for (const event of events) {
      this.#addLine(finding, event);
      addTime(finding, event);
    }
    // The event that the finding is about is shown though it comes last.
    if (about !== undefined && !finding.excerpts.some(({ line }) => line === about.line))
      finding.excerpts.splice(MAX_EXCERPTS - 1, 1, excerptOf(about));
  }

  #addLine(finding: Finding, event: LogEvent): void {
    const known =
      finding.lines.length >= MAX_LINES || finding.lines.some((span) => span.start === event.start);
    if (known) return;
    finding.lines.push({ line: event.line, endLine: event.endLine, start: event.start, end: event.end });
    if (finding.excerpts.length < MAX_EXCERPTS) finding.excerpts.push(excerptOf(event));
    // The last line stands for what came of it.
    else finding.excerpts[MAX_EXCERPTS - 1] = excerptOf(event);
  }

  /** Makes a finding a remark. */
  lower(ruleId: string): void {
    const finding = this.#byRule.get(ruleId);
    if (finding && rank(finding.level) > rank('low'))
      Object.assign(finding, { level: 'low', confidence: findingConfidence('low', 'stable') });
  }

  list(): Finding[] {
    return [...this.#byRule.values()];
  }
}
