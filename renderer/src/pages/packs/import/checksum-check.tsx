/** Compares the files that arrived with the checksum that their publisher names; the person brings it. */
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useChange } from '../../../api/queries.ts';
import { ProblemNote } from '../../../components/feedback/problem-note.tsx';
import { t } from '../../../strings/t.ts';
import { readChecksum } from '../catalogue/advice.ts';
import classes from './checksum-check.module.css';
import type { Source } from './use-import.ts';

export function ChecksumCheck({ source }: { source: Source }) {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState<string | null>(null);
  const hash = useChange('POST /console/packs/checksum');
  const wanted = readChecksum(text);
  const files = hash.data?.data ?? [];
  const match = files.find(({ sha256 }) => sha256 === asked);

  function check(event: FormEvent) {
    event.preventDefault();
    if (!wanted) return;
    setAsked(wanted);
    if (files.length === 0) hash.mutate({ body: source });
  }

  return (
    <form className={classes.check} onSubmit={check}>
      <TextInput
        className={classes.field}
        label={t('packs.checksum')}
        description={t('packs.checksum_note')}
        value={text}
        spellCheck={false}
        error={text.trim() !== '' && !wanted && t('packs.checksum_malformed')}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAsked(null);
        }}
      />
      <Button type="submit" variant="default" disabled={!wanted} loading={hash.isPending}>
        {t('packs.checksum_check')}
      </Button>
      <ProblemNote error={hash.error} />
      {asked && hash.isSuccess && (
        <p className={classes.result} role="status" data-match={match !== undefined}>
          {match
            ? t('packs.checksum_match', { name: match.name })
            : t('packs.checksum_differs', { found: files.map(({ sha256 }) => sha256).join(', ') })}
        </p>
      )}
    </form>
  );
}
