/** Collects hits into findings: one a rule, with every line it matched. */

import type { LogEvent } from '../readers/event.ts';
import type { Finding, Level } from '../types.ts';
import { findingConfidence } from './score.ts';
import { addSubjects, emptySubjects } from './subjects.ts';

const MAX_LINES = 100;

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
    let finding = this.#byRule.get(hit.ruleId);
    if (finding === undefined) {
      finding = {
        ...head,
        author: hit.author ?? null,
        description: hit.description ?? null,
        falsePositives: hit.falsePositives ?? [],
        confidence: Math.round((hit.confidence ?? findingConfidence(hit.level, status)) * 100) / 100,
        lines: [],
        count: 0,
        subjects: emptySubjects(),
      };
      this.#byRule.set(hit.ruleId, finding);
    }
    finding.count += 1;
    for (const event of about ? [about] : events) addSubjects(finding.subjects, event);
    for (const event of events) this.#addLine(finding, event);
  }

  #addLine(finding: Finding, event: LogEvent): void {
    const known =
      finding.lines.length >= MAX_LINES || finding.lines.some((span) => span.start === event.start);
    if (!known)
      finding.lines.push({ line: event.line, endLine: event.endLine, start: event.start, end: event.end });
  }

  list(): Finding[] {
    return [...this.#byRule.values()];
  }
}
