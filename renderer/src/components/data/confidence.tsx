/** A confidence as a number and a short bar. */
import { percent } from '../../format/numbers.ts';
import { t } from '../../strings/t.ts';
import classes from './confidence.module.css';

export function Confidence({ value }: { value: number }) {
  const level = value >= 0.9 ? 'good' : value >= 0.6 ? 'fair' : 'low';
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
