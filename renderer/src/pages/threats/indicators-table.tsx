/** Indicators, defanged unless asked otherwise, to copy or take away as CSV or STIX. */
import { Button, Menu, Switch, Table } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyButton } from '../../components/code/copy-button.tsx';
import { Confidence } from '../../components/data/confidence.tsx';
import { Empty } from '../../components/feedback/empty.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { download } from '../../export/download.ts';
import { t } from '../../strings/t.ts';
import { defang, type Indicator, indicatorsCsv, type ThreatOutcome } from './indicators.ts';
import classes from './indicators-table.module.css';
import { toStixBundle } from './stix.ts';

export function IndicatorsTable({ outcome }: { outcome: ThreatOutcome }) {
  const [safe, setSafe] = useState(true);
  const { indicators } = outcome;
  const show = (indicator: Indicator) => (safe ? defang(indicator) : indicator.value);
  return (
    <Panel
      title={t('threats.indicators')}
      note={indicators.length}
      flush
      actions={
        <>
          <Switch
            label={t('threats.defanged')}
            checked={safe}
            onChange={(event) => setSafe(event.currentTarget.checked)}
          />
          <CopyButton value={indicators.map(show).join('\n')} label={t('threats.copy_all')} />
          <SaveMenu outcome={outcome} />
        </>
      }
    >
      {indicators.length === 0 ? (
        <Empty title={t('threats.no_indicators')} />
      ) : (
        <Table verticalSpacing={3}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('threats.type')}</Table.Th>
              <Table.Th>{t('threats.value')}</Table.Th>
              <Table.Th>{t('threats.confidence')}</Table.Th>
              <Table.Th aria-label={t('threats.copy')} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {indicators.map((indicator) => (
              <Table.Tr key={`${indicator.type} ${indicator.value}`}>
                <Table.Td className={classes.type}>{t(`threats.types.${indicator.type}`)}</Table.Td>
                <Table.Td className={`lk-mono ${classes.value}`}>
                  {show(indicator)}
                  {indicator.scope !== 'public' && <span className={classes.note}>{indicator.scope}</span>}
                </Table.Td>
                <Table.Td>
                  <Confidence value={indicator.confidence} neutral />
                </Table.Td>
                <Table.Td>
                  <CopyButton
                    value={show(indicator)}
                    label={t('threats.copy_value', { value: show(indicator) })}
                    small
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Panel>
  );
}

function SaveMenu({ outcome }: { outcome: ThreatOutcome }) {
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />}>
          {t('documents.save')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => download('indicators.csv', indicatorsCsv(outcome.indicators), 'text/csv')}>
          {t('threats.save_csv')}
        </Menu.Item>
        <Menu.Item
          onClick={() => download('analysis.stix.json', JSON.stringify(toStixBundle(outcome), null, 2))}
        >
          {t('threats.save_stix')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
