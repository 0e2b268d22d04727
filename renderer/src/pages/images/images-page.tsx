/** Images: a picture with what was seen in it drawn over. */
import { Button } from '@mantine/core';
import { IconFolderOpen, IconPhoto } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { BodyOf } from '../../../../server/api/operations.ts';
import { useClient } from '../../api/api-context.tsx';
import { useRead } from '../../api/queries.ts';
import { JsonView } from '../../components/code/json-view.tsx';
import { SnippetsView } from '../../components/code/snippets-view.tsx';
import { NotInstalled } from '../../components/feedback/not-installed.tsx';
import { ProblemNote } from '../../components/feedback/problem-note.tsx';
import { Page } from '../../components/frame/page.tsx';
import { Panel } from '../../components/frame/panel.tsx';
import { ChooseFile, FileDrop, useFileDrop } from '../../components/input/file-drop.tsx';
import { t } from '../../strings/t.ts';
import { readFile, type SourceFile } from '../documents/source-file.ts';
import { useLinkedMarks } from '../documents/use-linked-marks.ts';
import { ImageOptions, type ImageParameters, noParameters } from './image-options.tsx';
import { ImageResult } from './image-result.tsx';
import classes from './images-page.module.css';
import { Picture } from './picture.tsx';

const accepted = '.png,.jpg,.jpeg,.gif,.mp4,.webm';

interface Opened extends SourceFile {
  type: string;
}

export function ImagesPage() {
  const client = useClient();
  const state = useRead('GET /console/state').data;
  const [source, setSource] = useState<Opened | null>(null);
  const [parameters, setParameters] = useState(noParameters);
  const [frame, setFrame] = useState(0);
  const linked = useLinkedMarks(() => undefined);
  const abort = useRef<AbortController | null>(null);
  const analyse = useMutation({
    mutationFn: async (body: BodyOf<'POST /v1/images/analyze'>) => {
      abort.current = new AbortController();
      return (await client.call('POST /v1/images/analyze', { body, signal: abort.current.signal })).data;
    },
  });

  function run(file: Opened) {
    setFrame(0);
    analyse.mutate({ ...toBody(parameters), image: file.base64 });
  }

  const open = (file: File) =>
    void readFile(file).then((read) => {
      const opened = { ...read, type: file.type };
      setSource(opened);
      run(opened);
    });
  const drop = useFileDrop(open);
  usePastedFile(open);

  if (!source) {
    return (
      <Page title={t('images.title')} lead={t('images.lead')}>
        {state && !state.roles_ready.includes('svc-vision-pro') && (
          <NotInstalled message={t('images.not_installed')} />
        )}
        <FileDrop
          accept={accepted}
          choose={t('images.choose')}
          hint={t('images.hint')}
          onFile={open}
          icon={<IconPhoto size={34} stroke={1.3} aria-hidden />}
        />
      </Page>
    );
  }
  const result = analyse.data?.results[frame];
  return (
    <Page title={t('images.title')}>
      <div className={classes.bar}>
        <span className={classes.name}>{source.name}</span>
        <ChooseFile accept={accepted} onFile={open} icon={<IconFolderOpen size={14} aria-hidden />}>
          {t('documents.other_file')}
        </ChooseFile>
        <ImageOptions parameters={parameters} onParameters={setParameters} />
        {analyse.isPending ? (
          <Button variant="default" onClick={() => abort.current?.abort()}>
            {t('dialog.cancel')}
          </Button>
        ) : (
          <Button onClick={() => run(source)}>{t('images.analyse')}</Button>
        )}
      </div>
      <div className={classes.columns} {...drop.handlers} {...linked}>
        <Picture source={source} objects={result?.objects ?? []} timestampMs={result?.timestamp_ms} />
        <div className={classes.side}>
          <ProblemNote error={analyse.error} onRetry={() => run(source)} />
          {analyse.data && <ImageResult answer={analyse.data} frame={frame} onFrame={setFrame} />}
          {analyse.data && (
            <details className={classes.details}>
              <summary>{t('moderation.json')}</summary>
              <JsonView value={analyse.data} label={t('moderation.json')} />
            </details>
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
    </Page>
  );
}

function toBody({ tasks, language, maxFrames }: ImageParameters) {
  return {
    model: 'svc-vision-pro',
    language,
    max_frames: maxFrames,
    ...(tasks.length > 0 ? { tasks } : {}),
  };
}

/** A picture from the clipboard, pasted anywhere on the page. */
function usePastedFile(onFile: (file: File) => void): void {
  const latest = useRef(onFile);
  useEffect(() => {
    latest.current = onFile;
  });
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
      if (file) latest.current(file);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);
}
