/** A new key. */
import { Button, Group, Modal } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ApiKeyWithSecret } from '../../../../server/api/keys.ts';
import { useChange } from '../../api/queries.ts';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { focusFirstError } from '../../components/input/focus-first-error.ts';
import { t } from '../../strings/t.ts';
import classes from './key-fields.module.css';
import { KeyFields, keepInLists } from './key-fields.tsx';
import { checkForm, emptyForm, toKeyRequest } from './key-form.ts';

interface CreateKeyDialogProps {
  onClose: () => void;
  onCreated: (key: ApiKeyWithSecret) => void;
}

export function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  const [form, setForm] = useState(emptyForm);
  const [tried, setTried] = useState(false);
  const create = useChange('POST /console/keys', ['GET /console/keys']);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    if (Object.keys(checkForm(form)).length > 0) return focusFirstError(event.currentTarget);
    create.mutate({ body: toKeyRequest(form) }, { onSuccess: (key) => onCreated(key) });
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('keys.create_title')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <form onSubmit={submit} onKeyDown={keepInLists} className={classes.form} noValidate>
        <KeyFields form={form} onChange={setForm} tried={tried} />
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
