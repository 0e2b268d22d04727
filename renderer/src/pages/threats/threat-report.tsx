/** The analysis: severity and summary, then findings, techniques, indicators, actions. */
import { Button, SegmentedControl } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { ThreatResult } from '../../../../server/api/services/moderations.ts';
import { useRead } from '../../api/queries.ts';
import { JsonView } from '../../components/code/json-view.tsx';
import { SnippetsView } from '../../components/code/snippets-view.tsx';
import { Confidence } from '../../components/data/confidence.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { download } from '../../export/download.ts';
import { t } from '../../strings/t.ts';
import { ActionsList } from './actions-list.tsx';
import { AttackStrip } from './attack-strip.tsx';
import { FindingsList } from './findings-list.tsx';
import type { ThreatOutcome } from './indicators.ts';
import { IndicatorsTable } from './indicators-table.tsx';
import { reportMarkdown } from './report-markdown.ts';
import { SeverityBadge } from './severity-badge.tsx';
import classes from './threat-report.module.css';

interface ThreatReportProps {
  input: string;
  /** Name of the file that the log was read from. */
  file: string | null;
  result: ThreatResult;
  outcome: ThreatOutcome;
  onLines: (lines: number[]) => void;
}

const views = ['report', 'json', 'code'] as const;

export function ThreatReport({ input, file, result, outcome, onLines }: ThreatReportProps) {
  const [view, setView] = useState<(typeof views)[number]>('report');
  const baseUrl = useRead('GET /console/state').data?.base_url ?? '';
  return (
    <div className={classes.report}>
      <Panel
        title={t('threats.assessment')}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconDownload size={14} aria-hidden />}
              onClick={() => download('threat-report.md', reportMarkdown(outcome, file), 'text/markdown')}
            >
              {t('threats.save_report')}
            </Button>
            <SegmentedControl
              aria-label={t('threats.view')}
              data={views.map((value) => ({ value, label: t(`threats.views.${value}`) }))}
              value={view}
              onChange={(value) => setView(value as (typeof views)[number])}
            />
          </>
        }
      >
        <div className={classes.verdict}>
          <SeverityBadge level={outcome.severity} large />
          <Confidence value={outcome.confidence} neutral />
        </div>
        <p className={classes.summary}>{outcome.summary}</p>
        {outcome.summary_by && (
          <p className={classes.author}>{t('threats.summary_by', { pack: outcome.summary_by })}</p>
        )}
      </Panel>
      {view === 'report' && (
        <>
          <FindingsList findings={outcome.findings} onLines={onLines} />
          <AttackStrip outcome={outcome} onLines={onLines} />
          <IndicatorsTable outcome={outcome} file={file} />
          <ActionsList actions={outcome.recommended_actions} />
        </>
      )}
      {view === 'json' && <JsonView value={result} label={t('threats.views.json')} />}
      {view === 'code' && (
        <SnippetsView request={{ baseUrl, path: '/moderations', body: { model: 'svc-guard-max', input } }} />
      )}
    </div>
  );
}
