/** The button and dialog that hand out a document with chosen places painted over. */
import { Alert, Button, Checkbox, Loader, Modal } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import type { DocumentsRequest, DocumentsResult } from '../../../../../server/api/documents.ts';
import { ProblemNote } from '../../../components/feedback/problem-note.tsx';
import { t } from '../../../strings/t.ts';
import { toLabel } from '../field-groups.ts';
import type { SourceFile } from '../source-file.ts';
import classes from './redaction.module.css';
import { type Target, toTargets } from './redaction-plan.ts';
import { type RedactionState, useRedaction } from './use-redaction.ts';

interface RedactionProps {
  source: SourceFile;
  result: DocumentsResult;
  request: DocumentsRequest;
}

export function Redaction({ source, result, request }: RedactionProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconEyeOff size={14} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('documents.redact')}
      </Button>
      <Modal
        opened={open}
        onClose={() => setOpen(false)}
        title={t('documents.redact_title')}
        closeButtonProps={{ 'aria-label': t('dialog.close') }}
        size="lg"
      >
        <RedactionForm source={source} request={request} targets={toTargets(result)} />
      </Modal>
    </>
  );
}

interface FormProps {
  source: SourceFile;
  request: DocumentsRequest;
  targets: Target[];
}

function RedactionForm({ source, request, targets }: FormProps) {
  const personal = targets.filter((target) => target.personal).map(({ id }) => id);
  const [chosen, setChosen] = useState<string[]>(personal);
  const { state, run } = useRedaction(source, request);
  const busy = state.phase === 'painting' || state.phase === 'checking';
  return (
    <div className={classes.form}>
      <p className={classes.note}>{t('documents.redact_note')}</p>
      <Checkbox.Group value={chosen} onChange={setChosen} aria-label={t('documents.redact_fields')}>
        <ul className={classes.list}>
          {targets.map(({ id, label, text, page }) => (
            <li key={id}>
              <Checkbox value={id} label={toLabel(label)} disabled={busy} />
              <span className={classes.text}>{text.replaceAll('\n', ' ')}</span>
              <span className={classes.note}>{t('documents.on_page', { page })}</span>
            </li>
          ))}
        </ul>
      </Checkbox.Group>
      <Outcome state={state} />
      <div className={classes.foot}>
        <Button
          disabled={chosen.length === 0 || busy}
          onClick={() => void run(targets.filter(({ id }) => chosen.includes(id)))}
        >
          {t('documents.redact_run', { count: chosen.length })}
        </Button>
      </div>
    </div>
  );
}

function Outcome({ state }: { state: RedactionState }) {
  switch (state.phase) {
    case 'choosing':
      return null;
    case 'painting':
    case 'checking':
      return (
        <div role="status" className={classes.busy}>
          <Loader size="xs" /> {t(`documents.redact_${state.phase}`)}
        </div>
      );
    case 'done':
      return (
        <Alert color="green" role="status">
          {t('documents.redact_done', { pages: state.pages })}
        </Alert>
      );
    case 'readable':
      return (
        <Alert color="red" role="alert" title={t('documents.redact_readable')}>
          {state.left.map(({ label }) => toLabel(label)).join(', ')}
        </Alert>
      );
    case 'failed':
      return <ProblemNote error={state.error} />;
  }
}
