import { ActionIcon, Button, Textarea, Tooltip } from '@mantine/core';
import { IconPaperclip, IconPlayerStop, IconSend } from '@tabler/icons-react';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { maxFileBytes, megabytes } from '../../../components/source-file.ts';
import { t } from '../../../strings/t.ts';
import { PendingAttachments } from '../attachments/pending-attachments.tsx';
import type { Attachments } from '../attachments/use-attachments.ts';
import { maxTextBytes, mostAttachments } from '../model/attachment.ts';
import classes from './composer.module.css';

interface ComposerProps {
  text: string;
  onText: (text: string) => void;
  attachments: Attachments;
  running: boolean;
  /** Why nothing can be sent now, in a few words. */
  blocked: string | null;
  /** Files are being read: what is sent now goes when they are. */
  reading: boolean;
  onSend: (text: string) => void;
  onStop: () => void;
  /** Arrow up in an empty field. */
  onEditLast: () => void;
}

/** Enter sends, Shift+Enter breaks the line; composing in an input method does neither. */
export function Composer(props: ComposerProps) {
  const { text, onText, attachments, running, blocked, reading, onSend, onStop, onEditLast } = props;
  const [waiting, setWaiting] = useState(false);
  const something = text.trim() !== '' || attachments.pending.length > 0;

  function send() {
    if (!something || running || blocked) return;
    setWaiting(reading);
    if (reading) return;
    onSend(text.trim());
    onText('');
  }

  const sendWaiting = useEffectEvent(send);
  useEffect(() => {
    if (waiting && !reading) sendWaiting();
  }, [waiting, reading]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowUp' && text === '') {
      event.preventDefault();
      onEditLast();
    }
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    send();
  }

  function onPaste(event: ClipboardEvent) {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    attachments.add(files);
  }

  return (
    <div className={classes.composer}>
      <PendingAttachments {...attachments} />
      <div className={classes.line}>
        <AttachButton onFiles={attachments.add} />
        <Textarea
          className={classes.text}
          data-main-field
          aria-label={t('chat.message')}
          placeholder={t('chat.message_hint')}
          autosize
          minRows={1}
          maxRows={8}
          value={text}
          error={something && blocked}
          description={reading && t(waiting ? 'chat.attach.waiting' : 'chat.attach.wait')}
          onChange={(event) => onText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        {running ? (
          <Button variant="default" leftSection={<IconPlayerStop size={14} aria-hidden />} onClick={onStop}>
            {t('chat.stop')}
          </Button>
        ) : (
          <Button
            leftSection={<IconSend size={14} aria-hidden />}
            onClick={send}
            loading={waiting && reading}
            disabled={!something || blocked !== null}
          >
            {t('chat.send')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Limits are told before a file is chosen. */
function AttachButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const limits = {
    count: mostAttachments,
    file: megabytes(maxFileBytes),
    text: megabytes(maxTextBytes),
  };
  return (
    <>
      <Tooltip label={t('chat.attach.limits', limits)} multiline w={280}>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={t('chat.attach.choose')}
          aria-description={t('chat.attach.limits', limits)}
          onClick={() => input.current?.click()}
        >
          <IconPaperclip size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-testid="attach"
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = '';
          onFiles(files);
        }}
      />
    </>
  );
}
