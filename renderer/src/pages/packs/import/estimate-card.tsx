/** The model found and the room it would take, before anything is written; the preset is chosen here. */
import { Alert, Button, Radio, Table } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ImportEstimate } from '../../../../../server/api/console/packs.ts';
import { bytes, count } from '../../../format/numbers.ts';
import { t } from '../../../strings/t.ts';
import { SignatureBadge } from '../signature-badge.tsx';
import classes from './estimate-card.module.css';
import type { Preset } from './use-import.ts';

interface EstimateCardProps {
  estimate: ImportEstimate;
  onImport: (preset: Preset | null) => void;
  onCancel: () => void;
  /** Checks of what arrived, above the buttons. */
  children?: ReactNode;
}

const mebibyte = 1_048_576;

export function EstimateCard({ estimate, onImport, onCancel, children }: EstimateCardProps) {
  const [chosen, setChosen] = useState(0);
  const option = estimate.options[chosen];
  const tooLittleDisk = option !== undefined && option.disk_bytes > estimate.free_disk_bytes;
  const tooLittleMemory = (option?.memory_mb ?? 0) > estimate.machine_memory_mb;
  return (
    <section className={classes.card} aria-label={t('packs.estimate')}>
      <h3 className={classes.name}>
        {estimate.name} {estimate.signature && <SignatureBadge signature={estimate.signature} />}
      </h3>
      <p className={classes.facts}>{toFacts(estimate).join(' · ')}</p>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('packs.preset')}</Table.Th>
            <Table.Th>{t('packs.pack_size')}</Table.Th>
            <Table.Th>{t('packs.disk_size')}</Table.Th>
            <Table.Th>{t('packs.memory')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {estimate.options.map(({ preset, pack_bytes, disk_bytes, memory_mb }, index) => (
            <Table.Tr key={preset ?? ''}>
              <Table.Td>
                <Radio
                  name="preset"
                  size="xs"
                  label={preset === null ? t('packs.as_is') : t(`packs.preset_${preset as Preset}`)}
                  checked={index === chosen}
                  onChange={() => setChosen(index)}
                />
              </Table.Td>
              <Table.Td className="lk-num">{bytes(pack_bytes)}</Table.Td>
              <Table.Td className="lk-num">{bytes(disk_bytes)}</Table.Td>
              <Table.Td className="lk-num">{memory_mb === null ? '–' : bytes(memory_mb * mebibyte)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <p className={classes.facts}>
        {t('packs.have', {
          disk: bytes(estimate.free_disk_bytes),
          memory: bytes(estimate.machine_memory_mb * mebibyte),
        })}
      </p>
      {(tooLittleDisk || tooLittleMemory) && (
        <Alert color="orange" variant="light" className={classes.warning}>
          {tooLittleDisk ? t('packs.too_little_disk') : t('packs.too_little_memory')}
        </Alert>
      )}
      {children}
      <div className={classes.actions}>
        <Button onClick={() => onImport((option?.preset ?? null) as Preset | null)} disabled={tooLittleDisk}>
          {t('packs.import_start')}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {t('dialog.cancel')}
        </Button>
      </div>
    </section>
  );
}

function toFacts({ kind, format, architecture, weights, context, source_bytes }: ImportEstimate): string[] {
  const facts = [
    t(`packs.kinds.${kind}`),
    format,
    architecture,
    weights !== null && t('packs.weights', { count: count(Math.round(weights / 1e5) / 10) }),
    context !== null && t('packs.context', { count: context }),
    bytes(source_bytes),
  ];
  return facts.filter((fact) => typeof fact === 'string');
}
