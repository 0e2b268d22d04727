/** The log with its lines numbered, those of findings colored, indicators worth following up marked; scrolls to the lines asked for. */
import { useEffect, useMemo, useRef } from 'react';
import { isWorthFollowing } from '../../../../server/api/services/worth-following.ts';
import { Panel } from '../../components/frame/panel.tsx';
import { t } from '../../strings/t.ts';
import { defang, type Indicator, type ThreatOutcome } from './indicators.ts';
import { type LogLine, levelsByLine, toLines, toParts } from './log-lines.ts';
import classes from './log-view.module.css';

interface LogViewProps {
  text: string;
  outcome: ThreatOutcome;
  /** Lines of the finding that was asked for. */
  focus: number[];
}

export function LogView({ text, outcome, focus }: LogViewProps) {
  const lines = useMemo(() => toLines(text.replace(/\s+$/, '')), [text]);
  const marked = useMemo(() => outcome.indicators.filter(isWorthFollowing), [outcome]);
  const levels = useMemo(() => levelsByLine(outcome.findings), [outcome]);
  const list = useRef<HTMLOListElement>(null);
  const first = focus[0];

  useEffect(() => {
    if (first === undefined) return;
    list.current?.children[first - 1]?.scrollIntoView({ block: 'center', behavior: 'smooth' });
  }, [first]);

  return (
    <Panel title={t('threats.log')} flush className={classes.panel ?? ''}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to take the keyboard's focus */}
      <ol className={classes.log} ref={list} tabIndex={0} aria-label={t('threats.log')}>
        {lines.map((line) => (
          <li
            key={line.number}
            className={classes.line}
            data-level={levels.get(line.number)}
            data-focus={focus.includes(line.number) || undefined}
          >
            <span className={classes.number}>{line.number}</span>
            <Line line={line} marked={marked} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function Line({ line, marked }: { line: LogLine; marked: readonly Indicator[] }) {
  return (
    <span className={classes.text}>
      {toParts(line, marked).map(({ text, indicator }, index) =>
        indicator ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the line
          <mark key={index} title={`${t(`threats.types.${indicator.type}`)}: ${defang(indicator)}`}>
            {text}
          </mark>
        ) : (
          text
        ),
      )}
    </span>
  );
}
