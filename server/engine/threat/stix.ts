/** STIX 2.1 bundle of an answer. Pure and deterministic: the same analysis and time give the same bytes. */
import { createHash } from 'node:crypto';
import type { Analysis, Indicator } from './analysis.ts';

/** The namespace STIX 2.1 (section 2.9) gives for deterministic identifiers. */
const NAMESPACE = Buffer.from('00abedb4aa42466c9c01fed23315a9b7', 'hex');

interface StixObject {
  type: string;
  id: string;
  [property: string]: unknown;
}

/** RFC 9562 version 5: SHA-1 over namespace and name. */
export function uuid5(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name, 'utf8').digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** A STIX pattern, or null for what the pattern language has no object for. */
function pattern({ type, value }: Indicator): string | null {
  switch (type) {
    case 'ip':
      return `[${value.includes(':') ? 'ipv6' : 'ipv4'}-addr:value = ${quote(value)}]`;
    case 'domain':
      return `[domain-name:value = ${quote(value)}]`;
    case 'url':
      return `[url:value = ${quote(value)}]`;
    case 'email':
      return `[email-addr:value = ${quote(value)}]`;
    case 'mac':
      return `[mac-addr:value = ${quote(value)}]`;
    case 'md5':
      return `[file:hashes.MD5 = ${quote(value)}]`;
    case 'sha1':
      return `[file:hashes.'SHA-1' = ${quote(value)}]`;
    case 'sha256':
      return `[file:hashes.'SHA-256' = ${quote(value)}]`;
    case 'file_path':
      return `[file:name = ${quote(value.split(/[\\/]/u).at(-1) ?? value)}]`;
    case 'registry_key':
      return `[windows-registry-key:key = ${quote(value)}]`;
    case 'process':
      return `[process:command_line LIKE ${quote(`%${value}%`)}]`;
    case 'user':
      return `[user-account:account_login = ${quote(value)}]`;
    default:
      return null;
  }
}

/** Pattern and technique of every indicator that stands on a line of a finding. */
function relate({ indicators, findings }: Analysis): [pattern: string, technique: string][] {
  const pairs = new Map<string, [string, string]>();
  for (const indicator of indicators) {
    const text = pattern(indicator);
    if (text === null) continue;
    for (const finding of findings) {
      const shared = indicator.offsets.some(({ start, end }) =>
        finding.lines.some((line) => start >= line.start && end <= line.end),
      );
      if (shared) for (const id of finding.ttps) pairs.set(`${text}\u0000${id}`, [text, id]);
    }
  }
  return [...pairs.values()];
}

export interface StixParams {
  analysis: Analysis;
  /** Time of the objects, milliseconds since 1970. */
  createdMs?: number;
}

export function toStix({ analysis, createdMs = 0 }: StixParams): {
  type: 'bundle';
  id: string;
  objects: StixObject[];
} {
  const created = new Date(createdMs).toISOString();
  const make = (type: string, key: string, rest: Record<string, unknown>): StixObject => ({
    type,
    spec_version: '2.1',
    id: `${type}--${uuid5(`${type}:${key}`)}`,
    created,
    modified: created,
    ...rest,
  });
  const identity = make('identity', 'Lokal', { name: 'Lokal threat analysis', identity_class: 'system' });
  const attacks = analysis.techniques.map(({ id, name, tactics }) =>
    make('attack-pattern', id, {
      name,
      external_references: [
        {
          source_name: 'mitre-attack',
          external_id: id,
          url: `https://attack.mitre.org/techniques/${id.replace('.', '/')}`,
        },
      ],
      kill_chain_phases: tactics.map((phase_name) => ({ kill_chain_name: 'mitre-attack', phase_name })),
    }),
  );
  const indicators = analysis.indicators.flatMap((indicator) => {
    const text = pattern(indicator);
    if (text === null || indicator.confidence < 0.3) return [];
    return [
      make('indicator', text, {
        name: `${indicator.type}: ${indicator.value}`,
        pattern: text,
        pattern_type: 'stix',
        valid_from: created,
        confidence: Math.round(indicator.confidence * 100),
        indicator_types: ['unknown'],
      }),
    ];
  });
  const courses = analysis.recommendedActions.map((text) =>
    make('course-of-action', text, { name: text.slice(0, 120), description: text }),
  );
  const relationships = relate(analysis).flatMap(([text, id]) => {
    const source = indicators.find((object) => object.pattern === text);
    const target = attacks.find((object) => object.id === `attack-pattern--${uuid5(`attack-pattern:${id}`)}`);
    if (source === undefined || target === undefined) return [];
    const ends = { source_ref: source.id, target_ref: target.id };
    return [make('relationship', `${source.id}:${target.id}`, { relationship_type: 'indicates', ...ends })];
  });
  const objects = [...attacks, ...indicators, ...courses, ...relationships];
  const report = make('report', JSON.stringify([analysis.summary, objects.map(({ id }) => id)]), {
    name: `Threat analysis: ${analysis.severity}`,
    description: analysis.summary,
    published: created,
    report_types: ['threat-report'],
    object_refs: [identity.id, ...objects.map(({ id }) => id)],
    confidence: Math.round(analysis.confidence * 100),
  });
  const named = [identity, ...objects, report].map((object) =>
    object.type === 'identity' ? object : { ...object, created_by_ref: identity.id },
  );
  return { type: 'bundle', id: `bundle--${uuid5(`bundle:${report.id}`)}`, objects: named };
}
