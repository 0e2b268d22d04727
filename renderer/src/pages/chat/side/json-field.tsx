/** JSON typed by hand: mistakes are named with their line, which is shown and can be gone to. */
import { Button, Textarea } from '@mantine/core';
import { useRef } from 'react';
import { t } from '../../../strings/t.ts';
import type { TextProblem } from '../model/json-text.ts';
import classes from './json-field.module.css';
import { problemText } from './problem-text.ts';

interface JsonFieldProps {
  label: string;
  value: string;
  problem: TextProblem | undefined;
  samples: { label: string; text: string }[];
  onChange: (value: string) => void;
}

export function JsonField({ label, value, problem, samples, onChange }: JsonFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);

  function goToProblem() {
    if (!problem || !field.current) return;
    const lines = value.split('\n').slice(0, problem.line - 1);
    const at = lines.reduce((sum, line) => sum + line.length + 1, 0) + problem.column - 1;
    field.current.focus();
    field.current.setSelectionRange(at, Math.min(value.length, at + 1));
  }

  return (
    <div className={classes.field}>
      <Textarea
        ref={field}
        label={label}
        classNames={{ input: classes.input ?? '' }}
        autosize
        minRows={8}
        maxRows={24}
        spellCheck={false}
        value={value}
        error={value.trim() ? problemText(problem) : null}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <div className={classes.actions}>
        {problem && value.trim() && (
          <Button size="compact-xs" variant="light" color="red" onClick={goToProblem}>
            {t('chat.go_to_line', { line: problem.line })}
          </Button>
        )}
        {!problem && value.trim() && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => onChange(JSON.stringify(JSON.parse(value), null, 2))}
          >
            {t('chat.indent')}
          </Button>
        )}
        <span className={classes.samples}>{t('chat.samples')}</span>
        {samples.map((sample) => (
          <Button
            key={sample.label}
            size="compact-xs"
            variant="default"
            onClick={() => onChange(sample.text)}
          >
            {sample.label}
          </Button>
        ))}
      </div>
    </div>
  );
}
