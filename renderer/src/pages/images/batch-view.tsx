/** Many pictures or a folder of them: a grid that fills in as answers come, saved as one. */
import { Button, Progress } from '@mantine/core';
import { IconFolder, IconPhotoPlus } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { ImagesResult } from '../../../../server/api/images.ts';
import { useClient } from '../../api/api-context.tsx';
import { Empty } from '../../components/feedback/empty.tsx';
import { toBase64 } from '../../components/source-file.ts';
import { t } from '../../strings/t.ts';
import classes from './batch-view.module.css';
import type { Analysed } from './image-exports.ts';
import { noParameters } from './image-options.tsx';
import { acceptedPictures } from './picture.tsx';
import { SaveMenu } from './save-menu.tsx';
import { countLabels, labelWords } from './seen-objects.ts';
import { toBody } from './use-analysis.ts';

interface Row {
  file: File;
  url: string;
  answer: ImagesResult | null;
  problem: string | null;
}

const readable = /\.(png|jpe?g|webp|gif|mp4|webm)$/i;
/** As many as a desktop's engine has use for: one is analysed while the next is decoded. */
const lanes = 2;

export function ImageBatchView({ onOpen }: { onOpen: (file: File) => void }) {
  const client = useClient();
  const [rows, setRows] = useState<Row[]>([]);
  const [running, setRunning] = useState(false);
  const abort = useRef<AbortController | null>(null);
  const sizes = useRef(new Map<string, { width: number; height: number }>());

  async function start(files: File[]) {
    const chosen = files.filter(({ name }) => readable.test(name));
    const mine = new AbortController();
    abort.current?.abort();
    abort.current = mine;
    for (const { url } of rows) URL.revokeObjectURL(url);
    const fresh = chosen.map((file) => ({
      file,
      url: URL.createObjectURL(file),
      answer: null,
      problem: null,
    }));
    setRows(fresh);
    setRunning(true);
    const update = (index: number, change: Partial<Row>) =>
      setRows((previous) => previous.map((row, at) => (at === index ? { ...row, ...change } : row)));
    const queue = fresh.entries();
    const work = async () => {
      for (const [index, { file }] of queue) {
        if (mine.signal.aborted) return;
        try {
          const body = { ...toBody(noParameters), image: await toBase64(file) };
          const { data } = await client.call('POST /v1/images/analyze', { body, signal: mine.signal });
          update(index, { answer: data });
        } catch (error) {
          update(index, { problem: error instanceof Error ? error.message : String(error) });
        }
      }
    };
    await Promise.all(Array.from({ length: lanes }, work));
    if (abort.current === mine) setRunning(false);
  }

  const done = rows.filter(({ answer, problem }) => answer || problem).length;
  const analysed = (): Analysed[] =>
    rows.flatMap(({ file, url, answer }) =>
      answer ? [{ name: file.name, ...(sizes.current.get(url) ?? { width: 0, height: 0 }), answer }] : [],
    );
  return (
    <>
      <div className={classes.bar}>
        <ChooseMany onFiles={(files) => void start(files)} />
        <ChooseMany folder onFiles={(files) => void start(files)} />
        {running && (
          <Button
            variant="default"
            onClick={() => {
              abort.current?.abort();
              setRunning(false);
            }}
          >
            {t('dialog.cancel')}
          </Button>
        )}
        {done > 0 && <SaveMenu name="images.zip" files={analysed} />}
      </div>
      {rows.length === 0 ? (
        <Empty title={t('images.batch_empty')} text={t('images.batch_note')} />
      ) : (
        <>
          <Progress
            value={(done / rows.length) * 100}
            aria-label={t('images.batch_progress', { done, all: rows.length })}
          />
          <ul className={classes.grid}>
            {rows.map((row) => (
              <li key={row.url}>
                <button type="button" className={classes.card} onClick={() => onOpen(row.file)}>
                  {row.file.type.startsWith('video/') ? (
                    <video src={row.url} muted />
                  ) : (
                    <img
                      src={row.url}
                      alt=""
                      onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
                        sizes.current.set(row.url, { width: naturalWidth, height: naturalHeight })
                      }
                    />
                  )}
                  <span className={classes.name}>{row.file.name}</span>
                  <Outcome row={row} />
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Outcome({ row: { answer, problem } }: { row: Row }) {
  if (problem) return <span className={classes.problem}>{problem}</span>;
  if (!answer) return <span className={classes.waiting}>{t('images.batch_waiting')}</span>;
  const labels = countLabels(answer.results).slice(0, 4);
  return (
    <>
      <span>{answer.results[0]?.caption}</span>
      <span className={classes.waiting}>
        {labels.map(({ label, count }) => `${labelWords(label)} ${count}`).join(' · ')}
      </span>
    </>
  );
}

function ChooseMany({ folder, onFiles }: { folder?: boolean; onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // React knows no such property.
    if (folder) input.current?.setAttribute('webkitdirectory', '');
  }, [folder]);
  return (
    <>
      <Button
        variant={folder ? 'default' : 'filled'}
        leftSection={folder ? <IconFolder size={14} aria-hidden /> : <IconPhotoPlus size={14} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        {folder ? t('images.choose_folder') : t('images.choose_many')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        accept={acceptedPictures}
        hidden
        data-testid={folder ? 'folder' : 'many'}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
