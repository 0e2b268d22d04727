/** Templates while they are made: guesses from the page, problems, and files. */
import { describe, expect, test } from 'vitest';
import {
  draftProblem,
  emptyDraft,
  fieldAt,
  fieldProblem,
  freeName,
  guessLabel,
  guessType,
  type Line,
  nudge,
  roomy,
  textIn,
  toDraft,
  toFieldName,
  toTemplate,
  toTemplateName,
  valueBox,
} from '../../renderer/src/pages/documents/templates/draft.ts';
import {
  readTemplates,
  withFreeNames,
  writeTemplates,
} from '../../renderer/src/pages/documents/templates/template-file.ts';
import type { CustomTemplate } from '../../server/api/console/templates.ts';

/** A line of words, each a tenth of the page wide, from `x`; `y` is its top. */
function line(text: string, x: number, y: number): Line {
  const words = text
    .split(' ')
    .map((word, index) => ({ text: word, bbox: [x + index * 0.1, y, x + index * 0.1 + 0.09, y + 0.02] }));
  const [first, last] = [words[0]!.bbox, words.at(-1)!.bbox];
  return { page: 1, text, bbox: [first[0]!, y, last[2]!, y + 0.02], words };
}

const lines = [
  line('Reference: PSP-77', 0.1, 0.1),
  line('Final temperature', 0.1, 0.2),
  line('-18.5', 0.5, 0.2),
  line('Notes', 0.1, 0.3),
  line('Second door', 0.1, 0.33),
  line('is broken', 0.1, 0.36),
];

describe('what a marked place is', () => {
  test('its words, row by row', () => {
    expect(textIn(lines, [0.05, 0.32, 0.9, 0.4])).toBe('Second door is broken');
    expect(textIn(lines, [0.8, 0.8, 0.9, 0.9])).toBe('');
  });

  test('the label before it on its row, else the line above', () => {
    expect(guessLabel(lines, [0.48, 0.19, 0.7, 0.23])).toBe('Final temperature');
    expect(guessLabel(lines, [0.195, 0.1, 0.3, 0.12])).toBe('Reference');
    expect(guessLabel(lines, [0.05, 0.32, 0.9, 0.4])).toBe('Notes');
    expect(guessLabel(lines, [0.5, 0.6, 0.7, 0.7])).toBe('');
  });

  test('a field with a name of its own', () => {
    const mark = { page: 1, bbox: [0.48, 0.19, 0.7, 0.23] };
    const field = fieldAt(mark, lines, ['final_temperature']);
    expect(field).toMatchObject({
      name: 'final_temperature_2',
      type: 'number',
      labels: 'Final temperature',
      place: mark,
    });
    expect(toFieldName('发票号码', [])).toBe('field');
    expect(toFieldName('2nd Réference No.', [])).toBe('nd_reference_no');
  });

  test('of a line with a colon, what stands behind it', () => {
    expect(valueBox(lines[0]!)).toEqual(lines[0]!.words[1]!.bbox);
    expect(valueBox(lines[3]!)).toEqual(lines[3]!.bbox);
  });

  test.each([
    ['3 March 2026', 'date'],
    ['2026-03-01', 'date'],
    ['01/03/26', 'date'],
    ['2026年3月1日', 'date'],
    ['RM 1,234.50', 'amount'],
    ['1.234,50 €', 'amount'],
    ['-18.5', 'number'],
    ['77', 'number'],
    ['PSP-2026-77', 'text'],
    ['12 Jalan Ampang', 'text'],
  ])('%s is a %s', (text, type) => {
    expect(guessType(text)).toBe(type);
  });
});

describe('places', () => {
  test('get air, but stay on the page', () => {
    expect(roomy([0.5, 0.5, 0.6, 0.52])).toEqual([0.495, 0.495, 0.605, 0.525]);
    expect(roomy([0, 0.98, 1, 1])).toEqual([0, 0.975, 1, 1]);
  });

  test('are moved whole and resized at their corner, within the page', () => {
    expect(nudge([0.5, 0.5, 0.6, 0.52], 'right', false)).toEqual([0.505, 0.5, 0.605, 0.52]);
    expect(nudge([0.001, 0.5, 0.1, 0.52], 'left', false)).toEqual([0, 0.5, 0.099, 0.52]);
    expect(nudge([0.5, 0.5, 0.6, 0.52], 'down', true)).toEqual([0.5, 0.5, 0.6, 0.525]);
    expect(nudge([0.5, 0.5, 0.506, 0.52], 'left', true)).toEqual([0.5, 0.5, 0.505, 0.52]);
  });
});

const template: CustomTemplate = {
  name: 'cold-store',
  title: 'Cold store',
  words: ['cold store'],
  fields: [
    { name: 'reference', type: 'text', labels: ['Reference', 'Rujukan'] },
    { name: 'year', type: 'number', pattern: '\\d{4}', place: { page: 2, bbox: [0, 0, 1, 1] } },
  ],
};

describe('drafts', () => {
  test('become the template they came from', () => {
    expect(toTemplate(toDraft(template))).toEqual(template);
    expect(toTemplate(toDraft({ name: 'bare', fields: [] }))).toEqual({ name: 'bare', fields: [] });
  });

  test('names from titles', () => {
    expect(toTemplateName('Cold Store – Réport 2')).toBe('cold-store-report-2');
    expect(toTemplateName('发票')).toBe('');
    expect(freeName('a', ['a', 'a-2'])).toBe('a-3');
  });

  test('tell what keeps them from being saved', () => {
    const draft = toDraft(template);
    const [first, second] = draft.fields as [(typeof draft.fields)[0], (typeof draft.fields)[0]];
    expect(draftProblem(draft)).toBeNull();
    expect(draftProblem(emptyDraft)).toBe('name_missing');
    expect(draftProblem({ ...draft, name: 'Cold Store' })).toBe('name_form');
    expect(draftProblem({ ...draft, fields: [] })).toBe('no_fields');
    expect(fieldProblem(first, draft.fields)).toBeNull();
    expect(fieldProblem({ ...first, name: '' }, draft.fields)).toBe('name_missing');
    expect(fieldProblem({ ...first, name: 'no spaces' }, draft.fields)).toBe('name_form');
    expect(fieldProblem({ ...first, name: second.name }, draft.fields)).toBe('name_twice');
    expect(fieldProblem({ ...first, labels: ' \n' }, draft.fields)).toBe('nothing_to_find');
  });
});

describe('files of templates', () => {
  test('one or many, read as they were written', () => {
    expect(readTemplates(writeTemplates([template]))).toEqual([template]);
    expect(readTemplates(writeTemplates([template, template]))).toEqual([template, template]);
    expect(readTemplates(JSON.stringify([template]))).toEqual([template]);
  });

  test.each(['[1]', '[]', '"text"', '{"data": []}', '{"fields": []}', 'no JSON'])('not %s', (text) => {
    expect(() => readTemplates(text)).toThrow();
  });

  test('replace nothing: names that are taken get a number', () => {
    const names = withFreeNames([template, template], ['cold-store']).map(({ name }) => name);
    expect(names).toEqual(['cold-store-2', 'cold-store-3']);
  });
});
