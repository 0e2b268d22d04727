/** Settings that take effect while Lokal runs. Saved as a whole; only what changed is sent. */
import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Settings } from '../../../../server/api/console/console.ts';
import { Problem } from '../../api/problem.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { CopyButton } from '../../components/code/copy-button.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Page } from '../../components/frame/page.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { t } from '../../strings/t.ts';
import { AppearancePanel } from './appearance-panel.tsx';
import { EnginesPanel } from './engines-panel.tsx';
import { LimitsPanel } from './limits-panel.tsx';
import { NetworkPanel } from './network-panel.tsx';
import { ProtocolsPanel } from './protocols-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { checkSettings, rebase, toPatch } from './settings-form.ts';
import classes from './settings-page.module.css';
import { WorkPanel } from './work-panel.tsx';

export function SettingsPage() {
  const settings = useRead('GET /console/settings');
  usePartFromAddress(settings.isSuccess);
  return (
    <Page title={t('settings.title')} lead={t('settings.lead')}>
      <AppearancePanel />
      <WorkPanel />
      <ProblemNote error={settings.error} onRetry={() => void settings.refetch()} />
      {settings.data && <SettingsForm saved={settings.data} />}
      <SessionsPanel />
      <About />
    </Page>
  );
}

function About() {
  const state = useRead('GET /console/state').data;
  return (
    <Panel title={t('settings.about')} {...(state ? { note: `Lokal ${state.version}` } : {})}>
      {state && (
        <div className={classes.folder}>
          <span>{t('settings.data_folder')}</span>
          <span className="lk-mono">{state.data_folder}</span>
          <CopyButton value={state.data_folder} label={t('settings.copy_folder')} small />
          <p>{t('settings.data_folder_note')}</p>
        </div>
      )}
      <Link to="/about">{t('about.title')}</Link>
      {' · '}
      <Link to="/licences">{t('settings.licences_link')}</Link>
    </Panel>
  );
}

/** `?part=limits`: brings that part into view. */
function usePartFromAddress(ready: boolean): void {
  const part = useSearchParams()[0].get('part');
  useEffect(() => {
    if (ready && part) document.querySelector(`[data-part="${CSS.escape(part)}"]`)?.scrollIntoView();
  }, [ready, part]);
}

/** The form over what is saved, also where that changes elsewhere meanwhile. */
function useSettingsForm(saved: Settings) {
  const [form, setForm] = useState<Settings>({ ...saved, ...unsaved.patch });
  const [base, setBase] = useState(saved);
  const [isForeign, setForeign] = useState(false);
  if (base !== saved) {
    const next = rebase(form, base, saved);
    setBase(saved);
    setForm(next.form);
    setForeign(next.isForeign);
  }
  return { form, setForm, isForeign };
}

/** Changes outlast a visit to another page. */
const unsaved: { patch: Partial<Settings> } = { patch: {} };

function SettingsForm({ saved }: { saved: Settings }) {
  const { form, setForm, isForeign } = useSettingsForm(saved);
  const save = useChange('PATCH /console/settings', ['GET /console/settings']);
  const problems = checkSettings(form);
  // Kept work has a switch of its own, which takes effect at once.
  const patch = toPatch(saved, { ...form, work_history_days: saved.work_history_days });
  const dirty = Object.keys(patch).length > 0;
  useEffect(() => {
    unsaved.patch = patch;
  });
  const set = (change: Partial<Settings>) => {
    save.reset();
    setForm({ ...form, ...change });
  };
  const errorOf = (path: string) => {
    const problem = problems.get(path);
    if (problem) return t(`settings.problems.${problem.reason}`, problem.values);
    return save.error instanceof Problem && save.error.param === path ? save.error.message : null;
  };

  function submit(event: FormEvent) {
    event.preventDefault();
    if (dirty && problems.size === 0) save.mutate({ body: patch }, { onSuccess: setForm });
  }

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <LimitsPanel form={form} set={set} errorOf={errorOf} />
      <EnginesPanel form={form} set={set} errorOf={errorOf} />
      <NetworkPanel form={form} set={set} errorOf={errorOf} />
      <ProtocolsPanel form={form} set={set} errorOf={errorOf} />
      <ProblemNote error={save.error} />
      <div className={classes.foot} data-sticky={dirty || save.isSuccess || undefined}>
        <span role="status">
          {isForeign && `${t('settings.foreign')} `}
          {dirty ? t('settings.unsaved') : save.isSuccess ? t('settings.saved') : t('settings.unchanged')}
        </span>
        <Button variant="default" disabled={!dirty} onClick={() => setForm(saved)}>
          {t('settings.undo')}
        </Button>
        <Button type="submit" loading={save.isPending} disabled={!dirty || problems.size > 0}>
          {t('settings.save')}
        </Button>
      </div>
    </form>
  );
}
