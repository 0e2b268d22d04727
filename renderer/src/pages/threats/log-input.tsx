import { Button, Progress as ProgressBar, Textarea } from '@mantine/core';
import { IconFolderOpen } from '@tabler/icons-react';
import { useMemo } from 'react';
import { cutText, utf8Bytes } from '../../../../server/api/services/text-pieces.ts';
import { Panel } from '../../components/frame/panel.tsx';
import { ChooseFile, useFileDrop } from '../../components/input/file-drop.tsx';
import { count } from '../../format/numbers.ts';
import { t } from '../../strings/t.ts';
import classes from './log-input.module.css';
import { sampleLog } from './sample-log.ts';

export interface Progress {
  done: number;
  total: number;
}

interface LogInputProps {
  text: string;
  /** The text, and the file it was read from, where it was. */
  onText: (text: string, file?: string) => void;
  busy: boolean;
  /** Pieces done of a log that takes several requests. */
  progress: Progress | null;
  onAnalyse: () => void;
  onCancel: () => void;
}

/** Paste, drop or choose: any mixture of log formats, of any length that lines can be cut at. */
export function LogInput({ text, onText, busy, progress, onAnalyse, onCancel }: LogInputProps) {
  const openFile = (file: File) => void file.text().then((read) => onText(read, file.name));
  const { over, handlers } = useFileDrop(openFile);
  const size = useMemo(() => utf8Bytes(text), [text]);
  const pieces = useMemo(() => cutText(text)?.length ?? 0, [text]);
  return (
    <div className={classes.drop} data-over={over || undefined} {...handlers}>
      <Panel
        title={t('threats.log')}
        note={
          <span className="lk-num">
            {t('threats.size', { size: count(size) })}
            {pieces > 1 && ` · ${t('threats.pieces', { count: pieces })}`}
          </span>
        }
        actions={
          <>
            <Button variant="default" onClick={() => onText(sampleLog)}>
              {t('threats.sample')}
            </Button>
            <ChooseFile
              accept=".log,.txt,.json,.jsonl,.ndjson,.xml,.csv,.evtx.json"
              onFile={openFile}
              icon={<IconFolderOpen size={14} aria-hidden />}
            >
              {t('threats.choose')}
            </ChooseFile>
          </>
        }
      >
        <Textarea
          data-main-field
          aria-label={t('threats.log')}
          placeholder={t('threats.placeholder')}
          autosize
          minRows={14}
          maxRows={28}
          classNames={{ input: classes.input }}
          spellCheck={false}
          value={text}
          error={pieces === 0 ? t('threats.too_long') : null}
          onChange={(event) => onText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            if (!busy && text.trim() && pieces > 0) onAnalyse();
          }}
        />
        <div className={classes.foot}>
          <Button onClick={onAnalyse} loading={busy} disabled={!text.trim() || pieces === 0}>
            {t('threats.analyse')}
          </Button>
          {busy && (
            <Button variant="default" onClick={onCancel}>
              {t('dialog.cancel')}
            </Button>
          )}
          {busy && progress && progress.total > 1 ? (
            <ProgressBar
              className={classes.progress ?? ''}
              value={(progress.done / progress.total) * 100}
              aria-label={t('threats.progress', progress)}
            />
          ) : (
            <span className={classes.note}>{t('threats.formats')}</span>
          )}
        </div>
      </Panel>
    </div>
  );
}
