import { MultiSelect, Select, Switch } from '@mantine/core';
import { regions } from '../../../../server/api/common.ts';
import type { Settings } from '../../../../server/api/console/console.ts';
import { Panel } from '../../components/frame/panel.tsx';
import { t } from '../../strings/t.ts';
import { NumberField } from './number-field.tsx';
import type { SettingsPartProps } from './part-props.ts';
import type { NumberName } from './settings-form.ts';
import classes from './settings-page.module.css';

const names = [
  'idle_unload_seconds',
  'memory_ceiling_mb',
  'threads',
  'max_queue',
  'engine_queue_seconds',
  'body_limit_mb',
  'request_log_rows',
] as const satisfies NumberName[];

const samplings = ['even', 'scene_changes'] as const satisfies Settings['video_frames'][];
const readers = ['rules', 'chat'] as const satisfies Settings['document_fields'][];
const summarists = ['rules', 'chat'] as const satisfies Settings['threat_summaries'][];

/** Memory, sleep, threads, queues. */
export function EnginesPanel({ form, set, errorOf }: SettingsPartProps) {
  return (
    <Panel part="engines" title={t('settings.engines')}>
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
        <Select
          label={t('settings.video_frames.label')}
          description={t('settings.video_frames.note')}
          data={samplings.map((value) => ({ value, label: t(`settings.video_frames.${value}`) }))}
          value={form.video_frames}
          allowDeselect={false}
          onChange={(value) => set({ video_frames: value as Settings['video_frames'] })}
        />
        <Select
          label={t('settings.threat_summaries.label')}
          description={t('settings.threat_summaries.note')}
          data={summarists.map((value) => ({ value, label: t(`settings.threat_summaries.${value}`) }))}
          value={form.threat_summaries}
          allowDeselect={false}
          onChange={(value) => set({ threat_summaries: value as Settings['threat_summaries'] })}
        />
        <Select
          label={t('settings.document_fields.label')}
          description={t('settings.document_fields.note')}
          data={readers.map((value) => ({ value, label: t(`settings.document_fields.${value}`) }))}
          value={form.document_fields}
          allowDeselect={false}
          onChange={(value) => set({ document_fields: value as Settings['document_fields'] })}
        />
        <MultiSelect
          label={t('settings.machine_regions.label')}
          description={t('settings.machine_regions.note')}
          data={regions.map((value) => ({ value, label: t(`settings.machine_regions.${value}`) }))}
          value={form.machine_regions}
          onChange={(value) => set({ machine_regions: value as Settings['machine_regions'] })}
        />
        <Switch
          label={t('settings.require_confinement.label')}
          description={t('settings.require_confinement.note')}
          checked={form.require_confinement}
          onChange={({ currentTarget }) => set({ require_confinement: currentTarget.checked })}
        />
      </div>
    </Panel>
  );
}
