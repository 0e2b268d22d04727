import { Badge, Table } from '@mantine/core';
import type { ApiKey } from '../../../../server/api/keys.ts';
import { Sparkline } from '../../components/data/sparkline.tsx';
import { count } from '../../format/numbers.ts';
import { t, tn } from '../../strings/t.ts';
import { type Amounts, amounts, type Grouping, sumOf, type UsageRow } from './usage-rows.ts';
import classes from './usage-table.module.css';

interface UsageTableProps {
  rows: UsageRow[];
  by: Grouping;
  /** The keys there are; two of one name are told apart by their ends. */
  keys: readonly ApiKey[];
}

/** Amounts that nobody used take no column. */
export function UsageTable({ rows, by, keys }: UsageTableProps) {
  const sum = sumOf(rows);
  const shown = amounts.filter((amount) => sum[amount] > 0);
  const cells = (row: Amounts) =>
    shown.map((amount) => (
      <Table.Td key={amount} className={`lk-num ${classes.number}`} data-label={t(`usage.columns.${amount}`)}>
        {count(row[amount])}
      </Table.Td>
    ));
  return (
    <Table className={`lk-cards ${classes.table}`}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t(`usage.groupings.${by}`)}</Table.Th>
          {by !== 'day' && <Table.Th>{t('usage.days')}</Table.Th>}
          {shown.map((amount) => (
            <Table.Th key={amount} className={classes.number}>
              {t(`usage.columns.${amount}`)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.id}>
            <Table.Th
              scope="row"
              fw={400}
              className={by === 'key' ? classes.label : 'lk-mono'}
              title={row.id}
            >
              {by === 'engine' && row.label === '' ? t('usage.local') : row.label}
              {by === 'key' && <KeyEnd apiKey={keys.find(({ id }) => id === row.id)} />}
            </Table.Th>
            {by !== 'day' && (
              <Table.Td data-label={t('usage.days')}>
                <Sparkline values={row.days} label={tn('usage.requests', row.requests)} />
              </Table.Td>
            )}
            {cells(row)}
          </Table.Tr>
        ))}
      </Table.Tbody>
      <Table.Tfoot>
        <Table.Tr className={classes.sum}>
          <Table.Th scope="row" colSpan={by === 'day' ? 1 : 2}>
            {t('usage.sum')}
          </Table.Th>
          {cells(sum)}
        </Table.Tr>
      </Table.Tfoot>
    </Table>
  );
}

/** The end of the key, as its owner sees it, and its state where it is not simply in use. */
function KeyEnd({ apiKey }: { apiKey: ApiKey | undefined }) {
  if (!apiKey) return null;
  return (
    <>
      {' '}
      <span className={`lk-mono ${classes.end}`}>…{apiKey.last_four}</span>
      {apiKey.status !== 'active' && (
        <Badge ml={6} size="xs" color="gray">
          {t(`keys.statuses.${apiKey.status}`)}
        </Badge>
      )}
    </>
  );
}
