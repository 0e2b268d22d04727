/** A confidence as a number and a short bar. `neutral` where colors already mean something else, as severities do. */
import { percent } from '../../format/numbers.ts';
import { t } from '../../strings/t.ts';
import classes from './confidence.module.css';

export function Confidence({ value, neutral }: { value: number; neutral?: boolean }) {
  const level = neutral ? 'neutral' : value >= 0.9 ? 'good' : value >= 0.6 ? 'fair' : 'low';
  return (
    <span
      className={classes.confidence}
      data-level={level}
      title={t('data.confidence', { value: percent(value) })}
    >
      <span className={`lk-bar ${classes.track}`} aria-hidden="true">
        <span className={classes.fill} style={{ width: percent(value) }} />
      </span>
      <span className="lk-num">{percent(value)}</span>
    </span>
  );
}
