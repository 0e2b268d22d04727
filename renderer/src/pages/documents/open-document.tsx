/** One open document: what to read of it above, its page at the left, and what was read, or the template being made, at the right. */
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { DocumentsRequest, DocumentsResult } from '../../../../server/api/services/documents.ts';
import { useFeedState } from '../../api/api-context.tsx';
import { hasCode, offlineCode } from '../../api/problem.ts';
import { useFileDrop } from '../../components/input/file-drop.tsx';
import type { SourceFile } from '../../components/source-file.ts';
import { useLinkedMarks } from '../../components/use-linked-marks.ts';
import { useKeepWork } from '../../work/keep.ts';
import type { Corrections } from './corrections/corrections.ts';
import { useCorrections } from './corrections/use-corrections.ts';
import { DocumentResults } from './document-results.tsx';
import classes from './documents-page.module.css';
import { toMarks } from './marks.ts';
import { PageViewer } from './page-viewer.tsx';
import { type DocumentOptions, RunBar } from './run-bar.tsx';
import { emptyDraft, type TemplateDraft, toDraft } from './templates/draft.ts';
import { customChoice, isCustom } from './templates/template-select.tsx';
import { TemplateWorkbench } from './templates/template-workbench.tsx';
import { TemplatesDrawer } from './templates/templates-drawer.tsx';
import { TemplatesMenu } from './templates/templates-menu.tsx';
import { useTemplates } from './templates/use-templates.ts';
import type { DocumentRunControl } from './use-document-run.ts';

export const noOptions: DocumentOptions = { template: null, pages: '' };

/** A document as it is kept across restarts. */
export interface KeptDocument {
  source: SourceFile;
  options: DocumentOptions;
  result: DocumentsResult;
  durationMs: number | null;
  corrections: [place: string, text: string][];
}

interface OpenDocumentProps {
  /** Corrections that are there from the start. */
  restored: Pick<KeptDocument, 'options' | 'corrections'> | null;
  /** Of a document of a batch: told of each answer and each correction. */
  onRead?: (result: DocumentsResult, corrections: Corrections) => void;
  source: SourceFile;
  control: DocumentRunControl;
  onFile: (file: File) => void;
  onClose: () => void;
}

export function OpenDocument(props: OpenDocumentProps) {
  const { source, restored, control, onRead, onFile, onClose } = props;
  const { run, start, cancel } = control;
  const { options, setOptions, chosen } = useOptions(restored?.options ?? noOptions);
  const [managing, setManaging] = useState(false);
  const [page, setPage] = useState(1);
  /** The template that is being made on this document. */
  const [draft, setDraft] = useState<TemplateDraft | null>(null);
  const correcting = useCorrections(run.result, new Map(restored?.corrections));
  const { corrections } = correcting;
  const { result, durationMs } = run;
  const isOfBatch = onRead !== undefined;
  useKeepWork(
    useMemo(
      (): KeptDocument | null =>
        // One of a batch is kept with the batch.
        isOfBatch ? null : result && { source, options, result, durationMs, corrections: [...corrections] },
      [isOfBatch, source, options, result, durationMs, corrections],
    ),
  );
  const tell = useEffectEvent(onRead ?? (() => undefined));
  useEffect(() => {
    if (result) tell(result, corrections);
  }, [result, corrections]);
  const linked = useLinkedMarks(setPage);
  const marks = useMemo(() => (run.result ? toMarks(run.result) : []), [run.result]);
  const drop = useFileDrop(onFile);
  const read = (changed: DocumentOptions) => void start(toParseRequest(source, changed));

  useResume(run.error, () => read(options));

  function readWith(name: string): void {
    const changed = { ...options, template: customChoice(name) };
    setDraft(null);
    setOptions(changed);
    read(changed);
  }

  return (
    <>
      <RunBar
        source={source}
        options={options}
        onOptions={setOptions}
        run={run}
        onRun={() => read(options)}
        onCancel={cancel}
        onFile={onFile}
        onClose={onClose}
        templates={
          <TemplatesMenu
            onNew={() => setDraft(emptyDraft)}
            onEdit={chosen && (() => setDraft(toDraft(chosen)))}
            onManage={() => setManaging(true)}
          />
        }
      />
      <div
        className={classes.split}
        data-fit
        data-over={drop.over || undefined}
        {...drop.handlers}
        {...linked}
      >
        {draft ? (
          <TemplateWorkbench
            key={draft.name}
            source={source}
            page={page}
            onPage={setPage}
            initial={draft}
            onSaved={readWith}
            onClose={() => setDraft(null)}
          />
        ) : (
          <>
            <PageViewer
              source={source}
              page={page}
              onPage={setPage}
              marks={marks}
              refused={run.error !== null}
            />
            <DocumentResults
              source={source}
              run={run}
              request={toParseRequest(source, options)}
              correcting={correcting}
              onRetry={() => read(options)}
            />
          </>
        )}
      </div>
      {managing && <TemplatesDrawer onClose={() => setManaging(false)} />}
    </>
  );
}

/** Reads anew, once the server is there again, what its stop cut off. */
function useResume(error: unknown, resume: () => void): void {
  const feed = useFeedState();
  const away = useRef(false);
  const again = useEffectEvent(() => {
    if (hasCode(error, 'shutting_down') || hasCode(error, offlineCode)) resume();
  });
  useEffect(() => {
    if (feed === 'lost') away.current = true;
    if (feed !== 'open' || !away.current) return;
    away.current = false;
    again();
  }, [feed]);
}

/** A chosen template that was renamed or deleted since is chosen no longer. */
function useOptions(initial: DocumentOptions) {
  const [set, setOptions] = useState(initial);
  const { templates } = useTemplates();
  const { template } = set;
  const chosen = templates.find(({ name }) => template === customChoice(name));
  const gone = template && isCustom(template) && !chosen;
  const options = useMemo(() => (gone ? { ...set, template: null } : set), [gone, set]);
  return { options, setOptions, chosen };
}

export function toParseRequest(
  source: SourceFile,
  { template, pages }: DocumentOptions = noOptions,
): DocumentsRequest {
  return {
    model: 'svc-parse-pro',
    file: source.base64,
    ...(template ? { template } : {}),
    ...(pages.trim() ? { pages: pages.trim() } : {}),
  };
}
