/** The template's name, the words of its documents, and its fields; beside the page on which they are marked. */
import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Problem } from '../../../api/problem.ts';
import { ProblemNote } from '../../../components/feedback/problem-note.tsx';
import { t } from '../../../strings/t.ts';
import {
  type DraftField,
  draftProblem,
  fieldProblem,
  isReady,
  type Line,
  type TemplateDraft,
  textIn,
  toTemplateName,
} from './draft.ts';
import { FieldCard } from './field-card.tsx';
import classes from './template-editor.module.css';
import type { DraftControl } from './use-draft.ts';

interface TemplateEditorProps {
  control: DraftControl;
  page: number;
  lines: readonly Line[];
  /** Why the page's lines cannot be read, where that is so. */
  notice: ReactNode;
  /** Names of other templates. */
  taken: readonly string[];
  /** @throws Problem */
  onSave: (draft: TemplateDraft) => Promise<void>;
  onClose: () => void;
}

export function TemplateEditor(props: TemplateEditorProps) {
  const { control, page, lines, notice, taken, onSave, onClose } = props;
  const { draft } = control;
  const [error, setError] = useState<unknown>(null);
  const [saving, setSaving] = useState(false);
  const [tried, setTried] = useState(false);
  const isTaken = taken.includes(draft.name);

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    setError(null);
    if (!isReady(draft) || isTaken) return;
    setSaving(true);
    await onSave(draft).catch(setError);
    setSaving(false);
  }

  return (
    <form
      className={classes.editor}
      aria-label={t('documents.own.make')}
      onSubmit={(event) => void save(event)}
    >
      <div className={classes.body}>
        <p className={classes.note}>{t('documents.own.how')}</p>
        {notice}
        <Head control={control} tried={tried} isTaken={isTaken} />
        <TakeLine lines={lines} onLine={(line) => control.take(page, line, lines)} />
        <ol className={classes.fields} aria-label={t('documents.fields')}>
          {draft.fields.map((field, index) => (
            <FieldCard
              key={field.id}
              field={field}
              text={textOf(field, page, lines)}
              problem={tried ? fieldProblem(field, draft.fields) : null}
              refusal={refusalOf(error, index)}
              open={control.current === field.id}
              marking={control.marking === field.id}
              onOpen={() => control.setCurrent(control.current === field.id ? null : field.id)}
              onChange={(change) => control.change(field.id, change)}
              onMark={() => control.setMarking(field.id)}
              onRemove={() => control.remove(field.id)}
            />
          ))}
        </ol>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={control.addPlain}
        >
          {t('documents.own.add_plain')}
        </Button>
      </div>
      <div className={classes.foot}>
        {tried && draftProblem(draft) === 'no_fields' && (
          <p className={classes.wrong} role="alert">
            {t('documents.own.problems.no_fields')}
          </p>
        )}
        {error !== null && fieldIndex(error) === null && <ProblemNote error={error} />}
        <div className={classes.actions}>
          <Button variant="default" onClick={onClose}>
            {t('dialog.cancel')}
          </Button>
          <Button type="submit" loading={saving}>
            {t('documents.own.save')}
          </Button>
        </div>
      </div>
    </form>
  );
}

function textOf({ place }: DraftField, page: number, lines: readonly Line[]): string | null {
  return place?.page === page ? textIn(lines, place.bbox) : null;
}

/** Which field the server's refusal is about. */
function fieldIndex(error: unknown): number | null {
  const match = error instanceof Problem ? /^fields\[(\d+)\]/.exec(error.param ?? '') : null;
  return match ? Number(match[1]) : null;
}

const refusalOf = (error: unknown, index: number): string | null =>
  fieldIndex(error) === index ? (error as Problem).message : null;

interface HeadProps {
  control: DraftControl;
  tried: boolean;
  isTaken: boolean;
}

function Head({ control: { draft, setHead }, tried, isTaken }: HeadProps) {
  // The name follows the title until the person gives one.
  const [named, setNamed] = useState(draft.name !== '');
  const problem = draftProblem(draft);
  const nameProblem = isTaken
    ? t('documents.own.problems.name_taken')
    : tried && problem && problem !== 'no_fields'
      ? t(`documents.own.problems.${problem}`)
      : null;
  return (
    <div className={classes.details}>
      <TextInput
        label={t('documents.own.template_title')}
        value={draft.title}
        maxLength={100}
        autoFocus
        onChange={({ currentTarget: { value } }) =>
          setHead(named ? { title: value } : { title: value, name: toTemplateName(value) })
        }
      />
      <TextInput
        label={t('documents.own.template_name')}
        value={draft.name}
        maxLength={64}
        error={nameProblem}
        classNames={{ input: 'lk-mono' }}
        onChange={({ currentTarget: { value } }) => {
          setNamed(value !== '');
          setHead({ name: value });
        }}
      />
      <Textarea
        className={classes.wide}
        label={t('documents.own.words')}
        description={t('documents.own.words_note')}
        autosize
        minRows={1}
        value={draft.words}
        onChange={(event) => setHead({ words: event.currentTarget.value })}
      />
    </div>
  );
}

/** The way of the keyboard to what the pointer clicks on the page. */
function TakeLine({ lines, onLine }: { lines: readonly Line[]; onLine: (line: Line) => void }) {
  return (
    <Select
      label={t('documents.own.take')}
      placeholder={t('documents.own.take_hint')}
      searchable
      limit={100}
      nothingFoundMessage={t('documents.own.take_none')}
      data={lines.map(({ text }, index) => ({ value: String(index), label: text }))}
      value={null}
      onChange={(index) => {
        const line = lines[Number(index)];
        if (index !== null && line) onLine(line);
      }}
    />
  );
}
