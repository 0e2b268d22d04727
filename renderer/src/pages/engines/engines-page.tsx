/** Remote engines: how they fare, what they can do, where requests go. */
import { Button } from '@mantine/core';
import { IconPlus, IconServer2 } from '@tabler/icons-react';
import { useState } from 'react';
import type { RemoteEngine } from '../../../../server/api/console/engines.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { Empty } from '../../components/feedback/empty.tsx';
import { notifyUndo } from '../../components/feedback/notify-undo.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Page } from '../../components/frame/page.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { ConfirmDialog } from '../../components/input/confirm-dialog.tsx';
import { t, tn } from '../../strings/t.ts';
import { EgressNote } from './egress-note.tsx';
import { EngineDialog } from './engine-dialog.tsx';
import { toRestoreRequest } from './engine-form.ts';
import { EngineTable } from './engine-table.tsx';
import { RoutesPanel } from './routes-panel.tsx';
import { TrialDialog } from './trial-dialog.tsx';

type Dialog = { kind: 'add' } | { kind: 'edit' | 'trial' | 'remove'; engine: RemoteEngine };

/** Load and latency move without an event. */
const refreshMs = 3000;

export function EnginesPage() {
  const list = useRead('GET /console/engines', { refetchInterval: refreshMs });
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => setDialog(null);
  const showTrial = (engine: RemoteEngine) => setDialog({ kind: 'trial', engine });
  const edit = (engine: RemoteEngine) => setDialog({ kind: 'edit', engine });
  const attempt = useChange('POST /console/engines/{id}/trial', ['GET /console/engines']);
  const change = useChange('PATCH /console/engines/{id}', ['GET /console/engines']);
  const add = useChange('POST /console/engines', ['GET /console/engines']);
  const remove = useChange('DELETE /console/engines/{id}', ['GET /console/engines']);
  const engines = list.data?.data ?? [];

  function removeNow(engine: RemoteEngine, undo: boolean) {
    const gone = t('engines.removed', { name: engine.name });
    const then = () => {
      close();
      if (undo) notifyUndo(gone, () => add.mutate({ body: toRestoreRequest(engine) }));
    };
    remove.mutate({ params: { id: engine.id } }, { onSuccess: then });
  }

  const addButton = (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setDialog({ kind: 'add' })}>
      {t('engines.add')}
    </Button>
  );
  return (
    <Page title={t('engines.title')} lead={t('engines.lead')} actions={addButton}>
      <ProblemNote
        error={list.error ?? attempt.error ?? change.error ?? remove.error ?? add.error}
        onRetry={() => void list.refetch()}
      />
      {list.data && <EgressNote list={list.data} />}
      {list.data && (
        <Panel flush title={t('engines.all')} note={tn('engines.count', engines.length)}>
          {engines.length > 0 ? (
            <EngineTable
              engines={engines}
              trying={attempt.isPending ? (attempt.variables.params?.id ?? null) : null}
              onTry={({ id }) => attempt.mutate({ params: { id } }, { onSuccess: showTrial })}
              onDrain={({ id }, draining) => change.mutate({ params: { id }, body: { draining } })}
              onDetails={showTrial}
              onEdit={edit}
              // A secret cannot be brought back, so only then is there a question.
              onRemove={(engine) =>
                engine.has_secret ? setDialog({ kind: 'remove', engine }) : removeNow(engine, true)
              }
            />
          ) : (
            <Empty
              icon={<IconServer2 size={28} stroke={1.4} aria-hidden />}
              title={t('engines.none')}
              text={t('engines.none_note')}
              action={addButton}
            />
          )}
        </Panel>
      )}
      {list.data && engines.length > 0 && (
        <RoutesPanel routes={list.data.routes} engines={engines.map(({ name }) => name)} />
      )}
      {dialog?.kind === 'add' && <EngineDialog onClose={close} onSaved={showTrial} />}
      {dialog?.kind === 'edit' && <EngineDialog engine={dialog.engine} onClose={close} onSaved={showTrial} />}
      {dialog?.kind === 'trial' && (
        <TrialDialog engine={dialog.engine} onClose={close} onEdit={() => edit(dialog.engine)} />
      )}
      {dialog?.kind === 'remove' && (
        <ConfirmDialog
          title={t('engines.remove_name', { name: dialog.engine.name })}
          text={t('engines.remove_note')}
          confirm={t('engines.remove')}
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => removeNow(dialog.engine, false)}
          onClose={close}
        />
      )}
    </Page>
  );
}
