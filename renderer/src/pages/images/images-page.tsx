/** Images: one picture or clip with what was seen in it drawn over, or many at once. */
import { Alert, Button, Progress, SegmentedControl } from '@mantine/core';
import {
  IconAlertTriangle,
  IconFileText,
  IconFolderOpen,
  IconPhoto,
  IconScreenshot,
} from '@tabler/icons-react';
import { Activity, useEffect, useMemo, useRef, useState } from 'react';
import type { ImagesResult } from '../../../../server/api/services/images.ts';
import { useBoundPack } from '../../api/bound-pack.ts';
import { useRead } from '../../api/queries.ts';
import { JsonView } from '../../components/code/json-view.tsx';
import { SnippetsView } from '../../components/code/snippets-view.tsx';
import { NotInstalled } from '../../components/feedback/not-installed.tsx';
import { notifyProblem } from '../../components/feedback/notify.ts';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Page } from '../../components/frame/page.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { HandOver } from '../../components/hand-over.tsx';
import { ChooseFile, FileDrop, useFileDrop } from '../../components/input/file-drop.tsx';
import { readFile } from '../../components/source-file.ts';
import { useLinkedMarks } from '../../components/use-linked-marks.ts';
import { downloadBlob, siblingName } from '../../export/download.ts';
import { t, tn } from '../../strings/t.ts';
import { useKeepWork } from '../../work/keep.ts';
import { useAllWork, useDelivery, usePageWork, useTitle, work } from '../../work/work-context.ts';
import { ImageBatchView } from './batch-view.tsx';
import { canCapture, captureScreen } from './capture.ts';
import { PackComparison } from './compare-view.tsx';
import { FrameStrip } from './frame-strip.tsx';
import { annotatedPng } from './image-exports.ts';
import { firstParameters, ImageOptions } from './image-options.tsx';
import { Caption, Objects, Scene } from './image-result.tsx';
import classes from './images-page.module.css';
import { acceptedPictures, isVideo, type OpenedFile, Picture, pictureDataUrl } from './picture.tsx';
import { SaveMenu } from './save-menu.tsx';
import { shownObjects, usualFilter } from './seen-objects.ts';
import { type Analysis, toBody, useAnalysis } from './use-analysis.ts';
import { useImageBatch } from './use-image-batch.ts';

/** A picture or clip as it is kept across restarts. */
interface KeptPicture {
  source: OpenedFile;
  answer: ImagesResult;
}

type Mode = 'one' | 'many';

export function ImagesPage() {
  const [mode, setMode] = useState<Mode>('one');
  const restored = usePageWork().restored as KeptPicture | null;
  const [source, setSource] = useState<OpenedFile | null>(restored?.source ?? null);
  const analysis = useAnalysis(restored?.answer);
  const open = (file: File) =>
    void readFile(file).then((read) => {
      analysis.reset();
      setSource({ ...read, type: file.type });
      setMode('one');
    }, notifyProblem);
  /** The first stays in the recents, with its answer. */
  const openBeside = (file: File) => void work.deliver('images', { files: [file] });
  const batch = useImageBatch();
  const [first, ...others] = batch.rows;
  const batchTitle = first
    ? others.length > 0
      ? t('documents.batch.work_title', { name: first.file.name, count: batch.rows.length })
      : first.file.name
    : null;
  const pictureTitle = source?.name ?? null;
  useTitle(mode === 'many' ? (batchTitle ?? pictureTitle) : (pictureTitle ?? batchTitle));
  useDelivery((delivery) => {
    const [file, ...more] = 'files' in delivery ? delivery.files : [];
    if (!file) return;
    if (more.length === 0) return open(file);
    setMode('many');
    void batch.start([file, ...more]);
  });
  return (
    <Page title={t('images.title')} {...(source ? {} : { lead: t('images.lead') })}>
      <SegmentedControl
        className={classes.mode}
        aria-label={t('images.mode')}
        data={(['one', 'many'] as const).map((value) => ({ value, label: t(`images.modes.${value}`) }))}
        value={mode}
        onChange={(value) => setMode(value as Mode)}
      />
      <Activity mode={mode === 'one' ? 'visible' : 'hidden'}>
        {source ? (
          <OneFile key={source.id} source={source} analysis={analysis} onFile={openBeside} />
        ) : (
          <Start onFile={open} />
        )}
      </Activity>
      {mode === 'many' && <ImageBatchView batch={batch} onOpen={open} />}
    </Page>
  );
}

function Start({ onFile }: { onFile: (file: File) => void }) {
  const state = useRead('GET /console/state').data;
  return (
    <>
      {state && !state.roles_ready.includes('svc-vision-pro') && (
        <NotInstalled message={t('images.not_installed')} />
      )}
      <FileDrop
        accept={acceptedPictures}
        choose={t('images.choose')}
        hint={t('images.hint')}
        onFile={onFile}
        icon={<IconPhoto size={34} stroke={1.3} aria-hidden />}
      >
        {canCapture() && <CaptureButton onFile={onFile} />}
      </FileDrop>
    </>
  );
}

function CaptureButton({ onFile }: { onFile: (file: File) => void }) {
  return (
    <Button
      variant="default"
      leftSection={<IconScreenshot size={14} aria-hidden />}
      onClick={() => void captureScreen().then((file) => file && onFile(file), notifyProblem)}
    >
      {t('images.capture')}
    </Button>
  );
}

interface OneFileProps {
  source: OpenedFile;
  analysis: Analysis;
  onFile: (file: File) => void;
}

const emptyFrame: ImagesResult['results'][number] = { caption: '', language: 'en', objects: [], scene: {} };

function OneFile({ source, analysis, onFile }: OneFileProps) {
  const state = useRead('GET /console/state').data;
  const [parameters, setParameters] = useState(firstParameters);
  const [frame, setFrame] = useState(0);
  const [filter, setFilter] = useState(usualFilter);
  const [named, setNamed] = useState(true);
  const linked = useLinkedMarks(() => undefined);
  const drop = useFileDrop(onFile);
  const media = useRef<HTMLImageElement | HTMLVideoElement>(null);
  const { answer } = analysis;
  useKeepWork(useMemo((): KeptPicture | null => (answer ? { source, answer } : null), [source, answer]));

  const run = () => {
    setFrame(0);
    analysis.run(source, parameters);
  };
  // A file is analysed when it is opened; after that when the person asks.
  const started = useRef(answer !== undefined);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    run();
  });

  /** Frames come one after the other; what was seen in them comes with the last. */
  const coming = analysis.pending && analysis.framesMs.length > 0;
  const strip = coming
    ? analysis.framesMs.map((timestamp_ms) => ({ ...emptyFrame, timestamp_ms }))
    : answer && answer.results.length > 1
      ? answer.results
      : [];
  const result = answer?.results[frame];
  const shown = shownObjects(result?.objects ?? [], filter);
  const size = () => sizeOf(media.current);
  const saveMenu = answer && (
    <SaveMenu
      name={source.name}
      files={() => [{ name: source.name, ...size(), answer }]}
      onPicture={() =>
        media.current &&
        void annotatedPng(media.current, shown).then(
          (blob) => downloadBlob(siblingName(source.name, 'boxes.png'), blob),
          notifyProblem,
        )
      }
    />
  );
  return (
    <>
      <div className={classes.bar}>
        <span className={classes.name}>{source.name}</span>
        <ChooseFile accept={acceptedPictures} onFile={onFile} icon={<IconFolderOpen size={14} aria-hidden />}>
          {t('documents.other_file')}
        </ChooseFile>
        <ImageOptions parameters={parameters} video={isVideo(source)} onParameters={setParameters} />
        {analysis.pending ? (
          <Button variant="default" onClick={analysis.cancel}>
            {t('dialog.cancel')}
          </Button>
        ) : (
          <Button onClick={run}>{t('images.analyse')}</Button>
        )}
        {/* A picture of a page is better read than looked at. */}
        {!isVideo(source) && (
          <HandOver
            to="documents"
            source={source}
            type={source.type}
            icon={<IconFileText size={14} aria-hidden />}
          >
            {t('images.read_in_documents')}
          </HandOver>
        )}
        {saveMenu}
      </div>
      <div className={classes.columns} {...drop.handlers} {...linked}>
        <div className={classes.side}>
          <Picture
            source={source}
            objects={shown}
            named={named}
            timestampMs={result?.timestamp_ms}
            media={media}
          />
          {!coming && strip.length > 0 && (
            <p className={classes.frames}>{tn('images.frames_seen', strip.length)}</p>
          )}
          {strip.length > 0 && (
            <FrameStrip
              results={strip}
              frame={frame}
              {...(!coming && { onFrame: setFrame })}
              url={isVideo(source) ? pictureDataUrl(source) : null}
            />
          )}
          {answer && (
            <PackComparison
              source={source}
              parameters={parameters}
              frame={frame}
              filter={filter}
              named={named}
            />
          )}
        </div>
        <div className={classes.side}>
          {analysis.pending && <Looking />}
          <ProblemNote error={analysis.error} onRetry={run} />
          {!analysis.pending && !analysis.error && (
            <Standing
              stopped={analysis.cancelled}
              answered={answer !== undefined}
              old={analysis.isOld(parameters)}
              onRun={run}
            />
          )}
          <Warnings warnings={answer?.warnings ?? []} />
          {result && analysis.captionAt(frame) !== '' && (
            <Caption
              caption={{
                text: analysis.captionAt(frame),
                language: analysis.language,
                pending: analysis.translating,
                onLanguage: (language) => analysis.setLanguage(language, source, parameters),
              }}
            />
          )}
          {answer && result && (
            <>
              <SeenBy />
              {analysis.lookedForObjects && (
                <Objects
                  results={answer.results}
                  result={result}
                  shown={shown}
                  filter={filter}
                  onFilter={setFilter}
                  named={named}
                  onNamed={setNamed}
                />
              )}
              <Scene scene={result.scene} />
              <details className={classes.details}>
                <summary>{t('moderation.json')}</summary>
                <JsonView value={answer} label={t('moderation.json')} />
              </details>
            </>
          )}
          <Panel title={t('moderation.code')}>
            <SnippetsView
              request={{
                baseUrl: state?.base_url ?? '',
                path: '/images/analyze',
                body: toBody(parameters),
                file: { field: 'image', name: source.name },
              }}
            />
          </Panel>
        </div>
      </div>
    </>
  );
}

/** Frames done of all, once the engine has chosen them. */
function Looking() {
  const { id } = usePageWork();
  const progress = useAllWork().sessions.find((session) => session.id === id)?.progress;
  const text = progress
    ? t('images.frames_done', { done: progress.done, all: progress.total })
    : t('images.looking');
  return (
    <div className={classes.looking} role="status">
      <span className="lk-num">{text}</span>
      <Progress
        value={progress ? (progress.done / progress.total) * 100 : 100}
        animated={!progress}
        aria-label={text}
      />
    </div>
  );
}

interface StandingProps {
  stopped: boolean;
  answered: boolean;
  old: boolean;
  onRun: () => void;
}

/** A cancelled analysis, or an answer to other choices than those that now stand above it. */
function Standing({ stopped, answered, old, onRun }: StandingProps) {
  if (!stopped && !old) return null;
  return (
    <Alert color="gray" role="status">
      <div className={classes.standing}>
        {t(stopped ? (answered ? 'images.cancelled_old' : 'images.cancelled') : 'images.old')}
        <Button variant="default" size="xs" onClick={onRun}>
          {t('images.analyse')}
        </Button>
      </div>
    </Alert>
  );
}

/** The bound pack in its own words: how far its answers can be trusted. */
function SeenBy() {
  const pack = useBoundPack('svc-vision-pro');
  if (!pack) return null;
  return (
    <Panel title={t('images.seen_by', { name: pack.name })}>
      <p className={classes.description} lang="en">
        {pack.description}
      </p>
    </Panel>
  );
}

function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />} role="status">
      {warnings.map((warning) => (
        <div key={warning}>{warning}</div>
      ))}
    </Alert>
  );
}

function sizeOf(media: HTMLImageElement | HTMLVideoElement | null): { width: number; height: number } {
  if (media instanceof HTMLVideoElement) return { width: media.videoWidth, height: media.videoHeight };
  return { width: media?.naturalWidth ?? 0, height: media?.naturalHeight ?? 0 };
}
