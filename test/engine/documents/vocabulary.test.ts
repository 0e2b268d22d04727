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
