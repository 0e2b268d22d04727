/** One row a batch: whose it is, how far it is, and what came of it. */
import { ActionIcon, Badge, Progress, Table, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconDownload, IconPlayerStop, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { KeyBatch } from '../../../../server/api/protocols/batches.ts';
import { count } from '../../format/numbers.ts';
import { ago, toMinute } from '../../format/time.ts';
import { t, tn } from '../../strings/t.ts';
import { overStatuses } from './use-batches.ts';

export interface BatchActions {
  onSave: (batch: KeyBatch, file: string) => void;
  onCancel: (batch: KeyBatch) => void;
  onForget: (batch: KeyBatch) => void;
}

const colors: Partial<Record<KeyBatch['status'], string>> = {
  completed: 'teal',
  failed: 'red',
  expired: 'red',
  cancelled: 'gray',
  in_progress: 'blue',
};

export function BatchTable({ batches, ...actions }: BatchActions & { batches: KeyBatch[] }) {
  return (
    <Table className="lk-cards lk-top">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('batches.id')}</Table.Th>
          <Table.Th>{t('batches.key')}</Table.Th>
          <Table.Th>{t('batches.status')}</Table.Th>
          <Table.Th>{t('batches.lines')}</Table.Th>
          <Table.Th>{t('batches.created')}</Table.Th>
          <Table.Th aria-label={t('batches.actions')} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {batches.map((batch) => (
          <Table.Tr key={`${batch.key_id} ${batch.id}`}>
            <Table.Td>
              <div className="lk-mono">{batch.endpoint}</div>
              <div className="lk-mono">{batch.id}</div>
            </Table.Td>
            <Table.Td data-label={t('batches.key')}>{batch.key_name}</Table.Td>
            <Table.Td data-label={t('batches.status')}>
              <Badge color={colors[batch.status] ?? 'yellow'}>{t(`batches.statuses.${batch.status}`)}</Badge>
              {batch.errors?.data.slice(0, 3).map(({ line, message }) => (
                <div key={`${line} ${message}`}>
                  {line === null ? message : t('batches.bad_line', { line, message })}
                </div>
              ))}
            </Table.Td>
            <Table.Td data-label={t('batches.lines')}>
              <Lines batch={batch} />
            </Table.Td>
            <Table.Td data-label={t('batches.created')} title={toMinute(batch.created_at)}>
              {ago(batch.created_at)}
            </Table.Td>
            <Table.Td>
              <RowActions batch={batch} {...actions} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Lines({ batch }: { batch: KeyBatch }) {
  const { total, completed, failed } = batch.request_counts;
  const text = t('batches.progress', { done: count(completed + failed), total: count(total) });
  return (
    <>
      <span className="lk-num">{text}</span>
      {failed > 0 && <div>{tn('batches.failed_lines', failed)}</div>}
      {!overStatuses.includes(batch.status) && total > 0 && (
        <Progress value={((completed + failed) / total) * 100} aria-label={text} size="sm" />
      )}
    </>
  );
}

function RowActions({ batch, onSave, onCancel, onForget }: BatchActions & { batch: KeyBatch }) {
  const { output_file_id: output, error_file_id: errors } = batch;
  const isOver = overStatuses.includes(batch.status);
  return (
    <div style={{ display: 'flex', gap: 4, justifyContent: 'flex-end' }}>
      {output !== null && (
        <RowAction label={t('batches.output')} onClick={() => onSave(batch, output)}>
          <IconDownload size={16} aria-hidden />
        </RowAction>
      )}
      {errors !== null && (
        <RowAction label={t('batches.errors')} onClick={() => onSave(batch, errors)}>
          <IconAlertTriangle size={16} aria-hidden />
        </RowAction>
      )}
      {isOver ? (
        <RowAction label={t('batches.forget')} onClick={() => onForget(batch)}>
          <IconTrash size={16} aria-hidden />
        </RowAction>
      ) : (
        <RowAction label={t('batches.cancel')} onClick={() => onCancel(batch)}>
          <IconPlayerStop size={16} aria-hidden />
        </RowAction>
      )}
    </div>
  );
}

function RowAction({
  label,
  onClick,
  children,
}: {
  label: string;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
