/** The record of administrative acts, newest first, and whether its chain is whole. */
import { Alert, Badge, Button, Table } from '@mantine/core';
import { IconDownload, IconListCheck } from '@tabler/icons-react';
import type { AuditEntry } from '../../../../server/api/console/installation/audit.ts';
import type { ApiKey } from '../../../../server/api/keys.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { Empty } from '../../components/feedback/empty.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Page } from '../../components/frame/page.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { download } from '../../export/download.ts';
import { toMinute } from '../../format/time.ts';
import { t, tn } from '../../strings/t.ts';
import classes from './audit-page.module.css';
import { actionText, actorText, changesText, targetText } from './audit-words.ts';

export function AuditPage() {
  const log = useRead('GET /console/audit');
  const save = useChange('GET /console/audit/export');
  const rows = log.data?.data ?? [];
  const keys = useRead('GET /console/keys').data?.data ?? [];
  return (
    <Page
      title={t('audit.title')}
      lead={t('audit.lead')}
      actions={
        <Button
          variant="default"
          loading={save.isPending}
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() =>
            save.mutate(
              {},
              { onSuccess: ({ text }) => download('lokal-audit.jsonl', text, 'application/jsonl') },
            )
          }
        >
          {t('audit.save')}
        </Button>
      }
    >
      <ProblemNote error={log.error ?? save.error} onRetry={() => void log.refetch()} />
      {log.data?.problem && (
        <Alert color="red" variant="light">
          {t('audit.broken', { problem: log.data.problem })}
        </Alert>
      )}
      {log.data && (
        <Panel
          flush
          title={t('audit.acts')}
          note={tn('audit.shown', rows.length)}
          actions={log.data.problem === null && <Badge color="teal">{t('audit.whole')}</Badge>}
        >
          {rows.length > 0 ? (
            <Acts rows={rows} keys={keys} />
          ) : (
            <Empty icon={<IconListCheck size={28} stroke={1.4} aria-hidden />} title={t('audit.none')} />
          )}
        </Panel>
      )}
    </Page>
  );
}

function Acts({ rows, keys }: { rows: AuditEntry[]; keys: readonly ApiKey[] }) {
  return (
    <Table verticalSpacing={4} className={`lk-cards lk-top ${classes.table}`}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('audit.line')}</Table.Th>
          <Table.Th>{t('audit.time')}</Table.Th>
          <Table.Th>{t('audit.actor')}</Table.Th>
          <Table.Th>{t('audit.action')}</Table.Th>
          <Table.Th>{t('audit.target')}</Table.Th>
          <Table.Th>{t('audit.changes')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.sequence}>
            <Table.Td className="lk-num" data-label={t('audit.line')}>
              {row.sequence}
            </Table.Td>
            <Table.Td className={classes.nowrap} data-label={t('audit.time')}>
              {toMinute(row.time_ms / 1000)}
            </Table.Td>
            <Table.Td className={classes.id} data-label={t('audit.actor')} title={row.actor}>
              {actorText(row.actor, keys)}
            </Table.Td>
            <Table.Td className={classes.nowrap} data-label={t('audit.action')} title={row.action}>
              {actionText(row.action)}
            </Table.Td>
            <Table.Td className={classes.id} data-label={t('audit.target')} title={row.target ?? undefined}>
              {targetText(row, keys)}
            </Table.Td>
            <Table.Td
              className={classes.changes}
              data-label={t('audit.changes')}
              title={JSON.stringify(row.changes)}
            >
              {changesText(row.changes)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
