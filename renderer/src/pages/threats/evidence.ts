/** Evidence of a finding in words: its time, and who and what was concerned. */
import { toCsv } from '../../export/csv.ts';
import { t } from '../../strings/t.ts';
import { defang, type Finding } from './indicators.ts';
import { toLineNumbers, toRanges } from './log-lines.ts';

type Evidence = NonNullable<Finding['evidence']>;

/** `2026-10-10 08:21:07Z`, as logs write it; a span where there are two. */
function timeSpan({ first_seen, last_seen }: Evidence): string {
  const short = (time: string) => time.replace('T', ' ').replace(/\.\d+Z$/, 'Z');
  if (!first_seen || !last_seen) return '';
  return first_seen === last_seen ? short(first_seen) : `${short(first_seen)} – ${short(last_seen)}`;
}

/** Label and value of all that is known; addresses are defanged. */
export function concerned(evidence: Evidence): [label: string, value: string][] {
  const { hosts, users, processes, addresses, files } = evidence;
  const rows: [string, string][] = [
    [t('threats.time'), timeSpan(evidence)],
    [t('threats.addresses'), addresses.map((value) => defang({ type: 'ip', value })).join(', ')],
    [t('threats.accounts'), users.join(', ')],
    [t('threats.hosts'), hosts.join(', ')],
    [t('threats.programs'), processes.join(', ')],
    [t('threats.files'), files.join(', ')],
  ];
  return rows.filter(([, value]) => value !== '');
}

/** Findings with their evidence, one a row. */
export const findingsCsv = (findings: readonly Finding[], file: string | null): string =>
  toCsv([
    ['file', 'level', 'title', 'confidence', 'techniques', 'lines', 'count', 'first_seen', 'last_seen']
      .concat(['addresses', 'users', 'hosts', 'processes', 'files', 'excerpt'])
      .concat(['rule_id']),
    ...findings.map(({ evidence, ...finding }) => [
      file,
      finding.level,
      finding.title,
      finding.confidence,
      finding.ttps.join(' '),
      toRanges(toLineNumbers(finding)).join(' '),
      finding.count,
      evidence?.first_seen ?? null,
      evidence?.last_seen ?? null,
      ...[evidence?.addresses, evidence?.users, evidence?.hosts, evidence?.processes, evidence?.files].map(
        (values) => (values ?? []).join(' '),
      ),
      (evidence?.excerpts ?? []).map(({ text }) => text).join('\n'),
      finding.rule_id,
    ]),
  ]);
