/** Embeddings: how alike texts are, and a search by meaning over pasted lines. */
import { SegmentedControl } from '@mantine/core';
import { Activity, useState } from 'react';
import { Page } from '../../components/frame/page.tsx';
import { t } from '../../strings/t.ts';
import { usePageWork, useTitle } from '../../work/work-context.ts';
import { type KeptTexts, SimilarityView } from './compare-view.tsx';
import { SearchView } from './search-view.tsx';

const views = ['compare', 'search'] as const;

export function EmbeddingsPage() {
  const [view, setView] = useState<(typeof views)[number]>(
    (usePageWork().restored as KeptTexts | null)?.search ? 'search' : 'compare',
  );
  const [compared, nameCompared] = useState<string | null>(null);
  const [searched, nameSearched] = useState<string | null>(null);
  useTitle(view === 'compare' ? (compared ?? searched) : (searched ?? compared));
  return (
    <Page
      title={t('embeddings.title')}
      lead={t('embeddings.lead')}
      actions={
        <SegmentedControl
          aria-label={t('embeddings.view')}
          data={views.map((value) => ({ value, label: t(`embeddings.views.${value}`) }))}
          value={view}
          onChange={(value) => setView(value as (typeof views)[number])}
        />
      }
    >
      <Activity mode={view === 'compare' ? 'visible' : 'hidden'}>
        <SimilarityView onTitle={nameCompared} />
      </Activity>
      <Activity mode={view === 'search' ? 'visible' : 'hidden'}>
        <SearchView onTitle={nameSearched} />
      </Activity>
    </Page>
  );
}
