import { Button, Textarea } from '@mantine/core';
import { IconPlayerStop, IconSend } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { t } from '../../strings/t.ts';
import classes from './composer.module.css';

interface ComposerProps {
  running: boolean;
  onSend: (text: string) => void;
  onStop: () => void;
}

/** Enter sends, Shift+Enter breaks the line; composing in an input method does neither. */
export function Composer({ running, onSend, onStop }: ComposerProps) {
  const [text, setText] = useState('');

  function send() {
    if (!text.trim() || running) return;
    onSend(text.trim());
    setText('');
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
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
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {running ? (
        <Button variant="default" leftSection={<IconPlayerStop size={14} aria-hidden />} onClick={onStop}>
          {t('chat.stop')}
        </Button>
      ) : (
        <Button leftSection={<IconSend size={14} aria-hidden />} onClick={send} disabled={!text.trim()}>
          {t('chat.send')}
        </Button>
      )}
    </div>
  );
}
