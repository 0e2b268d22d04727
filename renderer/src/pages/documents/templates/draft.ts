/** A template while it is made: what a marked place holds, what the field is likely to be, and what still keeps it from being saved. Pure. */
import type { PageLines } from '../../../../../server/api/console/console.ts';
import type { CustomField, CustomTemplate } from '../../../../../server/api/console/templates.ts';

export type Line = PageLines['lines'][number];
export type Box = number[];

/** A field as it is typed: labels one a line, texts that may be empty. */
export interface DraftField {
  /** Of the editor alone. */
  id: string;
  name: string;
  type: CustomField['type'];
  labels: string;
  pattern: string;
  place: { page: number; bbox: Box } | null;
}

export interface TemplateDraft {
  title: string;
  name: string;
  words: string;
  fields: DraftField[];
}

export const emptyDraft: TemplateDraft = { title: '', name: '', words: '', fields: [] };

export const fieldTypes: CustomField['type'][] = ['text', 'number', 'amount', 'date'];

const toLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

export const toDraft = ({ name, title = '', words = [], fields }: CustomTemplate): TemplateDraft => ({
  title,
  name,
  words: words.join('\n'),
  fields: fields.map(({ name, type, labels = [], pattern = '', place }) => ({
    id: crypto.randomUUID(),
    name,
    type,
    labels: labels.join('\n'),
    pattern,
    place: place ?? null,
  })),
});

function toField({ name, type, labels, pattern, place }: DraftField): CustomField {
  const lines = toLines(labels);
  return {
    name,
    type,
    ...(lines.length > 0 ? { labels: lines } : {}),
    ...(place ? { place } : {}),
    ...(pattern ? { pattern } : {}),
  };
}

export function toTemplate({ name, title, words, fields }: TemplateDraft): CustomTemplate {
  const lines = toLines(words);
  return {
    name,
    ...(title.trim() ? { title: title.trim() } : {}),
    ...(lines.length > 0 ? { words: lines } : {}),
    fields: fields.map(toField),
  };
}

/** Letters of other scripts have no place in a name: `发票` gives an empty one. */
const toWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? [];

export const toTemplateName = (title: string): string => toWords(title).join('-').slice(0, 64);

/** `name`, or `name-2` and so on where it is taken. */
export function freeName(name: string, taken: readonly string[], joint = '-'): string {
  if (!taken.includes(name)) return name;
  for (let number = 2; ; number++) {
    const next = `${name.slice(0, 60)}${joint}${number}`;
    if (!taken.includes(next)) return next;
  }
}

export function toFieldName(label: string, taken: readonly string[]): string {
  const words = toWords(label)
    .join('_')
    .replace(/^\d+_?/, '')
    .slice(0, 64);
  return freeName(words || 'field', taken, '_');
}

const centre = ([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: Box): [number, number] => [(x0 + x1) / 2, (y0 + y1) / 2];

const holds = ([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: Box, inner: Box): boolean => {
  const [x, y] = centre(inner);
  return x >= x0 && x <= x1 && y >= y0 && y <= y1;
};

/** The words inside a box, as the server will read them there: one row of the result a line. */
const rowsIn = (lines: readonly Line[], box: Box): string[] =>
  lines
    .map(({ words }) => words.filter((word) => holds(box, word.bbox)).map(({ text }) => text))
    .filter((words) => words.length > 0)
    .map((words) => words.join(' '));

export const textIn = (lines: readonly Line[], box: Box): string => rowsIn(lines, box).join(' ');

const amountText = /^[^\d]{0,5}-?\d{1,3}(?:[,. ]\d{3})*[.,]\d{2}[^\d]{0,5}$/;
const numberText = /^[-+]?\d+(?:[.,]\d+)?$/;
const dateText =
  /^(?:\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}\s+\p{L}{3,9}\s+\d{4}|\p{L}{3,9}\s+\d{1,2},?\s+\d{4}|\d{4}年\d{1,2}月\d{1,2}日)$/u;

export function guessType(text: string): CustomField['type'] {
  const value = text.trim();
  if (dateText.test(value)) return 'date';
  if (amountText.test(value)) return 'amount';
  return numberText.test(value) ? 'number' : 'text';
}

const trimLabel = (text: string): string => text.replace(/[\s:：.]+$/u, '').trim();

/** Shared length of two intervals, as a part of the shorter. */
function shared(a0: number, a1: number, b0: number, b1: number): number {
  return (Math.min(a1, b1) - Math.max(a0, b0)) / Math.max(Math.min(a1 - a0, b1 - b0), 1e-6);
}

/** Lines further above than this, in heights of the line itself, are no labels. */
const farAbove = 2.5;

/** The text printed before the box on its first row, else right above it. */
export function guessLabel(lines: readonly Line[], box: Box): string {
  const [x0 = 0, y0 = 0, x1 = 0] = box;
  const inside = lines.flatMap(({ words }) => words).filter((word) => holds(box, word.bbox));
  const first = inside[0]?.bbox ?? box;
  const [, top = 0, , bottom = 0] = first;
  const before = lines
    .map(({ words }) =>
      words.filter(
        ({ bbox: [, w0 = 0, w1 = 0, w2 = 0] }) => w1 <= x0 + 0.005 && shared(w0, w2, top, bottom) > 0.5,
      ),
    )
    .filter((words) => words.length > 0)
    .sort((a, b) => (b.at(-1)!.bbox[2] ?? 0) - (a.at(-1)!.bbox[2] ?? 0))[0];
  if (before) return trimLabel(before.map(({ text }) => text).join(' '));
  const above = lines
    .filter(({ bbox: [l0 = 0, t0 = 0, l1 = 0, t1 = 0] }) => {
      const gap = Math.min(top, y0) - t1;
      return shared(l0, l1, x0, x1) > 0.3 && gap > -0.3 * (t1 - t0) && gap < farAbove * (t1 - t0);
    })
    .sort((a, b) => (b.bbox[3] ?? 0) - (a.bbox[3] ?? 0))[0];
  return above ? trimLabel(above.text) : '';
}

export interface FieldMark {
  page: number;
  bbox: Box;
}

/** A field for a marked place: its label, a name after that, and a type after what stands there. */
export function fieldAt(mark: FieldMark, lines: readonly Line[], taken: readonly string[]): DraftField {
  const labels = guessLabel(lines, mark.bbox);
  return {
    id: crypto.randomUUID(),
    name: toFieldName(labels, taken),
    type: guessType(textIn(lines, mark.bbox)),
    labels,
    pattern: '',
    place: mark,
  };
}

/** `Rujukan: PSP/77` → the words after the colon, where there are any; else the whole line. */
export function valueBox({ words, bbox }: Line): Box {
  const colon = words.findIndex(({ text }) => /[:：]$/u.test(text));
  const value = colon < 0 ? [] : words.slice(colon + 1);
  if (value.length === 0) return bbox;
  return value.reduce<Box>(
    ([x0 = 0, y0 = 0, x1 = 0, y1 = 0], { bbox: [a0 = 0, b0 = 0, a1 = 0, b1 = 0] }) => [
      Math.min(x0, a0),
      Math.min(y0, b0),
      Math.max(x1, a1),
      Math.max(y1, b1),
    ],
    value[0]!.bbox,
  );
}

/** A box with a little air, so that a longer value or a shifted print is still inside; whole within the page. */
export function roomy([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: Box): Box {
  const air = (y1 - y0) * 0.25;
  return [x0 - air, y0 - air, x1 + air, y1 + air].map((value) => round(Math.min(1, Math.max(0, value))));
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000;

export type DraftStep = 'left' | 'right' | 'up' | 'down';

/** Of the page, for one press of an arrow key. */
const stepSize = 0.005;
const smallest = 0.005;

/** Moves a box, or its lower right corner where `resize`; it stays on the page. */
export function nudge([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: Box, step: DraftStep, resize: boolean): Box {
  const dx = step === 'left' ? -stepSize : step === 'right' ? stepSize : 0;
  const dy = step === 'up' ? -stepSize : step === 'down' ? stepSize : 0;
  if (resize) {
    const right = Math.min(1, Math.max(x0 + smallest, x1 + dx));
    const bottom = Math.min(1, Math.max(y0 + smallest, y1 + dy));
    return [x0, y0, right, bottom].map(round);
  }
  const [mx, my] = [Math.min(1 - x1, Math.max(-x0, dx)), Math.min(1 - y1, Math.max(-y0, dy))];
  return [x0 + mx, y0 + my, x1 + mx, y1 + my].map(round);
}

export type FieldProblem = 'name_missing' | 'name_form' | 'name_twice' | 'nothing_to_find';
export type DraftProblem = 'name_missing' | 'name_form' | 'no_fields';

export function fieldProblem(field: DraftField, fields: readonly DraftField[]): FieldProblem | null {
  if (!field.name) return 'name_missing';
  if (!/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(field.name)) return 'name_form';
  if (fields.some((other) => other.id !== field.id && other.name === field.name)) return 'name_twice';
  if (!field.place && !field.pattern && toLines(field.labels).length === 0) return 'nothing_to_find';
  return null;
}

export function draftProblem({ name, fields }: TemplateDraft): DraftProblem | null {
  if (!name) return 'name_missing';
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(name)) return 'name_form';
  return fields.length === 0 ? 'no_fields' : null;
}

export const isReady = (draft: TemplateDraft): boolean =>
  draftProblem(draft) === null && draft.fields.every((field) => fieldProblem(field, draft.fields) === null);
