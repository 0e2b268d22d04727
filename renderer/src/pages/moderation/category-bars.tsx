/** Fourteen scores as bars, each with a threshold that can be dragged or moved by the arrow keys. */
import { Button } from '@mantine/core';
import { IconFlagFilled } from '@tabler/icons-react';
import type { ModerationCategory } from '../../../../server/api/services/moderations.ts';
import { Panel } from '../../components/frame/panel.tsx';
import { percent, score as toScore } from '../../format/numbers.ts';
import { t } from '../../strings/t.ts';
import { categories, type SafetyOutcome, type Thresholds } from './categories.ts';
import classes from './category-bars.module.css';

interface CategoryBarsProps {
  outcome: SafetyOutcome | null;
  thresholds: Thresholds;
  /** The pack's own. */
  defaults: Thresholds;
  onThresholds: (thresholds: Thresholds) => void;
  busy: boolean;
}

export function CategoryBars({ outcome, thresholds, defaults, onThresholds, busy }: CategoryBarsProps) {
  return (
    <Panel
      title={t('moderation.categories')}
      note={outcome && <Verdict flagged={outcome.flagged} />}
      actions={
        <Button
          variant="default"
          disabled={Object.keys(thresholds).length === 0}
          onClick={() => onThresholds({})}
        >
          {t('moderation.reset')}
        </Button>
      }
    >
      <div className={classes.bars} data-busy={busy || undefined}>
        {categories.map((name) => (
          <Bar
            key={name}
            name={name}
            score={outcome?.category_scores[name] ?? null}
            flagged={outcome?.categories[name]?.flagged ?? false}
            threshold={thresholds[name] ?? null}
            standard={defaults[name] ?? null}
            onThreshold={(value) => onThresholds({ ...thresholds, [name]: value })}
          />
        ))}
      </div>
      <p className={classes.note}>{t('moderation.threshold_note')}</p>
    </Panel>
  );
}

function Verdict({ flagged }: { flagged: boolean }) {
  return (
    <span className={classes.verdict} data-flagged={flagged || undefined} role="status">
      {t(flagged ? 'moderation.flagged' : 'moderation.not_flagged')}
    </span>
  );
}

interface BarProps {
  name: ModerationCategory;
  score: number | null;
  flagged: boolean;
  /** null: the pack's own. */
  threshold: number | null;
  /** The pack's own, where it is known. */
  standard: number | null;
  onThreshold: (value: number) => void;
}

function Bar({ name, score, flagged, threshold, standard, onThreshold }: BarProps) {
  const label = t(`moderation.names.${name}`);
  const own =
    standard === null
      ? t('moderation.pack_threshold')
      : t('moderation.pack_threshold_at', { value: toScore(standard) });
  const meaning = threshold === null ? own : toScore(threshold);
  return (
    <div className={classes.row} data-flagged={flagged || undefined} data-testid={`category-${name}`}>
      <span className={classes.name}>
        {flagged && <IconFlagFilled size={13} aria-label={t('moderation.flagged')} />}
        {label}
      </span>
      <span className={`lk-bar ${classes.track}`}>
        <span className={classes.fill} style={{ width: percent(score ?? 0) }} />
        <input
          type="range"
          className={classes.threshold}
          data-own={threshold !== null || undefined}
          min={0}
          max={1}
          step={0.01}
          value={threshold ?? standard ?? 0.5}
          aria-label={t('moderation.threshold', { name: label })}
          aria-valuetext={meaning}
          title={meaning}
          onChange={(event) => onThreshold(Number(event.currentTarget.value))}
        />
      </span>
      <span className={`lk-num ${classes.score}`}>
        {score === null ? '–' : toScore(score)}
        {threshold !== null && <span className={classes.own}> / {toScore(threshold)}</span>}
      </span>
    </div>
  );
}
