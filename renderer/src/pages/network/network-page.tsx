/** The ledger of connections out of this machine, newest first. */
import { Badge, Button, Table } from '@mantine/core';
import { IconDownload, IconPlugConnectedX } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Settings } from '../../../../server/api/console/console.ts';
import type { Connection } from '../../../../server/api/console/installation/connections.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { CopyButton } from '../../components/code/copy-button.tsx';
import { Empty } from '../../components/feedback/empty.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Page } from '../../components/frame/page.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { download } from '../../export/download.ts';
import { toMinute } from '../../format/time.ts';
import { t, tn } from '../../strings/t.ts';
import classes from './network-page.module.css';

export function NetworkPage() {
  const ledger = useRead('GET /console/connections');
  const settings = useRead('GET /console/settings');
  const save = useChange('GET /console/connections/export');
  const rows = ledger.data?.data ?? [];
  return (
    <Page
      title={t('network.title')}
      lead={t('network.lead')}
      actions={
        <Button
          variant="default"
          disabled={rows.length === 0}
          loading={save.isPending}
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() =>
            save.mutate(
              {},
              { onSuccess: ({ text }) => download('lokal-connections.jsonl', text, 'application/jsonl') },
            )
          }
        >
          {t('network.save')}
        </Button>
      }
    >
      <ProblemNote
        error={ledger.error ?? settings.error ?? save.error}
        onRetry={() => void ledger.refetch()}
      />
      {settings.data && <Mode settings={settings.data} />}
      {ledger.data && (
        <Panel flush title={t('network.connections')} note={tn('network.shown', rows.length)}>
          {rows.length > 0 ? (
            <Connections rows={rows} />
          ) : (
            <Empty
              icon={<IconPlugConnectedX size={28} stroke={1.4} aria-hidden />}
              title={t('network.none')}
              text={t('network.none_note')}
            />
          )}
        </Panel>
      )}
    </Page>
  );
}

/** Runs every service in a network that leads nowhere. */
const proofCommand = 'npx lokal prove-offline';

function Mode({ settings: { sealed, url_fetch } }: { settings: Settings }) {
  const text = sealed
    ? t('network.sealed')
    : url_fetch === 'off'
      ? t('network.off')
      : t(`network.open_${url_fetch}`);
  return (
    <Panel>
      <Badge color={sealed ? 'teal' : url_fetch === 'off' ? 'gray' : 'yellow'} mr={12}>
        {text}
      </Badge>
      <Link to="/settings">{t('network.change')}</Link>
      <p className={classes.proof}>
        {t('network.proof')} <code className="lk-mono">{proofCommand}</code>
        <CopyButton value={proofCommand} label={t('network.copy_proof')} small />
      </p>
    </Panel>
  );
}

const colors = { allowed: 'teal', refused: 'gray', failed: 'yellow' } as const;

function Connections({ rows }: { rows: Connection[] }) {
  return (
    <Table verticalSpacing={4} className="lk-cards lk-top">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('network.time')}</Table.Th>
          <Table.Th>{t('network.host')}</Table.Th>
          <Table.Th>{t('network.outcome')}</Table.Th>
          <Table.Th>{t('network.reason')}</Table.Th>
          <Table.Th>{t('network.asked_by')}</Table.Th>
          <Table.Th>{t('network.key')}</Table.Th>
          <Table.Th>{t('network.request')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.sequence}>
            <Table.Td className={`lk-num ${classes.nowrap}`} data-label={t('network.time')}>
              {toMinute(row.time_ms / 1000)}
            </Table.Td>
            <Table.Td className="lk-mono" data-label={t('network.host')}>
              {row.host}
            </Table.Td>
            <Table.Td data-label={t('network.outcome')}>
              <Badge color={colors[row.outcome]}>{t(`network.outcomes.${row.outcome}`)}</Badge>
            </Table.Td>
            <Table.Td data-label={t('network.reason')}>{row.reason}</Table.Td>
            <Table.Td className="lk-mono" data-label={t('network.asked_by')}>
              {row.asked_by}
            </Table.Td>
            <Table.Td data-label={t('network.key')}>{row.key_name ?? '–'}</Table.Td>
            <Table.Td className={`lk-mono ${classes.request}`} data-label={t('network.request')}>
              {row.request_id ?? '–'}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
