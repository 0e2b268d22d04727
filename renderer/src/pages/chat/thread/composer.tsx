import { Button, Textarea } from '@mantine/core';
import { IconPlayerStop, IconSend } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import { t } from '../../../strings/t.ts';
import classes from './composer.module.css';

interface ComposerProps {
  text: string;
  onText: (text: string) => void;
  running: boolean;
  /** Why nothing can be sent now, in a few words. */
  blocked: string | null;
  onSend: (text: string) => void;
  onStop: () => void;
  /** Arrow up in an empty field. */
  onEditLast: () => void;
}

/** Enter sends, Shift+Enter breaks the line; composing in an input method does neither. */
export function Composer({ text, onText, running, blocked, onSend, onStop, onEditLast }: ComposerProps) {
  function send() {
    if (!text.trim() || running || blocked) return;
    onSend(text.trim());
    onText('');
  }

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

  return (
    <div className={classes.composer}>
      <Textarea
        className={classes.text}
        aria-label={t('chat.message')}
        placeholder={t('chat.message_hint')}
        autosize
        minRows={1}
        maxRows={8}
        value={text}
        error={text.trim() && blocked}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {running ? (
        <Button variant="default" leftSection={<IconPlayerStop size={14} aria-hidden />} onClick={onStop}>
          {t('chat.stop')}
        </Button>
      ) : (
        <Button
          leftSection={<IconSend size={14} aria-hidden />}
          onClick={send}
          disabled={!text.trim() || blocked !== null}
        >
          {t('chat.send')}
        </Button>
      )}
    </div>
  );
}
