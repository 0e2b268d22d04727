/** Who is signed in to this console: browsers and the desktop window, ended one by one or all at once. */
import { Badge, Button, Table } from '@mantine/core';
import { useState } from 'react';
import type { ConsoleSession } from '../../../../server/api/console/console.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { ConfirmDialog } from '../../components/input/confirm-dialog.tsx';
import { toBrowser } from '../../format/browser.ts';
import { ago, toMinute } from '../../format/time.ts';
import { t } from '../../strings/t.ts';

export function SessionsPanel() {
  const sessions = useRead('GET /console/sessions');
  const end = useChange('DELETE /console/sessions/{id}', ['GET /console/sessions']);
  const leave = useChange('DELETE /console/session', ['GET /console/state']);
  const [endingAll, setEndingAll] = useState(false);
  return (
    <Panel
      part="sessions"
      flush
      title={t('settings.sessions')}
      note={t('settings.sessions_note')}
      actions={
        <>
          <Button variant="default" loading={leave.isPending} onClick={() => leave.mutate({})}>
            {t('settings.sign_out')}
          </Button>
          <Button variant="default" color="red" onClick={() => setEndingAll(true)}>
            {t('settings.end_all')}
          </Button>
        </>
      }
    >
      <ProblemNote error={sessions.error ?? end.error ?? leave.error} />
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('settings.browser')}</Table.Th>
            <Table.Th>{t('settings.since')}</Table.Th>
            <Table.Th>{t('settings.last_used')}</Table.Th>
            <Table.Th aria-label={t('keys.actions')} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sessions.data?.data.map((session) => (
            <Row
              key={session.id}
              session={session}
              busy={end.isPending}
              onEnd={() => end.mutate({ params: { id: session.id } })}
            />
          ))}
        </Table.Tbody>
      </Table>
      {endingAll && <EndAllDialog onClose={() => setEndingAll(false)} />}
    </Panel>
  );
}

function Row({ session, busy, onEnd }: { session: ConsoleSession; busy: boolean; onEnd: () => void }) {
  const name = toBrowser(session.agent);
  return (
    <Table.Tr>
      <Table.Td title={session.agent}>
        {name} {session.current && <Badge color="teal">{t('settings.this_one')}</Badge>}
      </Table.Td>
      <Table.Td>{toMinute(session.created)}</Table.Td>
      <Table.Td>{ago(session.last_used)}</Table.Td>
      <Table.Td>
        {!session.current && (
          <Button
            size="compact-xs"
            variant="default"
            disabled={busy}
            aria-label={t('settings.end_name', { name })}
            onClick={onEnd}
          >
            {t('settings.end')}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function EndAllDialog({ onClose }: { onClose: () => void }) {
  const end = useChange('DELETE /console/sessions', ['GET /console/state']);
  return (
    <ConfirmDialog
      title={t('settings.end_all')}
      text={t('settings.end_all_note')}
      confirm={t('settings.end_all')}
      busy={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate({}, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
