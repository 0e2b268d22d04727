import { ActionIcon, Badge, Table, Tooltip } from '@mantine/core';
import {
  IconListCheck,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconStethoscope,
  IconTrash,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { EngineState, RemoteEngine } from '../../../../server/api/console/engines.ts';
import { count, milliseconds } from '../../format/numbers.ts';
import { ago } from '../../format/time.ts';
import { t, tn } from '../../strings/t.ts';
import { parseUrl } from './engine-form.ts';
import classes from './engine-table.module.css';

export interface EngineActions {
  /** The engine that is being tried. */
  trying: string | null;
  onTry: (engine: RemoteEngine) => void;
  onDrain: (engine: RemoteEngine, draining: boolean) => void;
  onDetails: (engine: RemoteEngine) => void;
  onEdit: (engine: RemoteEngine) => void;
  onRemove: (engine: RemoteEngine) => void;
}

const colors: Record<EngineState, string> = {
  off: 'gray',
  untried: 'gray',
  healthy: 'teal',
  ailing: 'yellow',
  out: 'red',
  misconfigured: 'red',
  draining: 'blue',
};

export function EngineTable({ engines, ...actions }: { engines: RemoteEngine[] } & EngineActions) {
  return (
    <Table className={classes.table}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('engines.name')}</Table.Th>
          <Table.Th>{t('engines.state')}</Table.Th>
          <Table.Th>{t('engines.serves')}</Table.Th>
          <Table.Th>{t('engines.load')}</Table.Th>
          <Table.Th>{t('engines.latency')}</Table.Th>
          <Table.Th>{t('engines.errors')}</Table.Th>
          <Table.Th aria-label={t('engines.actions')} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {engines.map((engine) => (
          <Row key={engine.id} engine={engine} {...actions} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ engine, ...actions }: { engine: RemoteEngine } & EngineActions) {
  const { health } = engine;
  return (
    <Table.Tr>
      <Table.Td>
        <div className={classes.name}>{engine.name}</div>
        <div className={classes.note}>
          {parseUrl(engine.base_url)?.host ?? engine.base_url} · {t(`engines.kinds.${engine.kind}`)}
          {engine.region && ` · ${engine.region}`}
          {engine.pseudonyms && ` · ${t('engines.with_pseudonyms')}`}
        </div>
      </Table.Td>
      <Table.Td>
        <Badge color={colors[health.state]}>{t(`engines.states.${health.state}`)}</Badge>
        <div className={classes.reason}>
          {[health.reason, health.next_trial && t('engines.asked_again', { when: ago(health.next_trial) })]
            .filter(Boolean)
            .join('; ') || ago(health.since)}
        </div>
      </Table.Td>
      <Table.Td className={classes.reason}>
        {engine.models.map(({ role }) => role).join(', ') || t('engines.serves_nothing')}
      </Table.Td>
      <Table.Td className="lk-num">
        {t('engines.running', { running: health.running, most: engine.concurrency })}
        <div className={classes.note}>{tn('engines.requests', health.requests)}</div>
      </Table.Td>
      <Table.Td className="lk-num">
        {health.first_byte_ms === null ? '–' : milliseconds(health.first_byte_ms)}
        {health.added_ms !== null && (
          <div className={classes.note}>{t('engines.added', { added: milliseconds(health.added_ms) })}</div>
        )}
      </Table.Td>
      <Table.Td className={classes.reason}>
        {health.errors === 0 ? t('engines.no_errors') : count(health.errors)}
        {health.last_error && (
          <div>
            {health.last_error}
            {health.last_error_time !== null && ` (${ago(health.last_error_time)})`}
          </div>
        )}
      </Table.Td>
      <Table.Td className={classes.actions}>
        <RowActions engine={engine} {...actions} />
      </Table.Td>
    </Table.Tr>
  );
}

function RowActions({
  engine,
  onDetails,
  onDrain,
  onEdit,
  onRemove,
  onTry,
  trying,
}: { engine: RemoteEngine } & EngineActions) {
  const { draining, from_file: fromFile, id, name, trial } = engine;
  const icon = { size: 16, 'aria-hidden': true } as const;
  return (
    <>
      <Action
        text={t('engines.trial')}
        label={t('engines.trial_name', { name })}
        loading={trying === id}
        onClick={() => onTry(engine)}
        icon={<IconStethoscope {...icon} />}
      />
      <Action
        text={t('engines.details')}
        label={t('engines.details_name', { name })}
        disabled={trial === null}
        onClick={() => onDetails(engine)}
        icon={<IconListCheck {...icon} />}
      />
      <Action
        text={draining ? t('engines.resume') : t('engines.drain')}
        label={draining ? t('engines.resume_name', { name }) : t('engines.drain_name', { name })}
        onClick={() => onDrain(engine, !draining)}
        icon={draining ? <IconPlayerPlay {...icon} /> : <IconPlayerPause {...icon} />}
      />
      {fromFile ? (
        <Tooltip label={t('engines.from_file_note')}>
          <Badge color="gray">{t('engines.from_file')}</Badge>
        </Tooltip>
      ) : (
        <>
          <Action
            text={t('engines.edit')}
            label={t('engines.edit_name', { name })}
            onClick={() => onEdit(engine)}
            icon={<IconPencil {...icon} />}
          />
          <Action
            text={t('engines.remove')}
            label={t('engines.remove_name', { name })}
            color="red"
            onClick={() => onRemove(engine)}
            icon={<IconTrash {...icon} />}
          />
        </>
      )}
    </>
  );
}

interface ActionProps {
  text: string;
  label: string;
  icon: ReactNode;
  color?: string;
  loading?: boolean;
  disabled?: boolean;
  onClick: () => void;
}

function Action({
  color = 'gray',
  disabled = false,
  icon,
  label,
  loading = false,
  onClick,
  text,
}: ActionProps) {
  return (
    <Tooltip label={text}>
      <ActionIcon
        variant="subtle"
        color={color}
        aria-label={label}
        loading={loading}
        disabled={disabled}
        onClick={onClick}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
