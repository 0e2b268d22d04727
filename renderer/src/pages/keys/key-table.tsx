import { ActionIcon, Badge, Table, Tooltip } from '@mantine/core';
import { IconBan, IconPencil, IconRefresh } from '@tabler/icons-react';
import type { ApiKey } from '../../../../server/api/keys.ts';
import { Sparkline } from '../../components/data/sparkline.tsx';
import { ago, toDay, toMinute } from '../../format/time.ts';
import { t, tn } from '../../strings/t.ts';
import { isEnded, shownKey, sparklineDays } from './key-rows.ts';
import classes from './key-table.module.css';

interface KeyTableProps {
  keys: ApiKey[];
  requests: Map<string, number[]>;
  onEdit: (key: ApiKey) => void;
  onRotate: (key: ApiKey) => void;
  onRevoke: (key: ApiKey) => void;
}

const statusColors = { active: 'teal', rotating: 'yellow', expired: 'gray', revoked: 'red' } as const;
const noUse = new Array<number>(sparklineDays).fill(0);

export function KeyTable({ keys, requests, ...actions }: KeyTableProps) {
  return (
    <Table className={`lk-cards ${classes.table}`}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('keys.name')}</Table.Th>
          <Table.Th>{t('keys.status')}</Table.Th>
          <Table.Th>{t('keys.plan')}</Table.Th>
          <Table.Th>{t('keys.access')}</Table.Th>
          <Table.Th>{t('keys.expires')}</Table.Th>
          <Table.Th>{t('keys.last_used')}</Table.Th>
          <Table.Th>{t('keys.usage')}</Table.Th>
          <Table.Th aria-label={t('keys.actions')} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys.map((key) => (
          <Table.Tr key={key.id} data-ended={isEnded(key) || undefined}>
            <Table.Td>
              <div className={classes.name}>{key.name}</div>
              <div className={`lk-mono ${classes.secret}`}>{shownKey(key)}</div>
              <Replaces former={keys.find(({ replaced_by: by }) => by === key.id)} />
            </Table.Td>
            <Table.Td data-label={t('keys.status')}>
              <Badge color={statusColors[key.status]}>{t(`keys.statuses.${key.status}`)}</Badge>
            </Table.Td>
            <Table.Td data-label={t('keys.plan')}>
              {t(`keys.plans.${key.plan}`)}
              <div className={classes.note}>{t(`keys.classes.${key.class}`)}</div>
            </Table.Td>
            <Table.Td data-label={t('keys.access')}>
              <Access apiKey={key} />
            </Table.Td>
            <Table.Td className={classes.when} data-label={t('keys.expires')}>
              {!isEnded(key) && <End apiKey={key} />}
            </Table.Td>
            <Table.Td
              className={classes.when}
              data-label={t('keys.last_used')}
              title={key.last_used ? toMinute(key.last_used) : undefined}
            >
              {key.last_used ? ago(key.last_used) : t('keys.never')}
            </Table.Td>
            <Table.Td>
              <Usage apiKey={key} values={requests.get(key.id) ?? noUse} />
            </Table.Td>
            <Table.Td className={classes.actions}>
              {!isEnded(key) && <Actions apiKey={key} {...actions} />}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** The key whose place one took, as long as it still works: programs must have changed over by then. */
function Replaces({ former }: { former: ApiKey | undefined }) {
  if (former?.status !== 'rotating' || !former.overlap_ends) return null;
  const values = { key: shownKey(former), when: ago(former.overlap_ends) };
  return <div className={classes.note}>{t('keys.replaces', values)}</div>;
}

/** A replaced key ends with its overlap, unless its own end comes first. */
function End({ apiKey: { expires, overlap_ends: overlap } }: { apiKey: ApiKey }) {
  if (overlap !== null && (expires === null || overlap < expires)) {
    return <span title={toMinute(overlap)}>{ago(overlap)}</span>;
  }
  return <>{expires ? toDay(expires) : t('keys.never')}</>;
}

/** So few are read at a glance. */
const namedScopes = 3;

function Access({ apiKey }: { apiKey: ApiKey }) {
  const limits = [
    apiKey.models && tn('keys.model_count', apiKey.models.length),
    apiKey.allowed_cidrs.length > 0 && tn('keys.range_count', apiKey.allowed_cidrs.length),
  ].filter((limit) => limit !== false && limit !== null);
  const detail = [...apiKey.scopes, ...(apiKey.models ?? []), ...apiKey.allowed_cidrs].join(', ');
  return (
    <div title={detail}>
      {apiKey.scopes.length <= namedScopes
        ? apiKey.scopes.join(', ')
        : tn('keys.scope_count', apiKey.scopes.length)}
      {limits.length > 0 && <div className={classes.note}>{limits.join(' · ')}</div>}
    </div>
  );
}

function Usage({ apiKey, values }: { apiKey: ApiKey; values: number[] }) {
  const total = values.reduce((sum, value) => sum + value, 0);
  if (apiKey.class === 'test') return <span className={classes.note}>{t('keys.not_metered')}</span>;
  return <Sparkline values={values} label={tn('keys.requests_30', total)} />;
}

type ActionsProps = { apiKey: ApiKey } & Pick<KeyTableProps, 'onEdit' | 'onRotate' | 'onRevoke'>;

function Actions({ apiKey, onEdit, onRotate, onRevoke }: ActionsProps) {
  const edit = t('keys.edit_name', { name: apiKey.name });
  const rotate = t('keys.rotate_name', { name: apiKey.name });
  const revoke = t('keys.revoke_name', { name: apiKey.name });
  return (
    <>
      <Tooltip label={t('keys.edit')}>
        <ActionIcon variant="subtle" color="gray" aria-label={edit} onClick={() => onEdit(apiKey)}>
          <IconPencil size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('keys.rotate')}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={rotate}
          disabled={apiKey.replaced_by !== null}
          onClick={() => onRotate(apiKey)}
        >
          <IconRefresh size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('keys.revoke')}>
        <ActionIcon variant="subtle" color="red" aria-label={revoke} onClick={() => onRevoke(apiKey)}>
          <IconBan size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </>
  );
}
