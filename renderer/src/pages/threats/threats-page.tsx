/** Threat analysis: what analysts paste, and what stands out in it. */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { JoinedReport } from '../../../../server/api/services/join-reports.ts';
import type { ThreatResult } from '../../../../server/api/services/moderations.ts';
import { cutText } from '../../../../server/api/services/text-pieces.ts';
import { useClient } from '../../api/api-context.tsx';
import { patiently } from '../../api/patience.ts';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Page } from '../../components/frame/page.tsx';
import { firstLine } from '../../format/first-line.ts';
import { currentLanguage } from '../../strings/language.ts';
import { t, tn } from '../../strings/t.ts';
import { useKeepWork } from '../../work/keep.ts';
import { useDelivery, usePageWork, useTitle, work } from '../../work/work-context.ts';
import { LogInput, type Progress } from './log-input.tsx';
import { LogView } from './log-view.tsx';
import { ThreatReport } from './threat-report.tsx';
import classes from './threats-page.module.css';

const RulesLink = () => (
  <Button variant="default" component={Link} to="/threats/rules">
    {t('threats.rules')}
  </Button>
);

interface Analysis {
  input: string;
  result: ThreatResult;
}

/** A log as it is kept across restarts. */
interface KeptLog {
  text: string;
  /** Name of the file it was read from; absent in records of before. */
  file?: string | null;
  analysis: Analysis | null;
}

export function ThreatsPage() {
  const restored = usePageWork().restored as KeptLog | null;
  const [text, setText] = useState(restored?.text ?? '');
  const [file, setFile] = useState(restored?.file ?? null);
  const [before, setBefore] = useState(restored?.analysis ?? null);
  const [lines, setLines] = useState<number[]>([]);
  const { analyse, progress, cancel, reset } = useAnalysis();
  const analysis = analyse.data ?? before;
  const outcome = analysis?.result.results[0];
  useKeepWork(
    useMemo((): KeptLog | null => (text.trim() ? { text, file, analysis } : null), [text, file, analysis]),
  );
  useTitle(file || (outcome ? toTitle(outcome) : firstLine(text)));
  useDelivery((delivery) => {
    reset();
    setBefore(null);
    setLines([]);
    setFile('text' in delivery ? null : delivery.files.map(({ name }) => name).join(', '));
    if ('text' in delivery) setText(delivery.text);
    else
      void Promise.all(delivery.files.map((file) => file.text())).then((texts) => setText(texts.join('\n')));
  });

  if (!analysis || !outcome) {
    return (
      <Page title={t('threats.title')} lead={t('threats.lead')} actions={<RulesLink />}>
        <LogInput
          text={text}
          onText={(read, name) => {
            setText(read);
            setFile(name ?? (read.trim() ? file : null));
          }}
          busy={analyse.isPending}
          progress={progress}
          onAnalyse={() => analyse.mutate(text)}
          onCancel={cancel}
        />
        <ProblemNote error={analyse.error} onRetry={() => analyse.mutate(text)} />
      </Page>
    );
  }
  /** Rules may have changed since; the report stays until the next is there. */
  const again = () => {
    setBefore(analysis);
    analyse.mutate(analysis.input);
  };
  return (
    <Page
      title={t('threats.title')}
      actions={
        <>
          <RulesLink />
          <Button variant="default" loading={analyse.isPending} onClick={again}>
            {t('threats.again')}
          </Button>
          <Button variant="default" onClick={() => work.deliver('threats', { text: analysis.input })}>
            {t('threats.edit')}
          </Button>
        </>
      }
    >
      <ProblemNote error={analyse.error} onRetry={again} />
      <div className={classes.columns}>
        <ThreatReport
          input={analysis.input}
          file={file}
          result={analysis.result}
          outcome={outcome}
          onLines={setLines}
        />
        <LogView text={analysis.input} outcome={outcome} focus={lines} />
      </div>
    </Page>
  );
}

/** A log's first line tells little; what was found in it tells it from others. */
const toTitle = ({ severity, findings }: ThreatResult['results'][number]): string =>
  `${t(`threats.levels.${severity}`)}, ${tn('threats.finding_count', findings.length)}`;

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
    const pieces = cutText(input) ?? [];
    const joined = new JoinedReport();
    let last: ThreatResult | undefined;
    for (const [index, piece] of pieces.entries()) {
      onPiece(index, pieces.length);
      const body = { model: 'svc-guard-max', input: piece.text, language: currentLanguage() };
      const ask = () => client.call('POST /v1/moderations', { body, signal });
      last = (await patiently(ask, signal)).data as ThreatResult;
      for (const outcome of last.results) joined.add(piece, outcome);
    }
    const report = joined.report();
    if (!last || !report) throw new Error(t('threats.too_long'));
    return { input, result: { ...last, results: [report] } };
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
        job.end(signal.aborted ? 'cancelled' : 'failed', error);
        throw error;
      }
    },
    onSettled: () => setProgress(null),
  });
  return { analyse, progress, cancel: () => abort.current?.abort(), reset: analyse.reset };
}
