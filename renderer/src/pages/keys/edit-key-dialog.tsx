/** Changes to a key; they hold from its next request on. */
import { Button, Group, Modal } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ApiKey } from '../../../../server/api/keys.ts';
import { useChange } from '../../api/queries.ts';
import { notifyDone } from '../../components/feedback/notify.ts';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { focusFirstError } from '../../components/input/focus-first-error.ts';
import { t } from '../../strings/t.ts';
import classes from './key-fields.module.css';
import { KeyFields, keepInLists } from './key-fields.tsx';
import { checkForm, fromKey, toChange } from './key-form.ts';

interface EditKeyDialogProps {
  apiKey: ApiKey;
  onClose: () => void;
}

export function EditKeyDialog({ apiKey, onClose }: EditKeyDialogProps) {
  const [form, setForm] = useState(() => fromKey(apiKey));
  const [tried, setTried] = useState(false);
  const edit = useChange('PATCH /console/keys/{id}', ['GET /console/keys']);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    if (Object.keys(checkForm(form)).length > 0) return focusFirstError(event.currentTarget);
    const done = () => {
      notifyDone(t('keys.edited', { name: form.name.trim() }));
      onClose();
    };
    edit.mutate({ params: { id: apiKey.id }, body: toChange(form, apiKey) }, { onSuccess: done });
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('keys.edit_name', { name: apiKey.name })}
      size="lg"
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <form onSubmit={submit} onKeyDown={keepInLists} className={classes.form} noValidate>
        <KeyFields form={form} onChange={setForm} tried={tried} classFixed />
        <ProblemNote error={edit.error} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('dialog.cancel')}
          </Button>
          <Button type="submit" loading={edit.isPending}>
            {t('keys.save')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
