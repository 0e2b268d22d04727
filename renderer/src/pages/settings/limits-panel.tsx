import { Panel } from '../../components/frame/panel.tsx';
import { t } from '../../strings/t.ts';
import { NumberField } from './number-field.tsx';
import type { SettingsPartProps } from './part-props.ts';
import { limitNames, limitPlans } from './settings-form.ts';
import classes from './settings-page.module.css';

/** Each plan's limits in a minute, and at once. */
export function LimitsPanel({ form, set, errorOf }: SettingsPartProps) {
  return (
    <Panel title={t('settings.limits')} note={t('settings.limits_note')} flush>
      <div style={{ padding: 14 }}>
        <table className={classes.limits}>
          <thead>
            <tr>
              <th scope="col">{t('settings.plan')}</th>
              {limitNames.map((name) => (
                <th key={name} scope="col">
                  {t(`settings.limit_names.${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {limitPlans.map((plan) => (
              <tr key={plan}>
                <th scope="row">{t(`settings.plans.${plan}`)}</th>
                {limitNames.map((name) => (
                  <td key={name}>
                    <NumberField
                      quiet
                      label={`${t(`settings.plans.${plan}`)}: ${t(`settings.limit_names.${name}`)}`}
                      value={form.limits[plan][name]}
                      error={errorOf(`limits.${plan}.${name}`)}
                      onChange={(value) =>
                        set({ limits: { ...form.limits, [plan]: { ...form.limits[plan], [name]: value } } })
                      }
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
