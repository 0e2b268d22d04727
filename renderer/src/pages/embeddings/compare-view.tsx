import { Button, Textarea } from '@mantine/core';
import { IconVectorTriangle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useClient } from '../../api/api-context.tsx';
import { useRead } from '../../api/queries.ts';
import { SnippetsView } from '../../components/code/snippets-view.tsx';
import { Empty } from '../../components/feedback/empty.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { t, tn } from '../../strings/t.ts';
import { useKeepWork } from '../../work/keep.ts';
import { usePageWork } from '../../work/work-context.ts';
import classes from './embeddings-page.module.css';
import { HeatMap } from './heat-map.tsx';
import { compareSample } from './samples.ts';
import { dot, embed, toTexts } from './vectors.ts';

/** More would be too small to read. */
const maxTexts = 24;

/** Texts as they are kept across restarts; vectors are made anew. */
export interface KeptTexts {
  compare?: string;
  search?: { input: string; query: string };
}

/** Every text against every other. */
export function SimilarityView({ onTitle }: { onTitle: (title: string | null) => void }) {
  const client = useClient();
  const baseUrl = useRead('GET /console/state').data?.base_url ?? '';
  const restored = usePageWork().restored as KeptTexts | null;
  const [input, setInput] = useState(restored?.compare ?? compareSample);
  const texts = toTexts(input);
  const compare = useMutation({
    mutationFn: async (lines: string[]) => {
      const vectors = await embed(client, lines);
      return { lines, matrix: vectors.map((a) => vectors.map((b) => dot(a, b))) };
    },
  });
  const title = compare.data?.lines[0] ?? restored?.compare?.split('\n')[0] ?? null;
  useEffect(() => onTitle(title), [onTitle, title]);
  useKeepWork(
    useMemo((): KeptTexts | null => (compare.data ? { compare: input } : null), [compare.data, input]),
  );
  const tooMany = texts.length > maxTexts;
  return (
    <div className={classes.columns} data-fill>
      <Panel title={t('embeddings.texts')} note={tn('embeddings.count', texts.length)}>
        <Textarea
          data-main-field
          aria-label={t('embeddings.texts')}
          description={t('embeddings.texts_note')}
          autosize
          minRows={8}
          maxRows={24}
          value={input}
          error={tooMany ? t('embeddings.too_many', { max: maxTexts }) : null}
          onChange={(event) => setInput(event.currentTarget.value)}
        />
        <Button
          mt={12}
          onClick={() => compare.mutate(texts)}
          loading={compare.isPending}
          disabled={texts.length < 2 || tooMany}
        >
          {t('embeddings.compare')}
        </Button>
        <details className={classes.details}>
          <summary>{t('moderation.code')}</summary>
          <SnippetsView
            request={{ baseUrl, path: '/embeddings', body: { model: 'svc-embed-base', input: texts } }}
          />
        </details>
      </Panel>
      <Panel title={t('embeddings.matrix')}>
        <ProblemNote error={compare.error} onRetry={() => compare.mutate(texts)} />
        {compare.data ? (
          <HeatMap texts={compare.data.lines} matrix={compare.data.matrix} />
        ) : (
          !compare.error && (
            <Empty
              icon={<IconVectorTriangle size={28} stroke={1.4} aria-hidden />}
              title={t('embeddings.nothing_yet')}
              text={t('embeddings.compare_note')}
            />
          )
        )}
      </Panel>
    </div>
  );
}
