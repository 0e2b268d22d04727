/**
 * An analysis as a STIX 2.1 bundle (OASIS, https://docs.oasis-open.org/cti/stix/v2.1/): report, indicators, techniques, what
 * indicates what, actions.
 */
import type { Finding, Indicator, ThreatOutcome } from './indicators.ts';

type StixObject = { type: string; id: string } & Record<string, unknown>;

interface StixOptions {
  now?: Date;
  /** A new UUID a call. */
  uuid?: () => string;
}

export function toStixBundle(
  outcome: ThreatOutcome,
  { now = new Date(), uuid = () => crypto.randomUUID() }: StixOptions = {},
): object {
  const time = now.toISOString();
  const make = (type: string, fields: Record<string, unknown>): StixObject => ({
    type,
    spec_version: '2.1',
    id: `${type}--${uuid()}`,
    created: time,
    modified: time,
    ...fields,
  });
  const author = make('identity', { name: 'Lokal', identity_class: 'system' });
  const by = { created_by_ref: author.id };
  const indicators = new Map<Indicator, StixObject>();
  for (const indicator of outcome.indicators) {
    const pattern = toPattern(indicator);
    if (!pattern) continue;
    const confidence = Math.round(indicator.confidence * 100);
    const fields = {
      name: indicator.value,
      pattern,
      pattern_type: 'stix',
      valid_from: time,
      indicator_types: ['unknown'],
      confidence,
      ...by,
    };
    indicators.set(indicator, make('indicator', fields));
  }
  const techniques = outcome.techniques.map(({ id, name, tactics }) =>
    make('attack-pattern', {
      name,
      external_references: [
        {
          source_name: 'mitre-attack',
          external_id: id,
          url: `https://attack.mitre.org/techniques/${id.replace('.', '/')}/`,
        },
      ],
      kill_chain_phases: tactics.map((phase_name) => ({ kill_chain_name: 'mitre-attack', phase_name })),
      ...by,
    }),
  );
  const relationships = [...indicators].flatMap(([indicator, source]) => {
    const ids = new Set(findingsAt(indicator, outcome.findings).flatMap(({ ttps }) => ttps));
    const targets = techniques.filter((_, index) => ids.has(outcome.techniques[index]?.id ?? ''));
    return targets.map((target) =>
      make('relationship', {
        relationship_type: 'indicates',
        source_ref: source.id,
        target_ref: target.id,
        ...by,
      }),
    );
  });
  const actions = outcome.recommended_actions.map((name) => make('course-of-action', { name, ...by }));
  const contents = [author, ...indicators.values(), ...techniques, ...relationships, ...actions];
  const report = make('report', {
    name: outcome.summary.slice(0, 120) || outcome.severity,
    description: outcome.summary,
    published: time,
    report_types: ['threat-report'],
    confidence: Math.round(outcome.confidence * 100),
    object_refs: contents.map(({ id }) => id),
    ...by,
  });
  return { type: 'bundle', id: `bundle--${uuid()}`, objects: [...contents, report] };
}

/** Findings with a line on which the indicator stands. */
const findingsAt = ({ offsets }: Indicator, findings: Finding[]): Finding[] =>
  findings.filter(({ lines }) =>
    lines.some((line) => offsets.some(({ start, end }) => start >= line.start && end <= line.end)),
  );

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** The comparison expression of an indicator, or null where STIX has no object for its type. */
export function toPattern({ type, value }: Pick<Indicator, 'type' | 'value'>): string | null {
  const text = quote(value);
  switch (type) {
    case 'ip':
      return `[${value.includes(':') ? 'ipv6' : 'ipv4'}-addr:value = ${text}]`;
    case 'domain':
      return `[domain-name:value = ${text}]`;
    case 'url':
      return `[url:value = ${text}]`;
    case 'email':
      return `[email-addr:value = ${text}]`;
    case 'md5':
      return `[file:hashes.MD5 = ${text}]`;
    case 'sha1':
      return `[file:hashes.'SHA-1' = ${text}]`;
    case 'sha256':
      return `[file:hashes.'SHA-256' = ${text}]`;
    case 'file_path':
      return `[file:name = ${quote(value.split(/[\\/]/).at(-1) || value)}]`;
    case 'registry_key':
      return `[windows-registry-key:key = ${text}]`;
    case 'process':
      return `[process:command_line = ${text}]`;
    case 'user':
      return `[user-account:account_login = ${text}]`;
    case 'mac':
      return `[mac-addr:value = ${text}]`;
    default:
      return null;
  }
}
