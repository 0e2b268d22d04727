/** Many pictures or a folder of them: a grid that fills in as answers come, saved as one. */
import { Button, Progress } from '@mantine/core';
import { IconFolder, IconPhotoPlus } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Empty } from '../../components/feedback/empty.tsx';
import { t } from '../../strings/t.ts';
import classes from './batch-view.module.css';
import type { Analysed } from './image-exports.ts';
import { acceptedPictures } from './picture.tsx';
import { SaveMenu } from './save-menu.tsx';
import { countLabels, labelWords } from './seen-objects.ts';
import type { ImageBatch, PictureRow } from './use-image-batch.ts';

interface ImageBatchViewProps {
  batch: ImageBatch;
  onOpen: (file: File) => void;
}

export function ImageBatchView({ batch: { rows, running, start, cancel }, onOpen }: ImageBatchViewProps) {
  const sizes = useRef(new Map<string, { width: number; height: number }>());
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
          <Button variant="default" onClick={cancel}>
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

function Outcome({ row: { answer, problem } }: { row: PictureRow }) {
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
