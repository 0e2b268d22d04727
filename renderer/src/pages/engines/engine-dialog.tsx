/** Adds an engine or changes one; once saved it shows what the trial found. */
import { Button, Group, Modal } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { RemoteEngine } from '../../../../server/api/console/engines.ts';
import { useChange } from '../../api/queries.ts';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { focusFirstError } from '../../components/input/focus-first-error.ts';
import { t } from '../../strings/t.ts';
import classes from './engine-fields.module.css';
import { EngineFields } from './engine-fields.tsx';
import { checkEngine, emptyEngine, toAddRequest, toChangeRequest, toForm } from './engine-form.ts';

interface EngineDialogProps {
  /** Changes this one; else adds one. */
  engine?: RemoteEngine;
  onClose: () => void;
  onSaved: (engine: RemoteEngine) => void;
}

export function EngineDialog({ engine, onClose, onSaved }: EngineDialogProps) {
  const [form, setForm] = useState(engine ? toForm(engine) : emptyEngine);
  const [tried, setTried] = useState(false);
  const add = useChange('POST /console/engines', ['GET /console/engines']);
  const change = useChange('PATCH /console/engines/{id}', ['GET /console/engines']);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    if (Object.keys(checkEngine(form)).length > 0) return focusFirstError(event.currentTarget);
    const then = { onSuccess: onSaved };
    if (engine) change.mutate({ params: { id: engine.id }, body: toChangeRequest(form) }, then);
    else add.mutate({ body: toAddRequest(form) }, then);
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={engine ? t('engines.edit_name', { name: engine.name }) : t('engines.add_title')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <form onSubmit={submit} className={classes.form} noValidate>
        <EngineFields
          form={form}
          onChange={setForm}
          tried={tried}
          found={engine?.trial?.found ?? []}
          hasSecret={engine?.has_secret ?? false}
        />
        <ProblemNote error={add.error ?? change.error} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('dialog.cancel')}
          </Button>
          <Button type="submit" loading={add.isPending || change.isPending}>
            {engine ? t('engines.save') : t('engines.add')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
