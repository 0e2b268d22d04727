import { Panel } from '../../components/frame/panel.tsx';
import { t } from '../../strings/t.ts';
import { NumberField } from './number-field.tsx';
import type { NumberName } from './settings-form.ts';
import classes from './settings-page.module.css';
import type { PartProps } from './settings-page.tsx';

const names = [
  'idle_unload_seconds',
  'memory_ceiling_mb',
  'threads',
  'max_queue',
  'body_limit_mb',
  'request_log_rows',
] as const satisfies NumberName[];

/** Memory, sleep, threads, queues. */
export function EnginesPanel({ form, set, errorOf }: PartProps) {
  return (
    <Panel title={t('settings.engines')}>
      <div className={classes.grid}>
        {names.map((name) => (
          <NumberField
            key={name}
            label={t(`settings.numbers.${name}.label`)}
            description={t(`settings.numbers.${name}.note`)}
            value={form[name]}
            error={errorOf(name)}
            onChange={(value) => set({ [name]: value })}
          />
        ))}
      </div>
    </Panel>
  );
}
