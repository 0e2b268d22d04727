/** All that support asks for: this start, the engines, the latest failures, and all of it as a file that is read before it is saved. */
import { Alert, Badge, Button, Table } from '@mantine/core';
import { IconAlertTriangle, IconFileDescription, IconMoodCheck } from '@tabler/icons-react';
import { useState } from 'react';
import type { Diagnostics } from '../../../../server/api/console/installation/diagnostics.ts';
import type { FailureRecord } from '../../../../server/api/console/installation/failures.ts';
import type { HostState } from '../../../../server/api/console/packs.ts';
import { useConsoleEvents } from '../../api/api-context.tsx';
import { useRead } from '../../api/queries.ts';
import { CopyButton } from '../../components/code/copy-button.tsx';
import { FactList, type ShownFact } from '../../components/data/fact-list.tsx';
import { Empty } from '../../components/feedback/empty.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Page } from '../../components/frame/page.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { bytes, milliseconds } from '../../format/numbers.ts';
import { toMinute } from '../../format/time.ts';
import { t } from '../../strings/t.ts';
import { BundleDialog } from './bundle-dialog.tsx';
import classes from './diagnostics-page.module.css';

export function DiagnosticsPage() {
  const read = useRead('GET /console/diagnostics', { refetchInterval: 15_000 });
  const { warnings = [], data_folder = '' } = useRead('GET /console/state').data ?? {};
  const [reviewing, setReviewing] = useState(false);
  useConsoleEvents((event) => {
    if (event.type === 'failure' || event.type === 'host') void read.refetch();
  });
  return (
    <Page
      title={t('diagnostics.title')}
      lead={t('diagnostics.lead')}
      actions={
        <Button
          variant="default"
          leftSection={<IconFileDescription size={14} aria-hidden />}
          disabled={!read.data}
          onClick={() => setReviewing(true)}
        >
          {t('diagnostics.bundle')}
        </Button>
      }
    >
      <ProblemNote error={read.error} onRetry={() => void read.refetch()} />
      {warnings.length > 0 && (
        <Alert
          color="yellow"
          icon={<IconAlertTriangle size={18} aria-hidden />}
          title={t('diagnostics.warnings')}
        >
          {warnings.map((warning) => (
            <div key={warning}>{warning}</div>
          ))}
        </Alert>
      )}
      {read.data && (
        <>
          <Machine data={read.data} dataFolder={data_folder} />
          <Hosts hosts={read.data.hosts} />
          <Failures failures={read.data.failures} />
        </>
      )}
      {reviewing && read.data && <BundleDialog data={read.data} onClose={() => setReviewing(false)} />}
    </Page>
  );
}

function Machine({ data, dataFolder }: { data: Diagnostics; dataFolder: string }) {
  const facts: ShownFact[] = [
    { name: t('diagnostics.version'), value: data.version },
    { name: t('diagnostics.platform'), value: `${data.platform}, Node ${data.node}` },
    { name: t('diagnostics.uptime'), value: milliseconds(data.uptime_seconds * 1000) },
    { name: t('diagnostics.data_folder'), value: dataFolder },
  ];
  return (
    <Panel title={t('diagnostics.machine')}>
      <FactList facts={facts} columns />
    </Panel>
  );
}

const colors = {
  stopped: 'gray',
  starting: 'blue',
  ready: 'teal',
  backing_off: 'orange',
  failed: 'red',
} as const;

function Hosts({ hosts }: { hosts: HostState[] }) {
  return (
    <Panel title={t('diagnostics.hosts')} flush>
      {hosts.length === 0 ? (
        <Empty title={t('diagnostics.hosts_none')} />
      ) : (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('diagnostics.pack')}</Table.Th>
              <Table.Th>{t('diagnostics.state')}</Table.Th>
              <Table.Th ta="right">{t('diagnostics.memory')}</Table.Th>
              <Table.Th>{t('diagnostics.provider')}</Table.Th>
              <Table.Th>{t('diagnostics.confinement')}</Table.Th>
              <Table.Th ta="right">{t('diagnostics.starts')}</Table.Th>
              <Table.Th>{t('diagnostics.last_error')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {hosts.map((host) => (
              <Table.Tr key={host.pack}>
                <Table.Td className="lk-mono">{host.pack}</Table.Td>
                <Table.Td>
                  <Badge color={colors[host.state]}>{t(`diagnostics.host_states.${host.state}`)}</Badge>
                </Table.Td>
                <Table.Td ta="right" className="lk-num">
                  {host.memory_mb === null ? '–' : bytes(host.memory_mb * 1_000_000)}
                </Table.Td>
                <Table.Td title={host.provider_reason ?? undefined}>{host.provider ?? '–'}</Table.Td>
                <Table.Td>{host.confinement ?? '–'}</Table.Td>
                <Table.Td ta="right" className="lk-num">
                  {host.generation}
                </Table.Td>
                <Table.Td>{host.last_error ?? '–'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Panel>
  );
}

function Failures({ failures }: { failures: FailureRecord[] }) {
  return (
    <Panel title={t('diagnostics.failures')} note={t('diagnostics.failures_note')} flush>
      {failures.length === 0 ? (
        <Empty
          icon={<IconMoodCheck size={28} stroke={1.4} aria-hidden />}
          title={t('diagnostics.failures_none')}
          text={t('diagnostics.failures_none_note')}
        />
      ) : (
        <Table verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('diagnostics.time')}</Table.Th>
              <Table.Th>{t('diagnostics.where')}</Table.Th>
              <Table.Th>{t('diagnostics.error')}</Table.Th>
              <Table.Th>{t('diagnostics.request')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {failures.map((failure) => (
              <Table.Tr key={`${failure.time_ms} ${failure.hash} ${failure.request_id}`}>
                <Table.Td className={classes.nowrap}>{toMinute(failure.time_ms / 1000)}</Table.Td>
                <Table.Td>
                  {t(`diagnostics.kinds.${failure.kind}`)}
                  <div className={classes.small}>
                    {[failure.engine, failure.method, failure.pack].filter(Boolean).join(' · ')}
                  </div>
                </Table.Td>
                <Table.Td>
                  <span className="lk-mono">
                    {failure.class}
                    {failure.code && ` ${failure.code}`}
                  </span>
                  <div className={`lk-mono ${classes.small}`}>{failure.place[0]}</div>
                </Table.Td>
                <Table.Td className={classes.nowrap}>
                  {failure.request_id ? (
                    <>
                      <span className="lk-mono">{failure.request_id.slice(0, 13)}…</span>
                      <CopyButton value={failure.request_id} label={t('diagnostics.copy_request')} small />
                    </>
                  ) : (
                    '–'
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Panel>
  );
}
