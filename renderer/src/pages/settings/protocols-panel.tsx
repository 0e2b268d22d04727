/** Protocols of other programs: who may ask, the days that answers and files are kept, and guardrails. */
import { ActionIcon, Button, Select, TagsInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { Settings } from '../../../../server/api/console/console.ts';
import { useRead } from '../../api/queries.ts';
import { Panel } from '../../components/frame/panel.tsx';
import { t } from '../../strings/t.ts';
import { NumberField } from './number-field.tsx';
import type { SettingsPartProps } from './part-props.ts';
import classes from './settings-page.module.css';

type Rule = Settings['guardrails'][0];
const acts = ['off', 'mask', 'block'] as const satisfies Rule['prompt'][];

export function ProtocolsPanel({ form, set, errorOf }: SettingsPartProps) {
  const keys = useRead('GET /console/keys').data?.data ?? [];
  const packs = useRead('GET /console/packs').data?.packs ?? [];
  const live = keys.filter((key) => key.class === 'live' && key.status === 'active');
  const toKeyOption = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });
  const targets = [
    { value: '*', label: t('settings.guardrails.all') },
    ...keys.filter(({ status }) => status === 'active').map(toKeyOption),
    ...packs
      .filter(({ roles }) => roles.includes('svc-lingua-7b'))
      .map(({ ref, name }) => ({ value: ref, label: t('settings.guardrails.pack', { name }) })),
  ];
  return (
    <Panel part="protocols" title={t('settings.protocols')} note={t('settings.protocols_note')}>
      <div className={classes.grid}>
        <Select
          label={t('settings.ollama_key')}
          description={t('settings.ollama_key_note')}
          placeholder={t('settings.ollama_off')}
          clearable
          clearButtonProps={{ 'aria-label': t('settings.ollama_off') }}
          data={withValue(live.map(toKeyOption), form.ollama_key)}
          value={form.ollama_key}
          error={errorOf('ollama_key')}
          onChange={(ollama_key) => set({ ollama_key })}
        />
        <TagsInput
          label={t('settings.mcp_folders')}
          description={t('settings.mcp_folders_note')}
          value={form.mcp_folders}
          error={errorOf('mcp_folders')}
          acceptValueOnBlur
          onChange={(mcp_folders) => set({ mcp_folders })}
        />
        <NumberField
          label={t('settings.responses_days')}
          description={t('settings.responses_days_note')}
          value={form.responses_days}
          error={errorOf('responses_days')}
          onChange={(responses_days) => set({ responses_days })}
        />
        <NumberField
          label={t('settings.files_days')}
          description={t('settings.files_days_note')}
          value={form.files_days}
          error={errorOf('files_days')}
          onChange={(files_days) => set({ files_days })}
        />
      </div>
      <Guardrails rules={form.guardrails} targets={targets} onChange={(guardrails) => set({ guardrails })} />
    </Panel>
  );
}

interface Option {
  value: string;
  label: string;
}

/** A value that is set stays to be seen, also once nothing offers it. */
const withValue = (options: Option[], value: string | null): Option[] =>
  value === null || options.some((option) => option.value === value)
    ? options
    : [...options, { value, label: value }];

interface GuardrailsProps {
  rules: Rule[];
  targets: Option[];
  onChange: (rules: Rule[]) => void;
}

function Guardrails({ rules, targets, onChange }: GuardrailsProps) {
  const actOptions = acts.map((value) => ({ value, label: t(`settings.guardrails.acts.${value}`) }));
  const change = (index: number, patch: Partial<Rule>) =>
    onChange(rules.map((rule, at) => (at === index ? { ...rule, ...patch } : rule)));
  const free = targets.find(({ value }) => !rules.some(({ target }) => target === value));
  return (
    <fieldset style={{ border: 0, margin: '16px 0 0', padding: 0 }}>
      <legend>{t('settings.guardrails.label')}</legend>
      <p>{t('settings.guardrails.note')}</p>
      {rules.map((rule, index) => (
        <div key={rule.target} style={{ display: 'flex', gap: 8, alignItems: 'end', flexWrap: 'wrap' }}>
          <Select
            label={t('settings.guardrails.target')}
            data={withValue(targets, rule.target).filter(
              ({ value }) => value === rule.target || !rules.some(({ target }) => target === value),
            )}
            value={rule.target}
            allowDeselect={false}
            onChange={(target) => target && change(index, { target })}
          />
          <Select
            label={t('settings.guardrails.prompt')}
            data={actOptions}
            value={rule.prompt}
            allowDeselect={false}
            onChange={(prompt) => change(index, { prompt: prompt as Rule['prompt'] })}
          />
          <Select
            label={t('settings.guardrails.answer')}
            data={actOptions}
            value={rule.answer}
            allowDeselect={false}
            onChange={(answer) => change(index, { answer: answer as Rule['answer'] })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('settings.guardrails.remove')}
            onClick={() => onChange(rules.filter((_, at) => at !== index))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button
        variant="default"
        mt={8}
        disabled={!free}
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => free && onChange([...rules, { target: free.value, prompt: 'mask', answer: 'off' }])}
      >
        {t('settings.guardrails.add')}
      </Button>
    </fieldset>
  );
}
