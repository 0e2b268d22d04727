import { Empty } from '../../components/feedback/empty.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { t, tn } from '../../strings/t.ts';
import classes from './findings-list.module.css';
import type { Finding } from './indicators.ts';
import { toLineNumbers, toRanges } from './log-lines.ts';
import { SeverityBadge } from './severity-badge.tsx';

/** Findings as the server ranks them; each leads to its lines. */
export function FindingsList({
  findings,
  onLines,
}: {
  findings: Finding[];
  onLines: (lines: number[]) => void;
}) {
  return (
    <Panel title={t('threats.findings')} note={findings.length} flush>
      {findings.length === 0 && (
        <Empty title={t('threats.no_findings')} text={t('threats.no_findings_note')} />
      )}
      <ol className={classes.list}>
        {findings.map((finding, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule may be found twice; the rank is its place
          <li key={index}>
            <button type="button" className={classes.finding} onClick={() => onLines(toLineNumbers(finding))}>
              <SeverityBadge level={finding.level} />
              <span className={classes.title}>{finding.title}</span>
              <span className={classes.lines}>{toLineText(toLineNumbers(finding), finding.count)}</span>
              {finding.description && <span className={classes.description}>{finding.description}</span>}
              <span className={`lk-mono ${classes.rule}`}>
                {[t(`threats.sources.${finding.source}`), finding.rule_id, ...finding.ttps].join(' · ')}
                {finding.author && ` · ${finding.author}`}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

const shownRanges = 4;

function toLineText(lines: number[], count: number): string {
  if (lines.length === 0) return '';
  const ranges = toRanges(lines);
  const shown = ranges.slice(0, shownRanges).join(', ');
  const text = t(lines.length === 1 ? 'threats.line' : 'threats.lines', {
    lines: ranges.length > shownRanges ? `${shown} …` : shown,
  });
  return count > lines.length ? `${text} · ${tn('threats.times', count)}` : text;
}
