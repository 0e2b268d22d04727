import { Badge, Switch, Table } from '@mantine/core';
import type { Rule, RuleSwitch } from '../../../../server/api/console/rules.ts';
import { t } from '../../strings/t.ts';
import { SeverityBadge } from '../threats/severity-badge.tsx';
import classes from './rule-table.module.css';

interface RuleTableProps {
  rules: Rule[];
  onSwitch: (change: RuleSwitch) => void;
}

export function RuleTable({ rules, onSwitch }: RuleTableProps) {
  return (
    <Table className={classes.table}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('rules.on')}</Table.Th>
          <Table.Th>{t('rules.rule')}</Table.Th>
          <Table.Th>{t('rules.level')}</Table.Th>
          <Table.Th>{t('rules.techniques')}</Table.Th>
          <Table.Th>{t('rules.author')}</Table.Th>
          <Table.Th>{t('rules.source')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rules.map((rule) => (
          <Table.Tr key={rule.id} data-off={!rule.enabled || undefined}>
            <Table.Td>
              <Switch
                size="xs"
                aria-label={t('rules.switch_name', { name: rule.title })}
                checked={rule.enabled}
                onChange={(event) => onSwitch({ ids: [rule.id], enabled: event.currentTarget.checked })}
              />
            </Table.Td>
            <Table.Td>
              <div className={classes.title}>{rule.title}</div>
              <div className={`lk-mono ${classes.note}`}>{rule.id}</div>
            </Table.Td>
            <Table.Td>
              <SeverityBadge level={rule.level} />
            </Table.Td>
            <Table.Td className="lk-mono">{rule.techniques.join(', ')}</Table.Td>
            <Table.Td className={classes.author}>{rule.author}</Table.Td>
            <Table.Td>
              <Badge color={rule.origin === 'imported' ? 'blue' : 'teal'}>
                {t(`rules.origins.${rule.origin}`)}
              </Badge>
              <div className={`lk-mono ${classes.note} ${classes.file}`} title={rule.file}>
                {rule.file}
              </div>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
