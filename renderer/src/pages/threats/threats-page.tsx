/** Threat analysis: what analysts paste, and what stands out in it. */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import type { ThreatResult } from '../../../../server/api/moderations.ts';
import { useClient } from '../../api/api-context.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Page } from '../../components/frame/page.tsx';
import { t } from '../../strings/t.ts';
import { LogInput } from './log-input.tsx';
import { LogView } from './log-view.tsx';
import { ThreatReport } from './threat-report.tsx';
import classes from './threats-page.module.css';

const rulesLink = (
  <Button variant="default" component={Link} to="/threats/rules">
    {t('threats.rules')}
  </Button>
);

interface Analysis {
  input: string;
  result: ThreatResult;
}

export function ThreatsPage() {
  const [text, setText] = useState('');
  const [lines, setLines] = useState<number[]>([]);
  const { analyse, cancel, reset } = useAnalysis();
  const outcome = analyse.data?.result.results[0];

  function back() {
    reset();
    setLines([]);
  }

  if (!analyse.data || !outcome) {
    return (
      <Page title={t('threats.title')} lead={t('threats.lead')} actions={rulesLink}>
        <LogInput
          text={text}
          onText={setText}
          busy={analyse.isPending}
          onAnalyse={() => analyse.mutate(text)}
          onCancel={cancel}
        />
        <ProblemNote error={analyse.error} onRetry={() => analyse.mutate(text)} />
      </Page>
    );
  }
  return (
    <Page
      title={t('threats.title')}
      actions={
        <Button variant="default" onClick={back}>
          {t('threats.edit')}
        </Button>
      }
    >
      <div className={classes.columns}>
        <ThreatReport
          input={analyse.data.input}
          result={analyse.data.result}
          outcome={outcome}
          onLines={setLines}
        />
        <LogView text={analyse.data.input} outcome={outcome} focus={lines} />
      </div>
    </Page>
  );
}

function useAnalysis() {
  const client = useClient();
  const abort = useRef<AbortController | null>(null);
  const analyse = useMutation<Analysis, Error, string>({
    mutationFn: async (input) => {
      abort.current = new AbortController();
      const body = { model: 'svc-guard-max', input };
      const { data } = await client.call('POST /v1/moderations', { body, signal: abort.current.signal });
      return { input, result: data as ThreatResult };
    },
  });
  return { analyse, cancel: () => abort.current?.abort(), reset: analyse.reset };
}
