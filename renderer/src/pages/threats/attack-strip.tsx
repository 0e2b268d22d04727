/** Techniques in the order of an attack: one column a tactic, as in the ATT&CK matrix. */
import { Panel } from '../../components/frame/panel.tsx';
import { t } from '../../strings/t.ts';
import classes from './attack-strip.module.css';
import { toColumns } from './attack-tactics.ts';
import { type ThreatOutcome, wordsOf } from './indicators.ts';
import { toLineNumbers } from './log-lines.ts';

export function AttackStrip({
  outcome,
  onLines,
}: {
  outcome: ThreatOutcome;
  onLines: (lines: number[]) => void;
}) {
  if (outcome.techniques.length === 0) return null;
  const findingsOf = (id: string) => outcome.findings.filter(({ ttps }) => ttps.includes(id));
  return (
    <Panel
      title={t('threats.attack')}
      note={t('threats.attack_version', { version: outcome.attack_version })}
      flush
    >
      <div className={classes.strip}>
        {toColumns(outcome.techniques).map(({ tactic, techniques }) => (
          <div key={tactic} className={classes.column}>
            <div className={classes.tactic}>{t(`threats.tactics.${tactic}`)}</div>
            {techniques.map(({ id, name }) => (
              <button
                key={id}
                type="button"
                className={classes.technique}
                title={findingsOf(id)
                  .map((finding) => wordsOf(finding).title)
                  .join('\n')}
                onClick={() => onLines(findingsOf(id).flatMap(toLineNumbers))}
              >
                <span className="lk-mono">{id}</span>
                {name}
              </button>
            ))}
          </div>
        ))}
      </div>
    </Panel>
  );
}
