/** The reports of a long log's pieces as one report. */
import type { ThreatResult } from './moderations.ts';
import { reportSentences } from './report-sentences.ts';
import type { TextPart } from './text-pieces.ts';

type Outcome = ThreatResult['results'][number];
type Severity = Outcome['severity'];
type Finding = Outcome['findings'][number];
type Indicator = Outcome['indicators'][number];

const rank: Severity[] = ['informational', 'low', 'medium', 'high', 'critical'];
/** Line numbers that an action names: those of its piece, not of the whole. */
const pieceLines = / ?[(（][\d, ，、…–-]+[)）]/gu;

/** Of a finding, as a single report has them. */
const maxLines = 100;

const worse = (a: Severity, b: Severity): boolean => rank.indexOf(a) > rank.indexOf(b);

/** Puts the places of a piece's report where they lie in the whole log. */
function shift(outcome: Outcome, { start, lines }: TextPart): Outcome {
  const move = <T extends { start: number; end: number }>(span: T): T => ({
    ...span,
    start: span.start + start,
    end: span.end + start,
  });
  return {
    ...outcome,
    indicators: outcome.indicators.map((each) => ({ ...each, offsets: each.offsets.map(move) })),
    findings: outcome.findings.map((each) => ({
      ...each,
      lines: each.lines.map((span) => ({
        ...move(span),
        line: span.line + lines,
        end_line: span.end_line + lines,
      })),
      ...(each.evidence && {
        evidence: {
          ...each.evidence,
          excerpts: each.evidence.excerpts.map((excerpt) => ({ ...excerpt, line: excerpt.line + lines })),
        },
      }),
    })),
  };
}

type Evidence = NonNullable<Finding['evidence']>;

/** Times as ISO 8601 in UTC, so that the order of their letters is that of time. */
function joinEvidence(into: Evidence, other: Evidence): Evidence {
  const times = [into.first_seen, into.last_seen, other.first_seen, other.last_seen]
    .filter((time) => time !== null)
    .sort();
  const both = (pick: (evidence: Evidence) => readonly string[]) =>
    [...new Set([...pick(into), ...pick(other)])].slice(0, 5);
  return {
    excerpts: [...into.excerpts, ...other.excerpts].slice(0, 3),
    first_seen: times[0] ?? null,
    last_seen: times.at(-1) ?? null,
    hosts: both(({ hosts }) => hosts),
    users: both(({ users }) => users),
    processes: both(({ processes }) => processes),
    addresses: both(({ addresses }) => addresses),
    files: both(({ files }) => files),
  };
}

function takeFinding(into: Finding, other: Finding): void {
  if (worse(other.level, into.level)) into.level = other.level;
  into.confidence = Math.max(into.confidence, other.confidence);
  into.lines.push(...other.lines.slice(0, maxLines - into.lines.length));
  into.count += other.count;
  if (into.evidence && other.evidence) into.evidence = joinEvidence(into.evidence, other.evidence);
  if (into.decoded ?? other.decoded)
    into.decoded = [...new Set([...(into.decoded ?? []), ...(other.decoded ?? [])])];
}

/** Its confidence is the one of the piece that it counts most in. */
function takeIndicator(into: Indicator, other: Indicator): void {
  into.confidence = Math.max(into.confidence, other.confidence);
  for (const offset of other.offsets) into.offsets.push(offset);
}

/** One entry a key: the first stays, and takes in the others. */
function takeAll<T>(
  known: Map<string, T>,
  items: readonly T[],
  keyOf: (item: T) => string,
  take: (into: T, other: T) => void,
): void {
  for (const item of items) {
    const into = known.get(keyOf(item));
    if (into) take(into, item);
    else known.set(keyOf(item), item);
  }
}

const linesOf = ({ text, lines }: TextPart): number =>
  lines + text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

/**
 * Takes in the reports of all pieces in turn. Theirs as one: severity and confidence of the worst, findings of one rule and
 * indicators of one value together, the worst findings first, a summary that tells of the whole; a single one stays as it is.
 */
export class JoinedReport {
  private worst: Outcome | null = null;
  private parts = 0;
  private lines = 0;
  private readonly findings = new Map<string, Finding>();
  private readonly indicators = new Map<string, Indicator>();
  private readonly techniques = new Map<string, Outcome['techniques'][number]>();
  private readonly ttps = new Set<string>();
  /** With the worst severity that each is for. */
  private readonly actions = new Map<string, Severity>();

  add(piece: TextPart, outcome: Outcome): void {
    const shifted = shift(outcome, piece);
    const { severity, confidence } = shifted;
    this.parts += 1;
    this.lines = linesOf(piece);
    if (
      !this.worst ||
      worse(severity, this.worst.severity) ||
      (severity === this.worst.severity && confidence > this.worst.confidence)
    )
      this.worst = shifted;
    takeAll(this.findings, shifted.findings, ({ rule_id }) => rule_id, takeFinding);
    takeAll(this.indicators, shifted.indicators, ({ type, value }) => `${type} ${value}`, takeIndicator);
    takeAll(
      this.techniques,
      shifted.techniques,
      ({ id }) => id,
      () => {},
    );
    for (const id of shifted.ttps) this.ttps.add(id);
    for (const action of shifted.recommended_actions) {
      const known = this.actions.get(action);
      if (!known || worse(severity, known)) this.actions.set(action, severity);
    }
  }

  /** Null: nothing was added. */
  report(): Outcome | null {
    const { worst } = this;
    if (!worst || this.parts === 1) return worst;
    const findings = [...this.findings.values()].sort(
      (a, b) => rank.indexOf(b.level) - rank.indexOf(a.level) || b.confidence - a.confidence,
    );
    const { summary_by: _, ...report } = {
      ...worst,
      indicators: [...this.indicators.values()],
      findings,
      ttps: [...this.ttps],
      recommended_actions: this.actionsOf(worst.severity),
      techniques: [...this.techniques.values()],
    };
    return { ...report, summary: this.summaryOf(report) };
  }

  /** Without those of harmless pieces, to do nothing, where another piece holds an attack. */
  private actionsOf(severity: Severity): string[] {
    return [...this.actions]
      .filter(([, each]) => each !== 'informational' || severity === 'informational')
      .sort(([, a], [, b]) => rank.indexOf(b) - rank.indexOf(a))
      .map(([action]) => action.replace(pieceLines, ''))
      .filter((action, at, all) => all.indexOf(action) === at);
  }

  private summaryOf(report: Outcome): string {
    const [top, ...others] = report.findings;
    const titleOf = ({ translation, title }: Finding) => translation?.title ?? title;
    const facts = {
      ...report,
      read: { lines: this.lines, parts: this.parts },
      findings: report.findings.length,
      top: top
        ? {
            ...top,
            title: titleOf(top),
            line: top.lines[0]?.line ?? 1,
            hosts: top.evidence?.hosts ?? [],
            users: top.evidence?.users ?? [],
            addresses: top.evidence?.addresses ?? [],
          }
        : null,
      others: [...new Set(others.map(titleOf))],
    };
    return reportSentences(facts, report.language);
  }
}
