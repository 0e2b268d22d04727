/** Which objects are shown: from which confidence on, and of which labels. */
import { Chip, Slider, Switch } from '@mantine/core';
import { percent } from '../../format/numbers.ts';
import { t } from '../../strings/t.ts';
import classes from './object-filter.module.css';
import { type LabelCount, labelWords, type ObjectFilter } from './seen-objects.ts';

interface ObjectFilterProps {
  labels: readonly LabelCount[];
  filter: ObjectFilter;
  onFilter: (filter: ObjectFilter) => void;
  named: boolean;
  onNamed: (named: boolean) => void;
}

export function ObjectFilterBar({ labels, filter, onFilter, named, onNamed }: ObjectFilterProps) {
  const toggle = (label: string) => {
    const hidden = new Set(filter.hidden);
    if (!hidden.delete(label)) hidden.add(label);
    onFilter({ ...filter, hidden });
  };
  return (
    <div className={classes.filter}>
      <div className={classes.confidence}>
        <span>{t('images.min_confidence', { value: percent(filter.minConfidence) })}</span>
        <Slider
          className={classes.slider}
          min={0}
          max={1}
          step={0.01}
          value={filter.minConfidence}
          label={null}
          thumbLabel={t('images.confidence_slider')}
          onChange={(minConfidence) => onFilter({ ...filter, minConfidence })}
        />
        <Switch
          label={t('images.show_labels')}
          checked={named}
          onChange={(event) => onNamed(event.currentTarget.checked)}
        />
      </div>
      <div className={classes.labels}>
        {labels.map(({ label, count }) => (
          <Chip key={label} size="xs" checked={!filter.hidden.has(label)} onChange={() => toggle(label)}>
            {labelWords(label)} {count}
          </Chip>
        ))}
      </div>
    </div>
  );
}
