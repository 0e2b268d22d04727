import { ActionIcon, Badge, Table, Tooltip } from '@mantine/core';
import { IconAdjustments, IconTrash } from '@tabler/icons-react';
import type { PackSummary } from '../../../../server/api/console/packs.ts';
import { Empty } from '../../components/feedback/empty.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { bytes } from '../../format/numbers.ts';
import { titleOf } from '../../format/pack-title.ts';
import { toDay } from '../../format/time.ts';
import { currentLanguage } from '../../strings/language.ts';
import { t } from '../../strings/t.ts';
import classes from './installed-panel.module.css';
import { SignatureBadge } from './signature-badge.tsx';

interface InstalledPanelProps {
  packs: PackSummary[];
  onRemove: (pack: PackSummary) => void;
  onSizes: (pack: PackSummary) => void;
}

/** Every pack on this machine, with its licence and what it takes. */
export function InstalledPanel({ packs, onRemove, onSizes }: InstalledPanelProps) {
  return (
    <Panel title={t('packs.installed')} note={packs.length} flush>
      {packs.length === 0 ? (
        <Empty title={t('packs.none')} text={t('packs.none_note')} />
      ) : (
        <Table className="lk-cards lk-top">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('packs.name')}</Table.Th>
              <Table.Th>{t('packs.serves')}</Table.Th>
              <Table.Th>{t('packs.languages')}</Table.Th>
              <Table.Th>{t('packs.licence')}</Table.Th>
              <Table.Th>{t('packs.size')}</Table.Th>
              <Table.Th>{t('packs.memory')}</Table.Th>
              <Table.Th>{t('packs.since')}</Table.Th>
              <Table.Th aria-label={t('keys.actions')} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {packs.map((pack) => (
              <Row key={pack.ref} pack={pack} onRemove={onRemove} onSizes={onSizes} />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Panel>
  );
}

function Row({ pack, onRemove, onSizes }: { pack: PackSummary } & Omit<InstalledPanelProps, 'packs'>) {
  const status = pack.status === 'starter' ? 'starter' : 'imported';
  return (
    <Table.Tr>
      <Table.Td>
        <div className={classes.name}>
          {pack.name} <span className={classes.note}>{pack.version}</span>{' '}
          <Badge color={status === 'starter' ? 'teal' : 'gray'}>{t(`packs.statuses.${status}`)}</Badge>{' '}
          {pack.signature && <SignatureBadge signature={pack.signature} />}
        </div>
        <div className={classes.description}>{pack.descriptions[currentLanguage()] ?? pack.description}</div>
      </Table.Td>
      <Table.Td className={`lk-mono ${classes.note}`} data-label={t('packs.serves')}>
        {pack.roles.join(', ')}
      </Table.Td>
      <Table.Td data-label={t('packs.languages')}>{pack.languages.join(', ')}</Table.Td>
      <Table.Td data-label={t('packs.licence')}>{pack.licence}</Table.Td>
      <Table.Td className={classes.number} data-label={t('packs.size')}>
        {bytes(pack.size_bytes)}
      </Table.Td>
      <Table.Td className={classes.number} data-label={t('packs.memory')}>
        {pack.memory_mb === null ? '–' : bytes(pack.memory_mb * 1_000_000)}
      </Table.Td>
      <Table.Td className={classes.number} data-label={t('packs.since')}>
        {toDay(pack.installed)}
      </Table.Td>
      <Table.Td className={classes.number}>
        {pack.chat_options && (
          <Tooltip label={t('packs.sizes_of', { name: titleOf(pack) })}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('packs.sizes_of', { name: titleOf(pack) })}
              onClick={() => onSizes(pack)}
            >
              <IconAdjustments size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
        {pack.removable && (
          <Tooltip label={t('packs.remove')}>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={t('packs.remove_name', { name: titleOf(pack) })}
              onClick={() => onRemove(pack)}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
