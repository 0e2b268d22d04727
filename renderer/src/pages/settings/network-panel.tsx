import { Select, Switch, TagsInput } from '@mantine/core';
import type { Settings } from '../../../../server/api/console/console.ts';
import { Panel } from '../../components/frame/panel.tsx';
import { t } from '../../strings/t.ts';
import type { SettingsPartProps } from './part-props.ts';
import classes from './settings-page.module.css';

const modes = ['off', 'allowlist', 'any'] as const;

/** The only settings that let anything in or out of this machine. */
export function NetworkPanel({ form, set, errorOf }: SettingsPartProps) {
  return (
    <Panel part="network" title={t('settings.network')} note={t('settings.network_note')}>
      <div className={classes.grid}>
        <Switch
          label={t('settings.sealed')}
          description={t('settings.sealed_note')}
          checked={form.sealed}
          onChange={({ currentTarget: { checked: sealed } }) =>
            set(sealed ? { sealed, url_fetch: 'off' } : { sealed })
          }
        />
        <Select
          disabled={form.sealed}
          label={t('settings.url_fetch')}
          description={t('settings.url_fetch_note')}
          data={modes.map((value) => ({ value, label: t(`settings.url_modes.${value}`) }))}
          value={form.url_fetch}
          allowDeselect={false}
          onChange={(value) => set({ url_fetch: (value ?? 'off') as Settings['url_fetch'] })}
        />
        <TagsInput
          label={t('settings.url_allowlist')}
          description={t('settings.url_allowlist_note')}
          value={form.url_allowlist}
          error={errorOf('url_allowlist')}
          splitChars={[',', ' ']}
          acceptValueOnBlur
          onChange={(url_allowlist) => set({ url_allowlist })}
        />
        <TagsInput
          label={t('settings.cors')}
          description={t('settings.cors_note')}
          value={form.cors_origins}
          error={errorOf('cors_origins')}
          splitChars={[',', ' ']}
          acceptValueOnBlur
          onChange={(cors_origins) => set({ cors_origins })}
        />
      </div>
    </Panel>
  );
}
