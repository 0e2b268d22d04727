import { ActionIcon, Badge, Loader, Table } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type MouseEvent, useState } from 'react';
import type { RequestEntry } from '../../../../server/api/console/console.ts';
import { CopyButton } from '../../components/code/copy-button.tsx';
import { milliseconds } from '../../format/numbers.ts';
import { toClock } from '../../format/time.ts';
import { t, tn } from '../../strings/t.ts';
import { toAttempt } from './attempts.ts';
import { RequestDetails } from './request-details.tsx';
import { toStatusClass } from './request-filter.ts';
import classes from './request-table.module.css';

export function RequestTable({ entries }: { entries: RequestEntry[] }) {
  return (
    <Table className={classes.table} verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th aria-label={t('requests.details')} />
          <Table.Th>{t('requests.time')}</Table.Th>
          <Table.Th>{t('requests.key')}</Table.Th>
          <Table.Th>{t('requests.endpoint')}</Table.Th>
          <Table.Th>{t('requests.model')}</Table.Th>
          <Table.Th>{t('requests.status')}</Table.Th>
          <Table.Th className={classes.number}>{t('requests.duration')}</Table.Th>
          <Table.Th className={classes.number}>{t('requests.amount')}</Table.Th>
          <Table.Th>{t('requests.id')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {entries.map((entry) => (
          <Row key={`${entry.id} ${entry.time_ms}`} entry={entry} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ entry }: { entry: RequestEntry }) {
  const [open, setOpen] = useState(false);
  const toggle = ({ target }: MouseEvent<HTMLElement>) => {
    // Text is marked to be copied, and buttons have uses of their own.
    const { isCollapsed } = getSelection() ?? { isCollapsed: true };
    if (isCollapsed && !(target as Element).closest('button')) setOpen(!open);
  };
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <>
      <Table.Tr className={classes.row} onClick={toggle}>
        <Table.Td>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-expanded={open}
            aria-label={t('requests.details_of', { id: entry.id })}
            onClick={() => setOpen(!open)}
          >
            <Chevron size={14} aria-hidden />
          </ActionIcon>
        </Table.Td>
        <Table.Td className="lk-num">{toClock(entry.time_ms)}</Table.Td>
        <Table.Td className={classes.key}>
          {entry.key_name ?? <span className={classes.faint}>{t('requests.no_key')}</span>}
          {entry.key_class === 'test' && (
            <Badge ml={6} size="xs" color="gray">
              {t('keys.classes.test')}
            </Badge>
          )}
        </Table.Td>
        <Table.Td className="lk-mono">
          <span className={classes.faint}>{entry.method}</span> {entry.path}
        </Table.Td>
        <Table.Td className={classes.faint}>
          {entry.model ?? '–'}
          <Attempts entry={entry} />
        </Table.Td>
        <Table.Td>
          <Status entry={entry} />
        </Table.Td>
        <Table.Td className={`lk-num ${classes.number}`}>
          {entry.duration_ms === null ? '–' : milliseconds(entry.duration_ms)}
        </Table.Td>
        <Table.Td className={`lk-num ${classes.number}`}>{toAmount(entry)}</Table.Td>
        <Table.Td className={`lk-mono ${classes.id}`} title={entry.id}>
          <span className={classes.identity}>
            <span>{toShortId(entry.id)}</span>
            <CopyButton value={entry.id} label={t('problem.copy_request')} small />
          </span>
        </Table.Td>
      </Table.Tr>
      {open && (
        <Table.Tr>
          <Table.Td colSpan={9}>
            <RequestDetails entry={entry} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

/** The engine that answered, and behind it the tries that led there. */
function Attempts({ entry: { attempts = [], upstream } }: { entry: RequestEntry }) {
  if (!upstream && attempts.length === 0) return null;
  const tries = attempts.map(toAttempt);
  return (
    <div className={classes.attempts} title={tries.join('\n')}>
      {attempts.length > 1
        ? tries.join(' → ')
        : t('requests.by_engine', { name: upstream ?? attempts[0]!.target })}
    </div>
  );
}

function Status({ entry }: { entry: RequestEntry }) {
  const kind = toStatusClass(entry);
  if (kind === 'running') {
    return (
      <span className={classes.running}>
        <Loader size={12} aria-hidden /> {t('requests.statuses.running')}
      </span>
    );
  }
  return (
    <>
      <Badge color={kind === 'ok' ? 'teal' : 'red'}>{entry.status}</Badge>
      {entry.code && <span className={classes.code}>{entry.code}</span>}
      {entry.replayed && <span className={classes.code}>{t('requests.replayed')}</span>}
    </>
  );
}

/** Ids begin alike, so their ends are shown. */
const toShortId = (id: string): string => (id.length > 14 ? `${id.slice(0, 4)}…${id.slice(-8)}` : id);

function toAmount(entry: RequestEntry): string {
  if (entry.pages > 0) return tn('requests.pages', entry.pages);
  if (entry.frames > 0) return tn('requests.frames', entry.frames);
  if (entry.images > 0) return tn('requests.images', entry.images);
  const tokens = entry.prompt_tokens + entry.completion_tokens;
  if (tokens === 0) return '–';
  return `${entry.estimated ? '≈ ' : ''}${tn('requests.tokens', tokens)}`;
}
