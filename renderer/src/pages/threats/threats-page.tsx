/** Threat analysis: what analysts paste, and what stands out in it. */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import type { ThreatResult } from '../../../../server/api/moderations.ts';
import { useClient } from '../../api/api-context.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Page } from '../../components/frame/page.tsx';
import { firstLine } from '../../format/first-line.ts';
import { t } from '../../strings/t.ts';
import { useDelivery, usePageWork, useTitle } from '../../work/work-context.ts';
import { LogInput, type Progress } from './log-input.tsx';
import { LogView } from './log-view.tsx';
import { cutLog, joinReports, type Piece } from './pieces.ts';
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
  const { analyse, progress, cancel, reset } = useAnalysis();
  const outcome = analyse.data?.result.results[0];
  useTitle(firstLine(text));
  useDelivery((delivery) => {
    back();
    if ('text' in delivery) setText(delivery.text);
    else
      void Promise.all(delivery.files.map((file) => file.text())).then((texts) => setText(texts.join('\n')));
  });

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
          progress={progress}
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

/** Piece by piece, since a request takes 32 KB; one report comes of it. */
function useAnalysis() {
  const client = useClient();
  const page = usePageWork();
  const abort = useRef<AbortController | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);

  async function read(
    input: string,
    signal: AbortSignal,
    onPiece: (done: number, total: number) => void,
  ): Promise<Analysis> {
    const pieces = cutLog(input) ?? [];
    const reports: { piece: Piece; outcome: ThreatResult['results'][number] }[] = [];
    let last: ThreatResult | undefined;
    for (const [index, piece] of pieces.entries()) {
      onPiece(index, pieces.length);
      const body = { model: 'svc-guard-max', input: piece.text };
      last = (await client.call('POST /v1/moderations', { body, signal })).data as ThreatResult;
      for (const outcome of last.results) reports.push({ piece, outcome });
    }
    if (!last) throw new Error(t('threats.too_long'));
    return { input, result: { ...last, results: [joinReports(reports)] } };
  }

  const analyse = useMutation<Analysis, Error, string>({
    mutationFn: async (input) => {
      abort.current = new AbortController();
      const { signal } = abort.current;
      const job = page.start({ cancel: () => abort.current?.abort() });
      try {
        const report = await read(input, signal, (done, total) => {
          setProgress({ done, total });
          job.progress(done, total);
        });
        job.end('done');
        return report;
      } catch (error) {
        job.end(signal.aborted ? 'cancelled' : 'failed');
        throw error;
      }
    },
    onSettled: () => setProgress(null),
  });
  return { analyse, progress, cancel: () => abort.current?.abort(), reset: analyse.reset };
}
