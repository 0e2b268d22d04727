/** The places painted over and left, as a page for people and as JSON; neither holds the text itself. Pure. */
import type { RedactResult } from '../../../../../server/api/services/redaction.ts';
import { count } from '../../../format/numbers.ts';
import { toMinute } from '../../../format/time.ts';
import { currentLocale } from '../../../strings/language.ts';
import { t } from '../../../strings/t.ts';
import { type Rule, ruleOf, type Target, targetName } from './redaction-plan.ts';

export interface ReportFile {
  name: string;
  /** Lower-case hexadecimal. */
  sha256: string;
}

export interface RedactionRecord {
  source: ReportFile;
  result: ReportFile;
  madeAtMs: number;
  painted: readonly Target[];
  /** Found, and left as it stood. */
  left: readonly Target[];
  check: RedactResult['check'];
}

export interface ReportRow {
  page: number;
  kind: string;
  rule: Rule;
  count: number;
}

/** One row a page, kind and rule, in the order of the pages. */
export function toReportRows(targets: readonly Target[]): ReportRow[] {
  const rows = new Map<string, ReportRow>();
  for (const target of targets) {
    const rule = ruleOf(target);
    const kind = rule === 'drawn' ? t('documents.redact_rules.drawn') : targetName(target);
    const key = `${target.page} ${rule} ${kind}`;
    const row = rows.get(key) ?? { page: target.page, kind, rule, count: 0 };
    rows.set(key, { ...row, count: row.count + 1 });
  }
  return [...rows.values()].sort((a, b) => a.page - b.page || a.kind.localeCompare(b.kind));
}

export const redactionJson = ({ source, result, madeAtMs, painted, left, check }: RedactionRecord): string =>
  JSON.stringify(
    {
      source,
      result,
      created: new Date(madeAtMs).toISOString(),
      redactions: painted.map((target) => ({
        rule: ruleOf(target),
        label: target.label,
        page: target.page,
        bbox: target.bbox,
      })),
      left: left.map((target) => ({ rule: ruleOf(target), label: target.label, page: target.page })),
      check,
    },
    null,
    2,
  );

const escapeHtml = (text: string): string =>
  text.replace(
    /[&<>"]/g,
    (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[mark] ?? mark,
  );

function table(rows: readonly ReportRow[]): string {
  if (rows.length === 0) return `<p>${escapeHtml(t('documents.redact_report_none'))}</p>`;
  const head = ['page', 'kind', 'count', 'rule'] as const;
  const cells = rows.map(
    ({ page, kind, rule, count: number }) =>
      `<tr><td>${page}</td><td>${escapeHtml(kind)}</td><td>${count(number)}</td><td>${escapeHtml(t(`documents.redact_rules.${rule}`))}</td></tr>`,
  );
  const titles = head.map((each) => `<th>${escapeHtml(t(`documents.redact_columns.${each}`))}</th>`).join('');
  return `<table><thead><tr>${titles}</tr></thead><tbody>${cells.join('')}</tbody></table>`;
}

const style =
  'body{font:14px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color:#191e23}table{border-collapse:collapse;width:100%}th,td{padding:4px 10px;border:1px solid #c9d0d8;text-align:left}dt{font-weight:600}dd{margin:0 0 .5rem;overflow-wrap:anywhere}';

/** A page that opens, reads and prints without anything beside it. */
export function redactionHtml(record: RedactionRecord): string {
  const { source, result, painted, left, check } = record;
  const facts: [string, string][] = [
    [t('documents.redact_report_source'), `${source.name} · SHA-256 ${source.sha256}`],
    [t('documents.redact_report_result'), `${result.name} · SHA-256 ${result.sha256}`],
    [t('documents.redact_report_made'), toMinute(record.madeAtMs / 1000)],
    ...(check?.passed
      ? [[t('documents.redact_report_check'), t('documents.redact_report_passed')] as [string, string]]
      : []),
  ];
  const title = escapeHtml(t('documents.redact_report_title'));
  return `<!doctype html>
<html lang="${currentLocale()}"><head><meta charset="utf-8"><title>${title}</title><style>${style}</style></head><body>
<h1>${title}</h1>
<dl>${facts.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>
<h2>${escapeHtml(t('documents.redact_report_painted'))} (${count(painted.length)})</h2>
${table(toReportRows(painted))}
<h2>${escapeHtml(t('documents.redact_report_left'))} (${count(left.length)})</h2>
${table(toReportRows(left))}
</body></html>
`;
}
