/** Indicators, those worth following up first, defanged unless asked otherwise, to copy or take away as CSV or STIX. */
import { Button, Menu, Switch, Table } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyButton } from '../../components/code/copy-button.tsx';
import { Confidence } from '../../components/data/confidence.tsx';
import { Empty } from '../../components/feedback/empty.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { download } from '../../export/download.ts';
import { t, tn } from '../../strings/t.ts';
import { findingsCsv } from './evidence.ts';
import { defang, type Indicator, indicatorsCsv, partIndicators, type ThreatOutcome } from './indicators.ts';
import classes from './indicators-table.module.css';
import { toStixBundle } from './stix.ts';

export function IndicatorsTable({ outcome, file }: { outcome: ThreatOutcome; file: string | null }) {
  const [safe, setSafe] = useState(true);
  const [all, setAll] = useState(false);
  const { worth, others } = partIndicators(outcome.indicators);
  const indicators = all ? [...worth, ...others] : worth;
  const show = (indicator: Indicator) => (safe ? defang(indicator) : indicator.value);
  return (
    <Panel
      title={t('threats.indicators')}
      note={
        others.length > 0
          ? t('threats.worth_of', { worth: worth.length, total: outcome.indicators.length })
          : worth.length
      }
      flush
      actions={
        <>
          <Switch
            label={t('threats.defanged')}
            checked={safe}
            onChange={(event) => setSafe(event.currentTarget.checked)}
          />
          <CopyButton value={indicators.map(show).join('\n')} label={t('threats.copy_all')} />
          <IndicatorsMenu outcome={outcome} file={file} />
        </>
      }
    >
      {indicators.length === 0 ? (
        <Empty title={t(others.length > 0 ? 'threats.none_worth' : 'threats.no_indicators')} />
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
                  {indicator.scope !== 'public' && (
                    <span className={classes.note}>{scopeText(indicator.scope)}</span>
                  )}
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
      {others.length > 0 && (
        <div className={classes.others}>
          <Button variant="subtle" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? t('threats.fewer') : tn('threats.others', others.length)}
          </Button>
        </div>
      )}
    </Panel>
  );
}

const scopes = [
  'documentation',
  'private',
  'loopback',
  'shared',
  'well-known',
  'internal',
  'system',
] as const;

/** The usual scopes in words; a rare range keeps its technical name. */
function scopeText(scope: string): string {
  const known = scopes.find((each) => each === scope);
  return known ? t(`threats.scopes.${known}`) : scope;
}

function IndicatorsMenu({ outcome, file }: { outcome: ThreatOutcome; file: string | null }) {
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
        <Menu.Item onClick={() => download('findings.csv', findingsCsv(outcome.findings, file), 'text/csv')}>
          {t('threats.save_findings')}
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
