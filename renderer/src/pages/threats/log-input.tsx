import { Button, Textarea } from '@mantine/core';
import { IconFolderOpen } from '@tabler/icons-react';
import { Panel } from '../../components/frame/panel.tsx';
import { ChooseFile, useFileDrop } from '../../components/input/file-drop.tsx';
import { count } from '../../format/numbers.ts';
import { t } from '../../strings/t.ts';
import classes from './log-input.module.css';
import { sampleLog } from './sample-log.ts';

interface LogInputProps {
  text: string;
  onText: (text: string) => void;
  busy: boolean;
  onAnalyse: () => void;
  onCancel: () => void;
}

const maxBytes = 32_768;

/** Paste, drop or choose: any mixture of log formats, up to 32 KB. */
export function LogInput({ text, onText, busy, onAnalyse, onCancel }: LogInputProps) {
  const openFile = (file: File) => void file.text().then(onText);
  const { over, handlers } = useFileDrop(openFile);
  const size = new TextEncoder().encode(text).length;
  return (
    <div className={classes.drop} data-over={over || undefined} {...handlers}>
      <Panel
        title={t('threats.log')}
        note={
          <span className="lk-num">{t('moderation.size', { size: count(size), max: count(maxBytes) })}</span>
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
          aria-label={t('threats.log')}
          placeholder={t('threats.placeholder')}
          autosize
          minRows={14}
          maxRows={28}
          classNames={{ input: classes.input }}
          spellCheck={false}
          value={text}
          error={size > maxBytes ? t('threats.too_long') : null}
          onChange={(event) => onText(event.currentTarget.value)}
        />
        <div className={classes.foot}>
          <Button onClick={onAnalyse} loading={busy} disabled={!text.trim() || size > maxBytes}>
            {t('threats.analyse')}
          </Button>
          {busy && (
            <Button variant="default" onClick={onCancel}>
              {t('dialog.cancel')}
            </Button>
          )}
          <span className={classes.note}>{t('threats.formats')}</span>
        </div>
      </Panel>
    </div>
  );
}
