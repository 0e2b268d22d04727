/** Everything a key can be given, in one form. */
import {
  Button,
  Group,
  Modal,
  MultiSelect,
  SegmentedControl,
  Select,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { KeyClass, ModelId, Plan, Scope } from '../../../../server/api/common.ts';
import type { ApiKeyWithSecret } from '../../../../server/api/keys.ts';
import { useChange } from '../../api/queries.ts';
import { modelNames, planNames, scopeNames } from '../../components/data/models.ts';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { t } from '../../strings/t.ts';
import classes from './create-key-dialog.module.css';
import { checkForm, emptyForm, type KeyForm, toRequest } from './key-form.ts';

interface CreateKeyDialogProps {
  onClose: () => void;
  onCreated: (key: ApiKeyWithSecret) => void;
}

export function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  const [form, setForm] = useState(emptyForm);
  const [tried, setTried] = useState(false);
  const create = useChange('POST /console/keys', ['GET /console/keys']);
  const problems = checkForm(form);
  const errorOf = (field: keyof KeyForm) => {
    const problem = problems[field];
    return problem && (tried || field === 'cidrs') ? t(`keys.problems.${problem}`) : null;
  };
  const set = (change: Partial<KeyForm>) => setForm({ ...form, ...change });

  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (Object.keys(problems).length > 0) return;
    create.mutate({ body: toRequest(form) }, { onSuccess: (key) => onCreated(key) });
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('keys.create_title')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <form onSubmit={submit} className={classes.form} noValidate>
        <TextInput
          data-autofocus
          label={t('keys.name')}
          description={t('keys.name_note')}
          value={form.name}
          error={errorOf('name')}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <div className={classes.pair}>
          <div>
            <div className={classes.label} id="key-class">
              {t('keys.class')}
            </div>
            <SegmentedControl
              aria-labelledby="key-class"
              data={(['live', 'test'] as const).map((value) => ({
                value,
                label: t(`keys.classes.${value}`),
              }))}
              value={form.class}
              onChange={(value) => set({ class: value as KeyClass })}
            />
            <div className={classes.note}>{t(`keys.class_note.${form.class}`)}</div>
          </div>
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
          clearable
          clearButtonProps={{ 'aria-label': t('keys.clear') }}
          onChange={(value) => set({ scopes: value as Scope[] })}
        />
        <MultiSelect
          label={t('keys.models')}
          description={t('keys.models_note')}
          data={modelNames}
          value={form.models}
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
        <TextInput
          type="date"
          w={200}
          label={t('keys.expires')}
          description={t('keys.expires_note')}
          value={form.expires}
          error={errorOf('expires')}
          onChange={(event) => set({ expires: event.currentTarget.value })}
        />
        <ProblemNote error={create.error} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('dialog.cancel')}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t('keys.create')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
