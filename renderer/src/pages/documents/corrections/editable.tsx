/** A value that turns into an input: by its button, by double click, or by Enter in a cell of a table. */
import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../../../strings/t.ts';
import classes from './editable.module.css';

interface EditableProps {
  label: string;
  text: string;
  /** Why a text cannot be taken, in words; null: it can. */
  check?: (text: string) => string | null;
  onText: (text: string) => void;
  children: ReactNode;
}

export function Editable({ label, text, check, onText, children }: EditableProps) {
  const [editing, setEditing] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const returning = useRef(false);
  // The input had the focus; where it stood, the button takes it back, unless the person has gone on elsewhere.
  useEffect(() => {
    if (!editing && returning.current && document.activeElement === document.body) pencil.current?.focus();
    returning.current = editing;
  }, [editing]);
  if (editing)
    return (
      <Editor
        label={label}
        text={text}
        {...(check && { check })}
        onText={onText}
        onDone={() => setEditing(false)}
      />
    );
  const name = t('documents.correct', { name: label });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a second way to the button inside
    <span className={classes.editable} onDoubleClick={() => setEditing(true)}>
      <span>{children}</span>
      <Tooltip label={name}>
        <ActionIcon
          ref={pencil}
          className={classes.pencil}
          variant="subtle"
          color="gray"
          size="xs"
          aria-label={name}
          onClick={() => setEditing(true)}
        >
          <IconPencil size={12} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </span>
  );
}

interface EditorProps {
  label: string;
  text: string;
  check?: (text: string) => string | null;
  onText: (text: string) => void;
  onDone: () => void;
}

/** Enter and leaving keep the text, Escape does not. A text that cannot be taken keeps the input open. */
export function Editor({ label, text, check, onText, onDone }: EditorProps) {
  const [draft, setDraft] = useState(text);
  const [problem, setProblem] = useState<string | null>(null);
  const keep = () => {
    const found = draft === text ? null : (check?.(draft) ?? null);
    setProblem(found);
    if (found) return;
    if (draft !== text) onText(draft);
    onDone();
  };
  return (
    <TextInput
      size="xs"
      aria-label={label}
      value={draft}
      error={problem}
      autoFocus
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        // Else the same key would press the button that takes the focus.
        event.preventDefault();
        if (event.key === 'Enter') keep();
        else onDone();
      }}
    />
  );
}
