/** Everything a key can be given. */
import { Button, MultiSelect, SegmentedControl, Select, TagsInput, TextInput } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import type { KeyClass, ModelId, Plan, Scope } from '../../../../server/api/common.ts';
import { modelNames, planNames, scopeNames } from '../../components/data/models.ts';
import { t, tn } from '../../strings/t.ts';
import classes from './key-fields.module.css';
import { checkForm, dayIn, type KeyForm, refusedModels } from './key-form.ts';

interface KeyFieldsProps {
  form: KeyForm;
  onChange: (form: KeyForm) => void;
  /** Sent before: missing fields are not named while the form is being filled in. */
  tried: boolean;
  /** The class of a key that exists never changes. */
  classFixed?: boolean;
}

export function KeyFields({ form, onChange, tried, classFixed = false }: KeyFieldsProps) {
  const problems = checkForm(form);
  const errorOf = (field: keyof KeyForm) => {
    const problem = problems[field];
    return problem && (tried || field === 'cidrs' || field === 'models')
      ? t(`keys.problems.${problem}`)
      : null;
  };
  const set = (change: Partial<KeyForm>) => onChange({ ...form, ...change });
  return (
    <>
      <TextInput
        data-autofocus
        label={t('keys.name')}
        description={t('keys.name_note')}
        value={form.name}
        error={errorOf('name')}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <div className={classes.pair}>
        {!classFixed && <ClassControl value={form.class} onChange={(value) => set({ class: value })} />}
        <Select
          label={t('keys.plan')}
          data={planNames.map((value) => ({ value, label: t(`keys.plans.${value}`) }))}
          value={form.plan}
          allowDeselect={false}
          onChange={(value) => set({ plan: (value ?? 'free') as Plan })}
        />
      </div>
      <MultiSelect
        label={t('keys.scopes')}
        description={t('keys.scopes_note')}
        data={scopeNames}
        value={form.scopes}
        searchable
        selectFirstOptionOnChange
        clearable
        clearButtonProps={{ 'aria-label': t('keys.clear') }}
        onChange={(value) => set({ scopes: value as Scope[] })}
      />
      <MultiSelect
        label={t('keys.models')}
        description={modelsNote(form)}
        data={modelNames}
        value={form.models}
        error={errorOf('models')}
        searchable
        selectFirstOptionOnChange
        clearable
        clearButtonProps={{ 'aria-label': t('keys.clear') }}
        onChange={(value) => set({ models: value as ModelId[] })}
      />
      <TagsInput
        label={t('keys.cidrs')}
        description={t('keys.cidrs_note')}
        value={form.cidrs}
        error={errorOf('cidrs')}
        splitChars={[',', ' ', '\n']}
        acceptValueOnBlur
        onChange={(cidrs) => set({ cidrs })}
      />
      <div className={classes.end}>
        <TextInput
          type="date"
          w={200}
          label={t('keys.expires')}
          description={t('keys.expires_note')}
          value={form.expires}
          error={errorOf('expires')}
          onChange={(event) => set({ expires: event.currentTarget.value })}
        />
        {usualDays.map((days) => (
          <Button key={days} variant="default" onClick={() => set({ expires: dayIn(days) })}>
            {tn('keys.expires_in', days)}
          </Button>
        ))}
      </div>
    </>
  );
}

/** A live key of the plan free is refused by models under trial, whatever its scopes and models say. */
function modelsNote(form: KeyForm): string {
  const refused = refusedModels(form);
  const note = t('keys.models_note');
  return refused.length === 0 ? note : `${note} ${t('keys.models_refused', { models: refused.join(', ') })}`;
}

/**
 * Enter in a field with a list is for the list: a dialog half filled in must not make a key that may do everything.
 * For the form around the fields.
 */
export function keepInLists(event: KeyboardEvent<HTMLFormElement>): void {
  const field = (event.target as Element).closest('input[role=combobox], input[aria-haspopup=listbox]');
  if (event.key === 'Enter' && field) event.preventDefault();
}

/** A week, a month and a year. */
const usualDays = [7, 30, 365] as const;

interface ClassControlProps {
  value: KeyClass;
  onChange: (value: KeyClass) => void;
}

function ClassControl({ value, onChange }: ClassControlProps) {
  return (
    <div>
      <div className={classes.label} id="key-class">
        {t('keys.class')}
      </div>
      <SegmentedControl
        aria-labelledby="key-class"
        data={(['live', 'test'] as const).map((each) => ({ value: each, label: t(`keys.classes.${each}`) }))}
        value={value}
        onChange={(chosen) => onChange(chosen as KeyClass)}
      />
      <div className={classes.note}>{t(`keys.class_note.${value}`)}</div>
    </div>
  );
}
