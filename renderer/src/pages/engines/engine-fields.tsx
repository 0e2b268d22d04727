/** Everything that is asked about a remote engine. */
import {
  Autocomplete,
  Fieldset,
  NumberInput,
  PasswordInput,
  Select,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import { regions } from '../../../../server/api/common.ts';
import { type RemoteEngineKind, remoteEngineKinds } from '../../../../server/api/console/engines.ts';
import { t } from '../../strings/t.ts';
import classes from './engine-fields.module.css';
import { checkEngine, type EngineForm, rolesOfKind } from './engine-form.ts';

interface EngineFieldsProps {
  form: EngineForm;
  onChange: (form: EngineForm) => void;
  /** Sent before: what is missing is not named while the form is being filled in. */
  tried: boolean;
  /** Names of models that a trial found. */
  found?: string[];
  hasSecret?: boolean;
}

export function EngineFields({ form, onChange, tried, found = [], hasSecret = false }: EngineFieldsProps) {
  const problems = checkEngine(form);
  const errorOf = (field: keyof EngineForm) => {
    const problem = problems[field];
    return problem && tried ? t(`engines.problems.${problem}`) : null;
  };
  const set = (change: Partial<EngineForm>) => onChange({ ...form, ...change });
  return (
    <>
      <div className={classes.pair}>
        <TextInput
          data-autofocus
          label={t('engines.name')}
          value={form.name}
          error={errorOf('name')}
          spellCheck={false}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <Select
          label={t('engines.kind')}
          data={remoteEngineKinds.map((value) => ({ value, label: t(`engines.kinds.${value}`) }))}
          value={form.kind}
          allowDeselect={false}
          onChange={(value) => set({ kind: (value ?? 'openai') as RemoteEngineKind })}
        />
      </div>
      <div className={classes.note}>{t(`engines.kind_note.${form.kind}`)}</div>
      <TextInput
        label={t('engines.url')}
        description={t('engines.url_note')}
        placeholder="http://127.0.0.1:8080"
        value={form.url}
        error={errorOf('url')}
        spellCheck={false}
        onChange={(event) => set({ url: event.currentTarget.value })}
      />
      <PasswordInput
        size="xs"
        label={t('engines.secret')}
        description={hasSecret ? t('engines.secret_keep') : t('engines.secret_note')}
        value={form.secret}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-hidden': true }}
        onChange={(event) => set({ secret: event.currentTarget.value })}
      />
      <Fieldset legend={t('engines.models')} className={classes.models}>
        <div className={classes.note}>{t('engines.models_note')}</div>
        {rolesOfKind[form.kind].map((role) => (
          <Autocomplete
            key={role}
            size="xs"
            label={role}
            data={found}
            value={form.models[role] ?? ''}
            onChange={(model) => set({ models: { ...form.models, [role]: model } })}
          />
        ))}
      </Fieldset>
      <div className={classes.three}>
        <Select
          label={t('engines.region')}
          data={[{ value: '', label: t('engines.no_region') }, ...regions]}
          value={form.region}
          allowDeselect={false}
          onChange={(value) => set({ region: (value ?? '') as EngineForm['region'] })}
        />
        <NumberInput
          label={t('engines.weight')}
          min={1}
          max={1000}
          value={form.weight}
          onChange={(value) => set({ weight: Number(value) || 1 })}
        />
        <NumberInput
          label={t('engines.concurrency')}
          min={1}
          max={100_000}
          value={form.concurrency}
          onChange={(value) => set({ concurrency: Number(value) || 1 })}
        />
      </div>
      <Fieldset legend={t('engines.more')} className={classes.models}>
        <TextInput
          label={t('engines.fingerprint')}
          description={t('engines.fingerprint_note')}
          value={form.fingerprint}
          error={errorOf('fingerprint')}
          spellCheck={false}
          onChange={(event) => set({ fingerprint: event.currentTarget.value })}
        />
        <Textarea
          label={t('engines.ca')}
          placeholder="-----BEGIN CERTIFICATE-----"
          autosize
          minRows={1}
          maxRows={5}
          value={form.ca}
          spellCheck={false}
          onChange={(event) => set({ ca: event.currentTarget.value })}
        />
        <Switch
          label={t('engines.pseudonyms')}
          description={t('engines.pseudonyms_note')}
          checked={form.pseudonyms}
          onChange={(event) => set({ pseudonyms: event.currentTarget.checked })}
        />
        <Switch
          color="red"
          label={t('engines.allow_http')}
          description={t('engines.allow_http_note')}
          checked={form.allowHttp}
          onChange={(event) => set({ allowHttp: event.currentTarget.checked })}
        />
      </Fieldset>
    </>
  );
}
