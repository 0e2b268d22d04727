import { Button, Textarea, TextInput } from '@mantine/core';
import { IconVectorTriangle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useClient } from '../../api/api-context.tsx';
import { Empty } from '../../components/feedback/empty.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { score } from '../../format/numbers.ts';
import { t, tn } from '../../strings/t.ts';
import { useKeepWork } from '../../work/keep.ts';
import { usePageWork } from '../../work/work-context.ts';
import type { KeptTexts } from './compare-view.tsx';
import classes from './embeddings-page.module.css';
import { searchSample } from './samples.ts';
import { embed, rank, toTexts } from './vectors.ts';

const maxLines = 1000;
const shownHits = 20;

/** Lines are embedded as documents, once; each query as a query. */
export function SearchView({ onTitle }: { onTitle: (title: string | null) => void }) {
  const restored = usePageWork().restored as KeptTexts | null;
  const [input, setInput] = useState(restored?.search?.input ?? searchSample);
  const [query, setQuery] = useState(restored?.search?.query ?? '');
  const texts = toTexts(input);
  const search = useSearch();
  const title = (search.data ? search.variables.query : restored?.search?.query) ?? null;
  useEffect(() => onTitle(title), [onTitle, title]);
  useKeepWork(
    useMemo(
      (): KeptTexts | null => (search.data ? { search: { input, query } } : null),
      [search.data, input, query],
    ),
  );

  function submit(event: FormEvent) {
    event.preventDefault();
    if (query.trim() && texts.length > 0)
      search.mutate({ texts: texts.slice(0, maxLines), query: query.trim() });
  }

  return (
    <div className={classes.columns} data-fill>
      <Panel title={t('embeddings.lines')} note={tn('embeddings.count', texts.length)}>
        <Textarea
          data-main-field
          aria-label={t('embeddings.lines')}
          description={t('embeddings.lines_note')}
          autosize
          minRows={12}
          maxRows={28}
          value={input}
          error={texts.length > maxLines ? t('embeddings.too_many', { max: maxLines }) : null}
          onChange={(event) => setInput(event.currentTarget.value)}
        />
      </Panel>
      <Panel title={t('embeddings.search')}>
        <form className={classes.row} onSubmit={submit}>
          <TextInput
            className={classes.query}
            aria-label={t('embeddings.query')}
            placeholder={t('embeddings.query_hint')}
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
          <Button type="submit" loading={search.isPending} disabled={!query.trim() || texts.length === 0}>
            {t('embeddings.search')}
          </Button>
        </form>
        <ProblemNote error={search.error} />
        {search.data ? (
          <ol className={classes.hits}>
            {search.data.slice(0, shownHits).map((hit, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines may repeat; the rank is the place
              <li key={index} className={classes.hit}>
                <span className={`lk-num ${classes.score}`}>{score(hit.score)}</span>
                <span>{hit.text}</span>
              </li>
            ))}
          </ol>
        ) : (
          !search.error && (
            <Empty
              icon={<IconVectorTriangle size={28} stroke={1.4} aria-hidden />}
              title={t('embeddings.no_search')}
              text={t('embeddings.search_note')}
            />
          )
        )}
      </Panel>
    </div>
  );
}

function useSearch() {
  const client = useClient();
  const known = useRef<{ key: string; vectors: Float32Array[] } | null>(null);
  return useMutation({
    mutationFn: async ({ texts, query }: { texts: string[]; query: string }) => {
      const key = texts.join('\n');
      if (known.current?.key !== key)
        known.current = { key, vectors: await embed(client, texts, { task: 'document' }) };
      const [vector] = await embed(client, [query], { task: 'query' });
      return rank(vector as Float32Array, texts, known.current.vectors);
    },
  });
}
