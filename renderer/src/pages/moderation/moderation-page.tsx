/** Content safety: one text at a time, or a CSV of them. */
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { Page } from '../../components/frame/page.tsx';
import { t } from '../../strings/t.ts';
import { usePageWork } from '../../work/work-context.ts';
import { ModerationBatchView } from './batch-view.tsx';
import type { Thresholds } from './categories.ts';
import { SingleView } from './single-view.tsx';

const views = ['single', 'batch'] as const;

export function ModerationPage() {
  const [view, setView] = useState<(typeof views)[number]>('single');
  const restored = usePageWork().restored as { thresholds: Thresholds } | null;
  const [thresholds, setThresholds] = useState<Thresholds>(restored?.thresholds ?? {});
  return (
    <Page
      title={t('moderation.title')}
      lead={t('moderation.lead')}
      actions={
        <SegmentedControl
          aria-label={t('moderation.view')}
          data={views.map((value) => ({ value, label: t(`moderation.views.${value}`) }))}
          value={view}
          onChange={(value) => setView(value as (typeof views)[number])}
        />
      }
    >
      {view === 'single' ? (
        <SingleView thresholds={thresholds} onThresholds={setThresholds} />
      ) : (
        <ModerationBatchView thresholds={thresholds} />
      )}
    </Page>
  );
}
