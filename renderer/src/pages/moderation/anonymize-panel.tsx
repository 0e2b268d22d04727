/** The text without its personal data; with a secret of the person's own it can be brought back here. */
import { Button, PasswordInput, Select, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { AnonymizeRequest } from '../../../../server/api/services/redaction.ts';
import { useChange } from '../../api/queries.ts';
import { CopyButton } from '../../components/code/copy-button.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { t, tn } from '../../strings/t.ts';
import classes from './anonymize-panel.module.css';

type Method = NonNullable<AnonymizeRequest['method']>;

const methods = ['pseudonym', 'mask', 'encrypt'] as const satisfies Method[];
const minSecret = 16;

export function AnonymizePanel({ text }: { text: string }) {
  const [method, setMethod] = useState<Method>('pseudonym');
  const [secret, setSecret] = useState('');
  const [last, setResult] = useState<{ of: string; text: string; note: string } | null>(null);
  /** Of another text it would mislead. */
  const result = last?.of === text ? last : null;
  const hide = useChange('POST /v1/text/anonymize');
  const restore = useChange('POST /v1/text/deanonymize');
  const [error, setError] = useState<Error | null>(null);
  const encrypts = method === 'encrypt';
  const ready = !encrypts || secret.length >= minSecret;
  const fail = (problem: Error) => setError(problem);

  function anonymize() {
    setError(null);
    hide.mutate(
      { body: { text, method, ...(encrypts && { key: secret }) } },
      {
        onSuccess: (answer) =>
          setResult({ of: text, text: answer.text, note: tn('moderation.replaced', answer.entities.length) }),
        onError: fail,
      },
    );
  }

  function bringBack() {
    setError(null);
    restore.mutate(
      { body: { text: result?.text ?? text, key: secret } },
      {
        onSuccess: (answer) =>
          setResult({ of: text, text: answer.text, note: tn('moderation.restored', answer.restored) }),
        onError: fail,
      },
    );
  }

  return (
    <Panel title={t('moderation.anonymize')} note={t('moderation.anonymize_note')}>
      <div className={classes.bar}>
        <Select
          w={270}
          aria-label={t('moderation.anonymize_method')}
          data={methods.map((value) => ({ value, label: t(`moderation.methods.${value}`) }))}
          value={method}
          allowDeselect={false}
          onChange={(value) => setMethod((value ?? 'mask') as Method)}
        />
        {encrypts && (
          <PasswordInput
            className={classes.secret}
            aria-label={t('moderation.anonymize_secret')}
            placeholder={t('moderation.anonymize_secret')}
            autoComplete="off"
            value={secret}
            onChange={(event) => setSecret(event.currentTarget.value)}
          />
        )}
        <Button onClick={anonymize} loading={hide.isPending} disabled={!ready || !text.trim()}>
          {t('moderation.anonymize')}
        </Button>
        {encrypts && (
          <Button
            variant="default"
            onClick={bringBack}
            loading={restore.isPending}
            disabled={!ready || !(result?.text ?? text).trim()}
          >
            {t('moderation.bring_back')}
          </Button>
        )}
      </div>
      <ProblemNote error={error} />
      {result && (
        <div className={classes.result} role="status">
          <Textarea
            aria-label={t('moderation.anonymized')}
            autosize
            maxRows={18}
            readOnly
            value={result.text}
          />
          <div className={classes.foot}>
            <span>{result.note}</span>
            <CopyButton value={result.text} label={t('moderation.copy_anonymized')} />
          </div>
        </div>
      )}
    </Panel>
  );
}
