/**
 * Severity and confidence.
 *
 * severity: the highest level among the findings; one level more when findings of medium or above cover three or more
 * tactics, since a chain is worse than its links. Low and informational findings alone never rise. Without findings:
 * informational, or low when the text names defanged indicators (somebody already thought them hostile).
 *
 * confidence: 1 - Π(1 - c) over the three best findings (noisy-or), where c starts from the level and the rule's status;
 * capped at 0.99, since no rule is proof. Without findings it is how much of the text was understood.
 */

import type { AttackTable } from '../attack/table.ts';
import type { LogEvent } from '../readers/event.ts';
import type { Analysis, Finding, Indicator, Level, Offset } from '../types.ts';
import { LEVELS } from '../types.ts';

const LEVEL_CONFIDENCE: Readonly<Record<Level, number>> = {
  informational: 0.2,
  low: 0.35,
  medium: 0.55,
  high: 0.75,
  critical: 0.9,
};
const STATUS_FACTOR: Readonly<Record<string, number>> = {
  stable: 1.05,
  test: 1,
  experimental: 0.95,
  deprecated: 0.7,
  unsupported: 0.6,
};
const MAX_CONFIDENCE = 0.99;
const CHAIN_TACTICS = 3;

export const rank = (level: Level) => LEVELS.indexOf(level);

export function findingConfidence(level: Level, status: string): number {
  return Math.min(MAX_CONFIDENCE, LEVEL_CONFIDENCE[level] * (STATUS_FACTOR[status] ?? 1));
}

/** Best first: level, then confidence, then how often, then where. */
export function rankFindings(findings: Finding[]): Finding[] {
  const first = (finding: Finding) => finding.lines[0]?.start ?? 0;
  return findings.toSorted(
    (a, b) =>
      rank(b.level) - rank(a.level) ||
      b.confidence - a.confidence ||
      b.count - a.count ||
      first(a) - first(b) ||
      (a.ruleId < b.ruleId ? -1 : 1),
  );
}

export function scoreFindings(
  findings: readonly Finding[],
  indicators: readonly Indicator[],
  context: { table: AttackTable; events: readonly LogEvent[] },
): Pick<Analysis, 'severity' | 'confidence'> {
  if (findings.length === 0) {
    const understood =
      context.events.filter((event) => event.format !== 'text').length / Math.max(1, context.events.length);
    const severity = indicators.some((indicator) => indicator.defanged) ? 'low' : 'informational';
    return { severity, confidence: round(0.5 + 0.4 * understood) };
  }
  const top = Math.max(...findings.map((finding) => rank(finding.level)));
  const serious = findings.filter((finding) => rank(finding.level) >= rank('medium'));
  const tactics = new Set(
    serious.flatMap((finding) =>
      finding.ttps.slice(0, 1).flatMap((id) => context.table.find(id)?.tactics.slice(0, 1) ?? []),
    ),
  );
  const raised = serious.length >= CHAIN_TACTICS && tactics.size >= CHAIN_TACTICS ? top + 1 : top;
  const doubt = findings.slice(0, 3).reduce((product, finding) => product * (1 - finding.confidence), 1);
  return {
    severity: LEVELS[Math.min(raised, LEVELS.length - 1)] as Level,
    confidence: round(Math.min(MAX_CONFIDENCE, 1 - doubt)),
  };
}

/** Confidence of who only visits: in requests of a web server, on no line of a finding. */
const PASSING = 0.3;
const LOADED = 0.85;
const VISIT_FIELDS = ['cs-method', 'cs-uri-stem'];

const isWithin = (offset: Offset, spans: readonly Offset[]) =>
  spans.some((span) => offset.start >= span.start && offset.end <= span.end);

/** An indicator on the lines of a finding is more than a name in passing. */
export function raiseIndicators(
  indicators: readonly Indicator[],
  findings: readonly Finding[],
  events: readonly LogEvent[],
): Indicator[] {
  const told = findings.flatMap((finding) => finding.lines);
  const passes = (indicator: Indicator) =>
    (indicator.type === 'ip' || indicator.type === 'domain' || indicator.type === 'url') &&
    !indicator.defanged &&
    indicator.offsets.every((offset) => isWithin(offset, visits) && !isWithin(offset, told));
  const visits = events.filter((event) => VISIT_FIELDS.every((name) => event.fields.has(name)));
  const spans = findings
    .filter((finding) => rank(finding.level) >= rank('medium'))
    .flatMap((finding) => finding.lines);
  return indicators
    .map((indicator) => {
      if (passes(indicator)) return { ...indicator, confidence: Math.min(indicator.confidence, PASSING) };
      const inFinding = indicator.offsets.some((offset) => isWithin(offset, spans));
      // A link that a flagged command loads is followed up even from a range that nobody should route.
      const isLoaded = indicator.type === 'url' && indicator.scope === 'reserved';
      const raised = !inFinding
        ? indicator.confidence
        : isLoaded
          ? LOADED
          : indicator.scope === 'public' || indicator.scope === 'documentation'
            ? indicator.confidence + 0.25
            : indicator.confidence;
      return { ...indicator, confidence: round(Math.min(MAX_CONFIDENCE, raised)) };
    })
    .toSorted(
      (a, b) => b.confidence - a.confidence || (a.offsets[0]?.start ?? 0) - (b.offsets[0]?.start ?? 0),
    );
}

export const round = (value: number) => Math.round(value * 100) / 100;
