/** Findings of a live trial of an engine: a line a check, and what each of its models can do. */
import { Badge, Table, Text } from '@mantine/core';
import type { EngineCheck, EngineTrial } from '../../../../server/api/console/engines.ts';
import { count, milliseconds } from '../../format/numbers.ts';
import { ago } from '../../format/time.ts';
import { t } from '../../strings/t.ts';

const colors = { passed: 'teal', failed: 'red', absent: 'gray', skipped: 'gray' } as const;

export function TrialView({ trial }: { trial: EngineTrial }) {
  return (
    <>
      <Text size="sm" role="status" c={trial.passed ? undefined : 'red'}>
        {trial.summary} {trial.passed ? t('engines.passed') : t('engines.failed')}
      </Text>
      <Text size="xs" c="dimmed">
        {[trial.server, trial.address, t('engines.trial_time', { when: ago(trial.time) })]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {trial.found.length > 0 && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {t('engines.found', { models: trial.found.slice(0, 20).join(', ') })}
        </Text>
      )}
      {trial.models.map((model) => (
        <Text size="xs" key={`${model.role} ${model.model}`}>
          <b>{model.role}</b> {model.model}
          {model.context !== null && ` · ${t('engines.context', { tokens: model.context })}`}
          {model.tokens_per_second !== null &&
            ` · ${t('engines.speed', { tokens: count(Math.round(model.tokens_per_second)) })}`}
          {model.first_byte_ms !== null && ` · ${t('engines.latency')} ${milliseconds(model.first_byte_ms)}`}
        </Text>
      ))}
      <Table mt={8} verticalSpacing={3}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('engines.check')}</Table.Th>
            <Table.Th>{t('engines.outcome')}</Table.Th>
            <Table.Th>{t('engines.detail')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {trial.checks.map((check) => (
            <CheckRow key={`${check.name} ${check.model}`} check={check} />
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

function CheckRow({ check: { detail, model, ms, name, outcome } }: { check: EngineCheck }) {
  return (
    <Table.Tr>
      <Table.Td>{model === null ? name : `${name} (${model})`}</Table.Td>
      <Table.Td>
        <Badge color={colors[outcome]}>{t(`engines.outcomes.${outcome}`)}</Badge>
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {detail}
        {ms !== null && ` (${milliseconds(ms)})`}
      </Table.Td>
    </Table.Tr>
  );
}
