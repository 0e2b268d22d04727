/** Usage: what was metered in the last 30 days, by key, model, who answered or day. */
import { Button, SegmentedControl } from '@mantine/core';
import { IconChartBar, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { Empty } from '../../components/feedback/empty.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Page } from '../../components/frame/page.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { download } from '../../export/download.ts';
import { t, tn } from '../../strings/t.ts';
import { type Grouping, groupings, groupUsage, sumOf, usageCsv } from './usage-rows.ts';
import { UsageTable } from './usage-table.tsx';

export function UsagePage() {
  const usage = useRead('GET /console/usage');
  const keys = useRead('GET /console/keys').data?.data ?? [];
  const [by, setBy] = useState<Grouping>('key');
  const all = usage.data?.data ?? [];
  const save = (
    <Button
      variant="default"
      disabled={all.length === 0}
      leftSection={<IconDownload size={14} aria-hidden />}
      onClick={() => download('lokal-usage.csv', usageCsv(all), 'text/csv')}
    >
      {t('usage.save')}
    </Button>
  );
  return (
    <Page title={t('usage.title')} lead={t('usage.lead')} actions={save}>
      <ProblemNote error={usage.error} onRetry={() => void usage.refetch()} />
      {usage.data && (
        <Panel
          flush
          title={t('usage.total')}
          note={tn('usage.requests', sumOf(all).requests)}
          actions={
            <SegmentedControl
              aria-label={t('usage.by')}
              data={groupings.map((value) => ({ value, label: t(`usage.groupings.${value}`) }))}
              value={by}
              onChange={(value) => setBy(value as Grouping)}
            />
          }
        >
          {all.length > 0 ? (
            <UsageTable rows={groupUsage(all, by)} by={by} keys={keys} />
          ) : (
            <Empty
              icon={<IconChartBar size={28} stroke={1.4} aria-hidden />}
              title={t('usage.none')}
              text={t('usage.none_note')}
            />
          )}
        </Panel>
      )}
    </Page>
  );
}
