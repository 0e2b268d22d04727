/** Content safety: one text at a time, or a CSV of them. */
import { SegmentedControl } from '@mantine/core';
import { Activity, useMemo, useState } from 'react';
import { useFileText } from '../../components/file-text.ts';
import { Page } from '../../components/frame/page.tsx';
import { firstLine } from '../../format/first-line.ts';
import { t } from '../../strings/t.ts';
import { useKeepWork } from '../../work/keep.ts';
import { useDelivery, usePageWork, useTitle } from '../../work/work-context.ts';
import type { BatchRow, Sheet } from './batch.ts';
import { ModerationBatchView } from './batch-view.tsx';
import type { Thresholds } from './categories.ts';
import { SingleView } from './single-view.tsx';
import { useModerationBatch } from './use-batch.ts';

const views = ['single', 'batch'] as const;
type View = (typeof views)[number];

/** A text or a file of them as it is kept across restarts. */
interface KeptModeration {
  text: string;
  thresholds: Thresholds;
  sheet?: Sheet;
  rows?: BatchRow[];
}

export function ModerationPage() {
  const restored = usePageWork().restored as KeptModeration | null;
  const [view, setView] = useState<View>(restored?.sheet && !restored.text.trim() ? 'batch' : 'single');
  const [text, setText] = useState(restored?.text ?? '');
  const [thresholds, setThresholds] = useState<Thresholds>(restored?.thresholds ?? {});
  const [sheet, setSheet] = useState<Sheet | null>(restored?.sheet ?? null);
  const batch = useModerationBatch(thresholds, restored?.rows);
  // Rows of a running batch come by the dozen; they are kept when it has ended.
  const rows = batch.running ? null : batch.rows;
  useKeepWork(
    useMemo((): KeptModeration | null => {
      if (!text.trim() && !sheet) return null;
      return { text, thresholds, ...(sheet && { sheet, rows: rows ?? [] }) };
    }, [text, thresholds, sheet, rows]),
  );
  const textTitle = firstLine(text);
  const sheetTitle = sheet?.name ?? null;
  // A file and a text beside it are both in its name: neither takes the other's place among the recent work.
  useTitle([sheetTitle, textTitle].filter((each) => each !== null).join(' · ') || null);
  const { read } = useFileText(setText);
  useDelivery((delivery) => {
    setView('single');
    if ('text' in delivery) setText(delivery.text);
    else if (delivery.files[0]) read(delivery.files[0]);
  });
  return (
    <Page
      title={t('moderation.title')}
      lead={t('moderation.lead')}
      actions={
        <SegmentedControl
          aria-label={t('moderation.view')}
          data={views.map((value) => ({ value, label: t(`moderation.views.${value}`) }))}
          value={view}
          onChange={(value) => setView(value as View)}
        />
      }
    >
      <Activity mode={view === 'single' ? 'visible' : 'hidden'}>
        <SingleView text={text} onText={setText} thresholds={thresholds} onThresholds={setThresholds} />
      </Activity>
      {view === 'batch' && <ModerationBatchView sheet={sheet} onSheet={setSheet} batch={batch} />}
    </Page>
  );
}
