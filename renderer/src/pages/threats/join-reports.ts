/** The reports of a long log's pieces, joined. Pure. */
import type { ThreatResult } from '../../../../server/api/services/moderations.ts';
import type { TextPart } from '../../format/text-pieces.ts';

type Outcome = ThreatResult['results'][number];
type Severity = Outcome['severity'];

const rank: Severity[] = ['informational', 'low', 'medium', 'high', 'critical'];
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

type Evidence = NonNullable<Outcome['findings'][number]['evidence']>;

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

/** One entry a key: the first stays, and takes in the others. */
function joinBy<T>(items: readonly T[], keyOf: (item: T) => string, take: (into: T, other: T) => T): T[] {
  const joined = new Map<string, T>();
  for (const item of items) {
    const known = joined.get(keyOf(item));
    joined.set(keyOf(item), known ? take(known, item) : item);
  }
  return [...joined.values()];
}

/**
 * The reports of all pieces as one: severity, confidence and summary of the worst piece, findings of one rule and indicators
 * of one value together, the worst findings first.
 */
export function joinReports(reports: readonly { piece: TextPart; outcome: Outcome }[]): Outcome {
  const all = reports.map(({ piece, outcome }) => shift(outcome, piece));
  const worst = all.reduce((a, b) =>
    worse(b.severity, a.severity) || (b.severity === a.severity && b.confidence > a.confidence) ? b : a,
  );
  const findings = joinBy(
    all.flatMap((each) => each.findings),
    ({ rule_id }) => rule_id,
    (into, other) => ({
      ...into,
      level: worse(other.level, into.level) ? other.level : into.level,
      confidence: Math.max(into.confidence, other.confidence),
      lines: [...into.lines, ...other.lines].slice(0, 100),
      count: into.count + other.count,
      ...(into.evidence && other.evidence && { evidence: joinEvidence(into.evidence, other.evidence) }),
      ...((into.decoded ?? other.decoded) && {
        decoded: [...new Set([...(into.decoded ?? []), ...(other.decoded ?? [])])],
      }),
    }),
  );
  const union = <T>(pick: (outcome: Outcome) => readonly T[]): T[] => [...new Set(all.flatMap(pick))];
  return {
    ...worst,
    indicators: joinBy(
      all.flatMap((each) => each.indicators),
      ({ type, value }) => `${type} ${value}`,
      (into, other) => ({ ...into, offsets: [...into.offsets, ...other.offsets] }),
    ),
    findings: findings.sort(
      (a, b) => rank.indexOf(b.level) - rank.indexOf(a.level) || b.confidence - a.confidence,
    ),
    ttps: union(({ ttps }) => ttps),
    recommended_actions: union(({ recommended_actions }) => recommended_actions),
    techniques: joinBy(
      all.flatMap((each) => each.techniques),
      ({ id }) => id,
      (into) => into,
    ),
  };
}
