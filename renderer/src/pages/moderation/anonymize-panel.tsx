/** The text without its personal data, place by place as chosen; with a secret of the person's own it can be brought back here. */
import { Button, Checkbox, PasswordInput, Select, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { encodedContent, encodedMessage } from '../../../../server/api/services/encoded-text.ts';
import { type AnonymizeRequest, anonymizeMethods } from '../../../../server/api/services/redaction.ts';
import { useChange } from '../../api/queries.ts';
import { CopyButton } from '../../components/code/copy-button.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { download } from '../../export/download.ts';
import { t, tn } from '../../strings/t.ts';
import classes from './anonymize-panel.module.css';
import { leftAgain, placesByKind, type ReplacedPlace, replacePlaces } from './anonymized.ts';
import { kindName } from './spans-view.tsx';

type Method = NonNullable<AnonymizeRequest['method']>;

const minSecret = 16;

/** Texts hold for the text they were made of: beside another they would mislead. */
type Last =
  | { of: string; method: Method; places: ReplacedPlace[]; left: ReadonlySet<number> }
  | { of: string; restored: string; count: number };

export function AnonymizePanel({ text }: { text: string }) {
  const [method, setMethod] = useState<Method>('mask');
  const [secret, setSecret] = useState('');
  const [latest, setLast] = useState<Last | null>(null);
  const last = latest?.of === text && ('restored' in latest || latest.method === method) ? latest : null;
  /** Places that the person left as they are, whichever way the others are replaced. */
  const chosen = useRef<{ of: string; left: readonly ReplacedPlace[] }>({ of: '', left: [] });
  const hide = useChange('POST /v1/text/anonymize');
  const restore = useChange('POST /v1/text/deanonymize');
  const [error, setError] = useState<Error | null>(null);
  const encrypts = method === 'encrypt';
  const ready = !encrypts || secret.length >= minSecret;
  const replaced = last && 'places' in last ? last : null;
  const result = replaced
    ? replacePlaces(text, replaced.places, replaced.left)
    : last && 'restored' in last
      ? last.restored
      : null;

  function anonymize() {
    const encoded = encodedContent(text);
    setError(encoded === null ? null : new Error(encodedMessage(encoded)));
    if (encoded !== null) return;
    hide.mutate(
      { body: { text, method, ...(encrypts && { key: secret }) } },
      {
        onSuccess: ({ entities }) => {
          const before = chosen.current.of === text ? chosen.current.left : [];
          setLast({ of: text, method, places: entities, left: leftAgain(before, entities) });
        },
        onError: setError,
      },
    );
  }

  function bringBack() {
    setError(null);
    restore.mutate(
      { body: { text: result ?? text, key: secret } },
      {
        onSuccess: (answer) => setLast({ of: text, restored: answer.text, count: answer.restored }),
        onError: setError,
      },
    );
  }

  return (
    <Panel title={t('moderation.anonymize')} note={t('moderation.anonymize_note')}>
      <div className={classes.bar}>
        <Select
          w={270}
          aria-label={t('moderation.anonymize_method')}
          data={anonymizeMethods.map((value) => ({ value, label: t(`moderation.methods.${value}`) }))}
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
            disabled={!ready || !(result ?? text).trim()}
          >
            {t('moderation.bring_back')}
          </Button>
        )}
      </div>
      <p className={classes.note}>{t(`moderation.method_notes.${method}`)}</p>
      <ProblemNote error={error} />
      {replaced && (
        <Places
          text={text}
          places={replaced.places}
          left={replaced.left}
          onLeft={(left) => {
            chosen.current = { of: text, left: replaced.places.filter((_, index) => left.has(index)) };
            setLast({ ...replaced, left });
          }}
        />
      )}
      {last && result !== null && (
        <div className={classes.result}>
          <Textarea
            aria-label={t('restored' in last ? 'moderation.restored_text' : 'moderation.anonymized')}
            autosize
            maxRows={18}
            readOnly
            value={result}
          />
          <div className={classes.foot}>
            <span role="status">
              {'restored' in last
                ? tn('moderation.restored', last.count)
                : tn('moderation.replaced', last.places.length - last.left.size)}
            </span>
            <span className={classes.take}>
              <CopyButton value={result} label={t('moderation.copy_anonymized')} />
              <Button
                variant="default"
                size="xs"
                onClick={() =>
                  download('restored' in last ? 'restored.txt' : 'anonymized.txt', result, 'text/plain')
                }
              >
                {t('moderation.save_anonymized')}
              </Button>
            </span>
          </div>
        </div>
      )}
    </Panel>
  );
}

interface PlacesProps {
  text: string;
  places: readonly ReplacedPlace[];
  /** Indices of the places that stay as they are. */
  left: ReadonlySet<number>;
  onLeft: (left: ReadonlySet<number>) => void;
}

/** Each place by its kind, to be left as it is alone or with all of its kind. */
function Places({ text, places, left, onLeft }: PlacesProps) {
  if (places.length === 0) return null;
  function set(indices: readonly number[], replace: boolean) {
    const next = new Set(left);
    for (const index of indices) replace ? next.delete(index) : next.add(index);
    onLeft(next);
  }
  return (
    <fieldset className={classes.places} aria-label={t('moderation.places')}>
      {placesByKind(places).map(({ kind, indices }) => {
        const replaced = indices.filter((index) => !left.has(index)).length;
        return (
          <details key={kind} className={classes.kind}>
            <summary>
              <Checkbox
                label={t('moderation.kind_places', { kind: kindName(kind), count: indices.length })}
                checked={replaced === indices.length}
                indeterminate={replaced > 0 && replaced < indices.length}
                onChange={(event) => set(indices, event.currentTarget.checked)}
              />
            </summary>
            {indices.map((index) => {
              const { start, end, replacement } = places[index] as ReplacedPlace;
              return (
                <Checkbox
                  key={index}
                  label={
                    <>
                      {text.slice(start, end)} → <span className={classes.sign}>{replacement}</span>
                    </>
                  }
                  checked={!left.has(index)}
                  onChange={(event) => set([index], event.currentTarget.checked)}
                />
              );
            })}
          </details>
        );
      })}
    </fieldset>
  );
}
