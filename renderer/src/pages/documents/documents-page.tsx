/** Documents: a file at the left with boxes over it, what was read from it at the right; or many files in a queue. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useClient } from '../../api/api-context.tsx';
import { notifyProblem } from '../../components/feedback/notify.ts';
import { Page } from '../../components/frame/page.tsx';
import {
  fetchSample,
  readFile,
  type SampleName,
  type SourceFile,
  samples,
} from '../../components/source-file.ts';
import { t } from '../../strings/t.ts';
import { useDelivery, usePageWork, useTitle, work } from '../../work/work-context.ts';
import type { BatchItem } from './batch/batch.ts';
import { BatchPlace } from './batch/batch-place.tsx';
import { DocumentBatchView } from './batch/batch-view.tsx';
import type { KeptBatch } from './batch/kept-batch.ts';
import { useDocumentBatch } from './batch/use-batch.ts';
import { type KeptDocument, noOptions, OpenDocument, toParseRequest } from './open-document.tsx';
import { StartDrop } from './start-drop.tsx';
import { TemplatesDrawer } from './templates/templates-drawer.tsx';
import { useDocumentRun } from './use-document-run.ts';
import { pageImageQuery, pageWidths } from './use-page-image.ts';
import { WatchedFolders } from './watch/watched-folders.tsx';

/** A page that takes longer to draw is not waited for. */
const mostDrawingMs = 30_000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export function DocumentsPage() {
  const kept = usePageWork().restored as KeptDocument | KeptBatch | null;
  const restored = kept && 'source' in kept ? kept : null;
  const [source, setSource] = useState<SourceFile | null>(restored?.source ?? null);
  const [managing, setManaging] = useState(false);
  const [watching, setWatching] = useState(false);
  const control = useDocumentRun(restored && { result: restored.result, durationMs: restored.durationMs });
  const { start, show, reset } = control;
  /** Of the batch; null: the document stands alone. */
  const [openedId, setOpenedId] = useState<number | null>(null);
  const queries = useQueryClient();
  const client = useClient();

  const open = useCallback(
    (file: SourceFile) => {
      setSource(file);
      // One engine draws and reads: the page is to be seen while its text is read.
      const drawn = queries.prefetchQuery(pageImageQuery(client, file, 1, pageWidths.plain));
      void start(toParseRequest(file), Promise.race([drawn, pause(mostDrawingMs)]));
    },
    [start, queries, client],
  );
  const openFile = (file: File) => void readFile(file).then(open, notifyProblem);
  const openSample = useCallback(
    (name: SampleName) => void fetchSample(name).then(open, notifyProblem),
    [open],
  );
  const batch = useDocumentBatch(kept && 'items' in kept ? kept : null);
  const { items } = batch.batch;
  const opened = items.find(({ id }) => id === openedId) ?? null;
  const openItem = ({ id, file, read }: BatchItem) =>
    void readFile(file).then((next) => {
      setOpenedId(id);
      if (!read) return open(next);
      setSource(next);
      show(read);
    }, notifyProblem);
  useSampleFromAddress(openSample);
  const [firstOfBatch] = batch.batch.items;
  useTitle(
    source?.name ??
      (firstOfBatch
        ? t('documents.batch.work_title', { name: firstOfBatch.file.name, count: batch.batch.items.length })
        : null),
  );
  useDelivery((delivery) => {
    if (!('files' in delivery)) return;
    const [only] = delivery.files;
    if (delivery.files.length === 1 && only) openFile(only);
    else batch.add(delivery.files);
  });

  function close(): void {
    reset();
    setSource(null);
    setOpenedId(null);
  }

  if (source) {
    return (
      <Page title={t('documents.title')}>
        {opened && (
          <BatchPlace
            items={items}
            opened={opened}
            onOpen={openItem}
            onApprove={batch.approve}
            onBack={close}
          />
        )}
        <OpenDocument
          key={source.id}
          source={source}
          restored={
            opened
              ? { options: noOptions, corrections: [...opened.corrections] }
              : restored?.source.id === source.id
                ? restored
                : null
          }
          {...(opened && { onRead: (result, corrections) => batch.settle(opened.id, result, corrections) })}
          control={control}
          onFile={openBeside}
          onClose={close}
        />
      </Page>
    );
  }
  if (batch.batch.items.length > 0) {
    return (
      <Page title={t('documents.title')}>
        <DocumentBatchView control={batch} onOpen={openItem} />
      </Page>
    );
  }
  return (
    <Page title={t('documents.title')} lead={t('documents.lead')}>
      <StartDrop
        onFile={openFile}
        onFiles={batch.add}
        onSample={openSample}
        onTemplates={() => setManaging(true)}
        onWatch={() => setWatching(true)}
      />
      {watching && <WatchedFolders onClose={() => setWatching(false)} />}
      {managing && <TemplatesDrawer onClose={() => setManaging(false)} />}
    </Page>
  );
}

/** The first stays in the recents, as it was read and corrected. */
const openBeside = (file: File) => void work.deliver('documents', { files: [file] });

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
