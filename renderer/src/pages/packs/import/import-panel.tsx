/** Import: choose, look at what it would take, import, bind. */
import { Alert, Button, Progress } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { PackSummary } from '../../../../../server/api/console/packs.ts';
import { useChange } from '../../../api/queries.ts';
import { desktopBridge } from '../../../api/session.ts';
import { notifyProblem } from '../../../components/feedback/notify.ts';
import { ProblemNote } from '../../../components/feedback/problem-note.tsx';
import { Panel } from '../../../components/frame/panel.tsx';
import { percent } from '../../../format/numbers.ts';
import { type TextKey, t } from '../../../strings/t.ts';
import { packInbox } from '../../../work/pack-inbox.ts';
import { ChecksumCheck } from './checksum-check.tsx';
import { ChooseSource } from './choose-source.tsx';
import { EstimateCard } from './estimate-card.tsx';
import classes from './import-panel.module.css';
import { type Import, type ImportStep, useImport } from './use-import.ts';

export function ImportPanel() {
  const { source, estimate, step, error, imported, look, take, start, cancel } = useImport();
  useDroppedElsewhere(step === null, look, take);
  return (
    <Panel
      title={t('packs.import')}
      note={t('packs.import_note')}
      actions={<Link to="/packs/models">{t('advice.title')}</Link>}
    >
      <ChooseSource
        disabled={step !== null}
        onPath={(path) => void look(path)}
        onFiles={(files) => void take(files)}
      />
      {step && <Progression step={step} onCancel={cancel} />}
      {estimate && !step && (
        <EstimateCard estimate={estimate} onImport={(preset) => void start(preset)} onCancel={cancel}>
          {source && <ChecksumCheck source={source} />}
        </EstimateCard>
      )}
      {error !== null && (
        <div className={classes.problem}>
          <ProblemNote error={error} />
        </div>
      )}
      {imported && <Imported key={imported.ref} pack={imported} />}
    </Panel>
  );
}

/** Models that were dropped on another page, taken up once this one is idle. */
function useDroppedElsewhere(idle: boolean, look: Import['look'], take: Import['take']): void {
  const latest = useRef({ look, take });
  useEffect(() => {
    latest.current = { look, take };
  });
  useEffect(() => {
    const takeUp = () => {
      if (!idle) return;
      const opened = packInbox.takePath();
      if (opened !== null) return void latest.current.look(opened);
      const files = packInbox.take();
      const [first] = files;
      if (!first) return;
      const path = desktopBridge()?.pathOf(first);
      if (path) void latest.current.look(path);
      else void latest.current.take(files.map((file) => ({ path: file.name, file })));
    };
    takeUp();
    return packInbox.subscribe(takeUp);
  }, [idle]);
}

const phases = ['looking', 'handing_over', 'copying', 'converting', 'verifying', 'loading', 'done'];

function Progression({ step, onCancel }: { step: ImportStep; onCancel: () => void }) {
  const name = phases.includes(step.phase)
    ? t(`packs.phases.${step.phase}` as TextKey & `packs.phases.done`)
    : step.phase;
  return (
    <div className={classes.progress} role="status">
      <Progress size="sm" value={step.done * 100} animated={step.done === 0} aria-label={name} />
      <div className={classes.line}>
        <span>{step.done > 0 ? `${name} · ${percent(step.done)}` : name}</span>
        <Button size="compact-xs" variant="default" onClick={onCancel}>
          {t('dialog.cancel')}
        </Button>
      </div>
    </div>
  );
}

/** The way from a pack to a model that answers. */
function Imported({ pack }: { pack: PackSummary }) {
  const bind = useChange('POST /console/packs/bind', ['GET /console/packs', 'GET /console/state']);
  const [role] = pack.roles;
  // A cross-encoder fills its task alone.
  const task = pack.tasks.includes('rerank') ? { task: 'rerank' as const } : {};
  return (
    <Alert color="teal" variant="light" className={classes.problem}>
      <div className={classes.line}>
        <span>{t('packs.imported', { name: pack.name })}</span>
        {role && (
          <Button
            size="compact-xs"
            loading={bind.isPending}
            disabled={bind.isSuccess}
            onClick={() =>
              bind.mutate({ body: { role, pack: pack.ref, ...task } }, { onError: notifyProblem })
            }
          >
            {bind.isSuccess ? t('packs.bound', { role }) : t('packs.bind_to', { role })}
          </Button>
        )}
        {bind.isSuccess && role === 'svc-lingua-7b' && (
          <Button size="compact-xs" component={Link} to="/chat">
            {t('packs.try_chat')}
          </Button>
        )}
      </div>
    </Alert>
  );
}
