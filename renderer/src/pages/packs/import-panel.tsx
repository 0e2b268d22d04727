/** Import from this machine: a model's folder or file, named by its path, since the server reads it in place. */
import { Button, Progress, Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useConsoleEvents } from '../../api/api-context.tsx';
import { useChange } from '../../api/queries.ts';
import { notifyDone } from '../../components/feedback/notify.ts';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { percent } from '../../format/numbers.ts';
import { t } from '../../strings/t.ts';
import classes from './import-panel.module.css';

const presets = ['quality', 'speed', 'exact', 'float32'] as const;
type Preset = (typeof presets)[number];

export function ImportPanel() {
  const [path, setPath] = useState('');
  const [preset, setPreset] = useState<Preset>('quality');
  const [phase, setPhase] = useState<{ phase: string; done: number } | null>(null);
  const load = useChange('POST /console/packs/import', ['GET /console/packs', 'GET /console/state']);

  useConsoleEvents((event) => {
    if (event.type === 'import' && event.path === path.trim())
      setPhase({ phase: event.phase, done: event.done });
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!path.trim()) return;
    setPhase(null);
    load.mutate(
      { body: { path: path.trim(), preset } },
      {
        onSuccess: (pack) => {
          notifyDone(t('packs.imported', { name: pack.name }));
          setPath('');
        },
      },
    );
  }

  return (
    <Panel title={t('packs.import')} note={t('packs.import_note')}>
      <form className={classes.form} onSubmit={submit}>
        <TextInput
          className={classes.path}
          label={t('packs.path')}
          placeholder={t('packs.path_hint')}
          value={path}
          disabled={load.isPending}
          spellCheck={false}
          onChange={(event) => setPath(event.currentTarget.value)}
        />
        <Select
          label={t('packs.preset')}
          data={presets.map((value) => ({ value, label: t(`packs.preset_${value}`) }))}
          value={preset}
          disabled={load.isPending}
          allowDeselect={false}
          onChange={(value) => setPreset((value ?? 'quality') as Preset)}
        />
        <Button type="submit" loading={load.isPending} disabled={!path.trim()}>
          {t('packs.import_start')}
        </Button>
      </form>
      {load.isPending && phase && (
        <div className={classes.progress} role="status">
          <Progress size="sm" value={phase.done * 100} aria-label={phase.phase} />
          <span>
            {phase.phase} · {percent(phase.done)}
          </span>
        </div>
      )}
      {load.error && (
        <div className={classes.problem}>
          <ProblemNote error={load.error} />
        </div>
      )}
    </Panel>
  );
}
