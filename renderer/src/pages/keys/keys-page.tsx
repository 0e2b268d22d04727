/** Keys: who may call this server, with what, and how much they do. */
import { Button, TextInput } from '@mantine/core';
import { IconKey, IconPlus, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { ApiKey, ApiKeyWithSecret } from '../../../../server/api/keys.ts';
import { useRead } from '../../api/queries.ts';
import { Empty } from '../../components/feedback/empty.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Page } from '../../components/frame/page.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { t } from '../../strings/t.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { EditKeyDialog } from './edit-key-dialog.tsx';
import { filterKeys, requestsByDay } from './key-rows.ts';
import { KeyTable } from './key-table.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';

type Dialog =
  | { kind: 'create' }
  | { kind: 'edit' | 'rotate' | 'revoke'; key: ApiKey }
  | { kind: 'secret'; key: ApiKeyWithSecret };

export function KeysPage() {
  const keys = useRead('GET /console/keys');
  const usage = useRead('GET /console/usage');
  const [filter, setFilter] = useState('');
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => setDialog(null);
  const showSecret = (key: ApiKeyWithSecret) => setDialog({ kind: 'secret', key });
  const all = keys.data?.data ?? [];
  const shown = filterKeys(all, filter);
  const create = (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setDialog({ kind: 'create' })}>
      {t('keys.create')}
    </Button>
  );
  return (
    <Page title={t('keys.title')} lead={t('keys.lead')} actions={create}>
      <ProblemNote error={keys.error} onRetry={() => void keys.refetch()} />
      {keys.data && (
        <Panel
          flush
          title={t('keys.all')}
          note={all.length}
          actions={
            <TextInput
              w={220}
              aria-label={t('keys.filter')}
              placeholder={t('keys.filter')}
              leftSection={<IconSearch size={14} aria-hidden />}
              value={filter}
              onChange={(event) => setFilter(event.currentTarget.value)}
            />
          }
        >
          {shown.length > 0 ? (
            <KeyTable
              keys={shown}
              requests={requestsByDay(usage.data?.data ?? [])}
              onEdit={(key) => setDialog({ kind: 'edit', key })}
              onRotate={(key) => setDialog({ kind: 'rotate', key })}
              onRevoke={(key) => setDialog({ kind: 'revoke', key })}
            />
          ) : all.length > 0 ? (
            <Empty title={t('keys.none_match')} />
          ) : (
            <Empty
              icon={<IconKey size={28} stroke={1.4} aria-hidden />}
              title={t('keys.none')}
              text={t('keys.none_note')}
              action={create}
            />
          )}
        </Panel>
      )}
      {dialog?.kind === 'create' && <CreateKeyDialog onClose={close} onCreated={showSecret} />}
      {dialog?.kind === 'edit' && <EditKeyDialog apiKey={dialog.key} onClose={close} />}
      {dialog?.kind === 'rotate' && (
        <RotateDialog apiKey={dialog.key} onClose={close} onRotated={showSecret} />
      )}
      {dialog?.kind === 'revoke' && <RevokeDialog apiKey={dialog.key} keys={all} onClose={close} />}
      {dialog?.kind === 'secret' && <SecretDialog apiKey={dialog.key} onClose={close} />}
    </Page>
  );
}
