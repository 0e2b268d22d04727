/** Batches: begun from a file, followed, ended and forgotten. */
import { IconStack2, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import type { KeyBatch } from '../../../../server/api/protocols/batches.ts';
import { useChange } from '../../api/queries.ts';
import { Empty } from '../../components/feedback/empty.tsx';
import { notifyDone } from '../../components/feedback/notify.ts';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Page } from '../../components/frame/page.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { ConfirmDialog } from '../../components/input/confirm-dialog.tsx';
import { ChooseFile } from '../../components/input/file-drop.tsx';
import { t, tn } from '../../strings/t.ts';
import { BatchTable } from './batch-table.tsx';
import { useBatches, useBeginBatch, useSaveFile } from './use-batches.ts';

export function BatchesPage() {
  const list = useBatches();
  const begin = useBeginBatch(() => notifyDone(t('batches.begun')));
  const cancel = useChange('POST /console/batches/{key}/{id}/cancel', ['GET /console/batches']);
  const forget = useChange('DELETE /console/batches/{key}/{id}', ['GET /console/batches']);
  const save = useSaveFile();
  const [leaving, setLeaving] = useState<KeyBatch | null>(null);
  const rows = list.data?.data ?? [];
  const close = () => {
    setLeaving(null);
    forget.reset();
  };
  const paramsOf = ({ key_id: key, id }: KeyBatch) => ({ params: { key, id } });
  return (
    <Page title={t('batches.title')} lead={t('batches.lead')}>
      <Panel
        title={t('batches.begin')}
        note={t('batches.begin_note')}
        actions={
          <ChooseFile
            accept=".jsonl,.ndjson"
            onFile={begin.mutate}
            icon={<IconUpload size={14} aria-hidden />}
          >
            {t('batches.choose')}
          </ChooseFile>
        }
      >
        <ProblemNote error={begin.error} />
      </Panel>
      <ProblemNote error={list.error} onRetry={() => void list.refetch()} />
      <ProblemNote error={cancel.error ?? save.error} />
      {list.data && (
        <Panel flush title={t('batches.kept')} note={tn('batches.shown', rows.length)}>
          {rows.length > 0 ? (
            <BatchTable
              batches={rows}
              onSave={(batch, file) =>
                save.mutate({
                  key: batch.key_id,
                  id: file,
                  name: `${batch.id}-${file === batch.error_file_id ? 'errors' : 'answers'}.jsonl`,
                })
              }
              onCancel={(batch) => cancel.mutate(paramsOf(batch))}
              onForget={setLeaving}
            />
          ) : (
            <Empty
              icon={<IconStack2 size={28} stroke={1.4} aria-hidden />}
              title={t('batches.none')}
              text={t('batches.none_hint')}
            />
          )}
        </Panel>
      )}
      {leaving && (
        <ConfirmDialog
          title={t('batches.forget')}
          text={t('batches.forget_note')}
          confirm={t('batches.forget')}
          busy={forget.isPending}
          error={forget.error}
          onConfirm={() => forget.mutate(paramsOf(leaving), { onSuccess: close })}
          onClose={close}
        />
      )}
    </Page>
  );
}
