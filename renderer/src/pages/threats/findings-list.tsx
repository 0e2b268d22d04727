import { CopyButton } from '../../components/code/copy-button.tsx';
import { Empty } from '../../components/feedback/empty.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { t } from '../../strings/t.ts';
import { concerned } from './evidence.ts';
import classes from './findings-list.module.css';
import { type Finding, wordsOf } from './indicators.ts';
import { toLineText } from './line-text.ts';
import { toLineNumbers } from './log-lines.ts';
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
              <span className={classes.title}>{wordsOf(finding).title}</span>
              <span className={classes.lines}>{toLineText(finding)}</span>
              {wordsOf(finding).description && (
                <span className={classes.description}>{wordsOf(finding).description}</span>
              )}
              {finding.evidence && (
                <span className={classes.description}>
                  {concerned(finding.evidence)
                    .map(([label, value]) => `${label}: ${value}`)
                    .join(' · ')}
                </span>
              )}
              <span className={`lk-mono ${classes.rule}`}>
                {[t(`threats.sources.${finding.source}`), ...idOf(finding), ...finding.ttps].join(' · ')}
                {finding.author && ` · ${finding.author}`}
              </span>
            </button>
            {newIn(findings, index).map((command) => (
              <figure key={command} className={classes.decoded}>
                <figcaption>
                  {t('threats.decoded')}
                  <CopyButton value={command} label={t('threats.copy_decoded')} small />
                </figcaption>
                <code className="lk-mono">{command}</code>
              </figure>
            ))}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** Rules of the Sigma collection are named by a UUID, which tells a person nothing. */
const idOf = ({ rule_id }: Finding): string[] =>
  /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(rule_id) ? [] : [rule_id];

/** One line often has many findings: its commands stand under the first of them. */
function newIn(findings: readonly Finding[], index: number): string[] {
  const before = new Set(findings.slice(0, index).flatMap(({ decoded = [] }) => decoded));
  return (findings[index]?.decoded ?? []).filter((command) => !before.has(command));
}
