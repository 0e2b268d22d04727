/** Documents: a file at the left with boxes over it, what was read from it at the right. */
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { DocumentsRequest } from '../../../../server/api/documents.ts';
import { notifyProblem } from '../../components/feedback/notify.ts';
import { Page } from '../../components/frame/page.tsx';
import { useFileDrop } from '../../components/input/file-drop.tsx';
import { t } from '../../strings/t.ts';
import { BatchView } from './batch/batch-view.tsx';
import { useBatch } from './batch/use-batch.ts';
import { useCorrections } from './corrections/use-corrections.ts';
import { DocumentResults } from './document-results.tsx';
import classes from './documents-page.module.css';
import { toMarks } from './marks.ts';
import { PageViewer } from './page-viewer.tsx';
import { type DocumentOptions, RunBar } from './run-bar.tsx';
import { fetchSample, readFile, type SampleName, type SourceFile, samples } from './source-file.ts';
import { StartDrop } from './start-drop.tsx';
import { useDocumentRun } from './use-document-run.ts';
import { useLinkedMarks } from './use-linked-marks.ts';

const noOptions: DocumentOptions = { template: null, pages: '' };

export function DocumentsPage() {
  const [source, setSource] = useState<SourceFile | null>(null);
  const [options, setOptions] = useState(noOptions);
  const [page, setPage] = useState(1);
  const { run, start, cancel, reset } = useDocumentRun();
  const correcting = useCorrections(run.result);
  const linked = useLinkedMarks(setPage);
  const marks = useMemo(() => (run.result ? toMarks(run.result) : []), [run.result]);

  const open = useCallback(
    (file: SourceFile) => {
      setSource(file);
      setPage(1);
      setOptions(noOptions);
      void start(toRequest(file, noOptions));
    },
    [start],
  );
  const openFile = (file: File) => void readFile(file).then(open, notifyProblem);
  const openSample = useCallback(
    (name: SampleName) => void fetchSample(name).then(open, notifyProblem),
    [open],
  );
  const batch = useBatch();
  const drop = useFileDrop(openFile);
  useSampleFromAddress(openSample);

  if (!source && batch.batch.items.length > 0) {
    return (
      <Page title={t('documents.title')}>
        <BatchView control={batch} onOpen={openFile} />
      </Page>
    );
  }
  if (!source) {
    return (
      <Page title={t('documents.title')} lead={t('documents.lead')}>
        <StartDrop onFile={openFile} onFiles={batch.add} onSample={openSample} />
      </Page>
    );
  }
  return (
    <Page title={t('documents.title')}>
      <RunBar
        source={source}
        options={options}
        onOptions={setOptions}
        run={run}
        onRun={() => void start(toRequest(source, options))}
        onCancel={cancel}
        onFile={openFile}
        onClose={() => {
          reset();
          setSource(null);
        }}
      />
      <div className={classes.split} data-over={drop.over || undefined} {...drop.handlers} {...linked}>
        <PageViewer source={source} page={page} onPage={setPage} marks={marks} />
        <DocumentResults
          source={source}
          run={run}
          request={toRequest(source, options)}
          correcting={correcting}
        />
      </div>
    </Page>
  );
}

function toRequest(source: SourceFile, { template, pages }: DocumentOptions): DocumentsRequest {
  return {
    model: 'svc-parse-pro',
    file: source.base64,
    ...(template ? { template } : {}),
    ...(pages.trim() ? { pages: pages.trim() } : {}),
  };
}

/** `?sample=invoice`: the welcome page's way in. Taken once, so that “back” does not parse again. */
function useSampleFromAddress(openSample: (name: SampleName) => void): void {
  const [search, setSearch] = useSearchParams();
  const name = search.get('sample');
  useEffect(() => {
    if (name === null) return;
    setSearch({}, { replace: true });
    if (Object.hasOwn(samples, name)) openSample(name as SampleName);
  }, [name, setSearch, openSample]);
}
