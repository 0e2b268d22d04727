/** One field of a template that is being made: a line, or all of it while it is the current one. */
import { ActionIcon, Button, Select, Textarea, TextInput, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { CustomField } from '../../../../../server/api/console/templates.ts';
import { t } from '../../../strings/t.ts';
import { type DraftField, type FieldProblem, fieldTypes } from './draft.ts';
import classes from './template-editor.module.css';

interface FieldCardProps {
  field: DraftField;
  /** The text at its place on the sample; null where that page is not open. */
  text: string | null;
  problem: FieldProblem | null;
  /** The server's objection. */
  refusal: string | null;
  open: boolean;
  /** The next place marked becomes its own. */
  marking: boolean;
  onOpen: () => void;
  onChange: (change: Partial<DraftField>) => void;
  onMark: () => void;
  onRemove: () => void;
}

export function FieldCard({ field, text, problem, refusal, open, onOpen, ...rest }: FieldCardProps) {
  const wrong = refusal ?? (problem && t(`documents.own.problems.${problem}`));
  return (
    <li className={classes.card} data-open={open || undefined}>
      <div className={classes.card_head}>
        <button type="button" className={classes.card_name} aria-expanded={open} onClick={onOpen}>
          <span>{field.name || t('documents.own.unnamed')}</span>
          <span className={classes.note}>{text ?? ''}</span>
        </button>
        <Tooltip label={t('documents.own.remove_field', { name: field.name })}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('documents.own.remove_field', { name: field.name })}
            onClick={rest.onRemove}
          >
            <IconTrash size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      {open && <Details field={field} text={text} {...rest} />}
      {wrong && (
        <p className={classes.wrong} role="alert">
          {wrong}
        </p>
      )}
    </li>
  );
}

type DetailsProps = Pick<FieldCardProps, 'field' | 'text' | 'marking' | 'onChange' | 'onMark'>;

function Details({ field, text, marking, onChange, onMark }: DetailsProps) {
  const { place } = field;
  return (
    <div className={classes.details}>
      <TextInput
        label={t('documents.own.field_name')}
        value={field.name}
        maxLength={64}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Select
        label={t('documents.own.field_type')}
        data={fieldTypes.map((value) => ({ value, label: t(`documents.own.types.${value}`) }))}
        value={field.type}
        allowDeselect={false}
        onChange={(value) => onChange({ type: value as CustomField['type'] })}
      />
      <Textarea
        label={t('documents.own.labels')}
        description={t('documents.own.labels_note')}
        autosize
        minRows={1}
        value={field.labels}
        onChange={(event) => onChange({ labels: event.currentTarget.value })}
      />
      <TextInput
        label={t('documents.own.pattern')}
        description={t('documents.own.pattern_note')}
        value={field.pattern}
        maxLength={200}
        classNames={{ input: 'lk-mono' }}
        onChange={(event) => onChange({ pattern: event.currentTarget.value })}
      />
      <div className={classes.place}>
        <span>
          {place ? t('documents.own.place', { page: place.page }) : t('documents.own.no_place')}
          {text && <q className={classes.quote}>{text}</q>}
        </span>
        <Button
          size="compact-sm"
          variant={marking ? 'filled' : 'default'}
          aria-pressed={marking}
          onClick={onMark}
        >
          {t(place ? 'documents.own.mark_again' : 'documents.own.mark')}
        </Button>
        {place && (
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onChange({ place: null })}>
            {t('documents.own.forget_place')}
          </Button>
        )}
      </div>
    </div>
  );
}
