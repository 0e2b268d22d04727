/** The model waits for its tools: the person plays them, by typing what each call gives. */
import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { ToolCall } from '../../../../../server/api/chat.ts';
import { t } from '../../../strings/t.ts';
import classes from './tool-results.module.css';

interface ToolResultsProps {
  calls: ToolCall[];
  onSend: (results: { callId: string; content: string }[]) => void;
}

export function ToolResults({ calls, onSend }: ToolResultsProps) {
  const [texts, setTexts] = useState<Record<string, string>>({});
  const results = calls.map(({ id }) => ({ callId: id, content: texts[id] ?? '' }));
  return (
    <form
      className={classes.results}
      aria-label={t('chat.tool_results')}
      onSubmit={(event) => {
        event.preventDefault();
        onSend(results);
      }}
    >
      {calls.map(({ id, function: call }) => (
        <Textarea
          key={id}
          label={t('chat.result_of', { name: call.name })}
          description={call.arguments}
          placeholder={t('chat.result_hint')}
          autosize
          minRows={2}
          maxRows={10}
          value={texts[id] ?? ''}
          onChange={(event) => setTexts({ ...texts, [id]: event.currentTarget.value })}
        />
      ))}
      <Button
        type="submit"
        className={classes.send}
        disabled={results.some(({ content }) => !content.trim())}
      >
        {t('chat.send_results')}
      </Button>
    </form>
  );
}
