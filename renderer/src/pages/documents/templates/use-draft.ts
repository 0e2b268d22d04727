/** The template that is being made: its fields, which one is open, and which one waits for a place. */
import { useState } from 'react';
import {
  type DraftField,
  type FieldMark,
  fieldAt,
  type Line,
  roomy,
  type TemplateDraft,
  valueBox,
} from './draft.ts';

export function useDraft(initial: TemplateDraft) {
  const [draft, setDraft] = useState(initial);
  const [current, setCurrent] = useState<string | null>(initial.fields[0]?.id ?? null);
  const [marking, setMarking] = useState<string | null>(null);

  const change = (id: string, change: Partial<DraftField>) =>
    setDraft((previous) => ({
      ...previous,
      fields: previous.fields.map((field) => (field.id === id ? { ...field, ...change } : field)),
    }));
  const add = (field: DraftField) => {
    setDraft((previous) => ({ ...previous, fields: [...previous.fields, field] }));
    setCurrent(field.id);
  };
  const names = () => draft.fields.map(({ name }) => name);

  /** A new field there, or the place of the one that waits for it. */
  function mark(place: FieldMark, lines: readonly Line[]): void {
    if (marking) {
      change(marking, { place });
      setMarking(null);
    } else add(fieldAt(place, lines, names()));
  }

  return {
    draft,
    current,
    marking,
    setCurrent,
    setMarking: (id: string) => setMarking((previous) => (previous === id ? null : id)),
    change,
    setHead: (head: Partial<Omit<TemplateDraft, 'fields'>>) =>
      setDraft((previous) => ({ ...previous, ...head })),
    mark,
    take: (page: number, line: Line, lines: readonly Line[]) =>
      mark({ page, bbox: roomy(valueBox(line)) }, lines),
    /** A field that is found by its labels or its pattern alone. */
    addPlain: () =>
      add({ id: crypto.randomUUID(), name: '', type: 'text', labels: '', pattern: '', place: null }),
    remove: (id: string) => {
      setDraft((previous) => ({ ...previous, fields: previous.fields.filter((field) => field.id !== id) }));
      setMarking((previous) => (previous === id ? null : previous));
    },
  };
}

export type DraftControl = ReturnType<typeof useDraft>;
