/** Words of templates are data of the parse pack: its own, else its role's starter's; a wrong row refuses the pack. */

import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readVocabulary } from '../../../server/engine/documents/vocabulary/read-vocabulary.ts';
import { toVocabulary } from '../../../server/engine/documents/vocabulary/vocabulary.ts';

const fragment = (name: string): string => `\${${name}}`;

const starter = fileURLToPath(new URL('../../../models/packs/parse-starter', import.meta.url));
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lokal-vocabulary-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A copy of the starter with one more row in one of its files. */
async function withRow(file: string, row: string): Promise<string> {
  const copy = join(folder, `${Math.random()}`);
  await cp(starter, copy, { recursive: true });
  await writeFile(join(copy, 'vocabulary', file), `${row}\n`, { flag: 'a' });
  return copy;
}

describe('the vocabulary of a pack', () => {
  test('a new label in its file is a label', async () => {
    const pack = await withRow('labels.tsv', `due_date\t1\tiu\t\\bdaĵŭ\\s*${fragment('number')}`);
    const { labels } = toVocabulary((await readVocabulary({ folder: pack })).rows);
    expect(labels.due_date.at(-1)!.pattern.test('Daĵŭ No. 7')).toBe(true);
  });

  test('of the starter is whole', async () => {
    const { rows, templates } = await readVocabulary({ folder: starter });
    expect(toVocabulary(rows).registrations.length).toBeGreaterThan(15);
    expect(templates.passport.fields.map(({ name }) => name)).toContain('issue_date');
  });

  test('words whose first or last letter has an accent are found between blanks', async () => {
    const words = toVocabulary((await readVocabulary({ folder: starter })).rows);
    const amount = (text: string) =>
      words.amounts.filter(({ pattern }) => pattern.test(text)).map(({ kind }) => kind);
    expect(amount('Öresavrundning 0,40')).toContain('rounding');
    expect(amount('Avrunding 0,40')).toContain('rounding');
    for (const text of ['Fizetendő 12 500 Ft', 'Összesen: 12 500', 'Yhteensä 12,00', 'À régler 12,00 €'])
      expect(amount(text), text).toContain('total');
    const field = (name: keyof typeof words.labels, text: string) =>
      words.labels[name].some(({ pattern }) => pattern.test(text));
    expect(field('invoice_number', 'Číslo faktury: 20417')).toBe(true);
    expect(field('invoice_date', 'Datum vystavení: 2. 5. 2025')).toBe(true);
    for (const text of ['Eräpäivä: 2.5.2025', 'Fizetési határidő: 2025. 05. 02.', 'Échéance : 02/05/2025'])
      expect(field('due_date', text), text).toBe(true);
    expect(words.paymentTerms.test('per Überweisung')).toBe(true);
    expect(words.sections.return.test('Échange')).toBe(true);
    const currencies = (text: string) =>
      words.countries.filter(({ pattern }) => pattern.test(text)).map(({ kind }) => kind);
    expect(currencies('27 % ÁFA')).toEqual(['HUF']);
    expect(currencies('12 500 Ft')).toEqual(['HUF']);
    expect(currencies('Česká republika')).toEqual(['CZK']);
    expect(currencies('1010 Wien, Österreich')).toEqual(['EUR']);
    expect(currencies('Ladder, 12 ft')).toEqual([]);
  });

  test('no part of a long line is tried as a title', async () => {
    const { parties } = toVocabulary((await readVocabulary({ folder: starter })).rows);
    for (const line of ['中'.repeat(60_000), 'é '.repeat(30_000), `${'中'.repeat(60_000)}!`])
      expect(parties.title.test(line) || parties.contract_title.test(line)).toBe(false);
  });

  test.each([
    ['labels.tsv', 'no_such_field\t1\tiu\tx', /labels\.tsv: a row/],
    ['labels.tsv', 'due_date\t1.5\tiu\tx', /labels\.tsv: a row/],
    ['amounts.tsv', 'total\t1\tg\tx', /amounts\.tsv: a row/],
    ['amounts.tsv', 'total\t1\tiu\t(', /amounts\.tsv: the pattern of total/],
    ['amounts.tsv', `total\t1\tiu\t${fragment('nothing')}`, /amounts\.tsv: the pattern of total/],
    ['registrations.tsv', 'iban\t1\tluhn\tiu\tx', /registrations\.tsv: a row/],
    ['parties.tsv', 'shop\t1\tx', /parties\.tsv: row/],
  ])('%s with the row %j is refused', async (file, row, message) => {
    await expect(readVocabulary({ folder: await withRow(file, row) })).rejects.toMatchObject({
      code: 'internal_error',
      message: expect.stringMatching(message),
    });
  });

  test('a pack without it has the starter’s; without a starter it is refused', async () => {
    const empty = await mkdtemp(join(folder, 'empty-'));
    const from = { folder: starter, manifest: {} } as never;
    expect(await readVocabulary({ folder: empty, starter: from })).toEqual(
      await readVocabulary({ folder: starter }),
    );
    await expect(readVocabulary({ folder: empty })).rejects.toMatchObject({ code: 'internal_error' });
  });
});
