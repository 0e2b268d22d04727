import { Panel } from '../../components/frame/panel.tsx';
import { t } from '../../strings/t.ts';
import { NumberField } from './number-field.tsx';
import type { SettingsPartProps } from './part-props.ts';
import { callPlans, limitNames, limitPlans } from './settings-form.ts';
import classes from './settings-page.module.css';

/** Each plan's limits in a minute, and at once. */
export function LimitsPanel({ form, set, errorOf }: SettingsPartProps) {
  return (
    <Panel part="limits" title={t('settings.limits')} note={t('settings.limits_note')} flush>
      <div style={{ padding: 14 }}>
        <table className={`lk-cards ${classes.limits}`}>
          <thead>
            <tr>
              <th scope="col">{t('settings.plan')}</th>
              {limitNames.map((name) => (
                <th key={name} scope="col">
                  {t(`settings.limit_names.${name}`)}
                </th>
              ))}
              <th scope="col">{t('settings.call_seconds')}</th>
            </tr>
          </thead>
          <tbody>
            {limitPlans.map((plan) => (
              <tr key={plan}>
                <th scope="row">{t(`settings.plans.${plan}`)}</th>
                {limitNames.map((name) => (
                  <td key={name} data-label={t(`settings.limit_names.${name}`)}>
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
                {isCallPlan(plan) ? (
                  <td data-label={t('settings.call_seconds')}>
                    <CallSeconds plan={plan} form={form} set={set} errorOf={errorOf} />
                  </td>
                ) : (
                  <td />
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

type CallPlan = (typeof callPlans)[number];
const isCallPlan = (plan: string): plan is CallPlan => callPlans.some((each) => each === plan);

/** The longest that an engine works on one request; test keys have no engine. */
function CallSeconds({ plan, form, set, errorOf }: SettingsPartProps & { plan: CallPlan }) {
  return (
    <NumberField
      quiet
      label={`${t(`settings.plans.${plan}`)}: ${t('settings.call_seconds')}`}
      value={form.call_seconds[plan]}
      error={errorOf(`call_seconds.${plan}`)}
      onChange={(value) => set({ call_seconds: { ...form.call_seconds, [plan]: value } })}
    />
  );
}
