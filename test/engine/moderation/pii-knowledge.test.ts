/** Patterns and names of personal data are files of the pack: its own, else its role's starter's; a wrong one refuses it. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadPiiDetector } from '../../../server/engine/moderation/pii/detect-pii.ts';
import { finish } from '../../../server/engine/steps.ts';
import { shieldStarter } from '../../support/moderation/shield-pack.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lokal-pii-'));
});
afterAll(() => rm(folder, { recursive: true }));

type Edit = (text: string) => string;

/** The two files of the starter, one of them edited. */
async function withEdit(file: string, edit: Edit): Promise<string> {
  const copy = await mkdtemp(join(folder, 'pack-'));
  for (const name of ['pii.yml', 'names.tsv']) await cp(join(shieldStarter.folder, name), join(copy, name));
  const before = await readFile(join(copy, file), 'utf8');
  const after = edit(before);
  expect(after).not.toBe(before);
  await writeFile(join(copy, file), after);
  return copy;
}

const namesIn = async (pack: string, text: string) =>
  finish((await loadPiiDetector({ folder: pack }))(text))
    .filter(({ kind }) => kind === 'name')
    .map(({ start, end }) => text.slice(start, end));

const append =
  (row: string): Edit =>
  (text) =>
    `${text}${row}\n`;
const swap =
  (from: string, to: string): Edit =>
  (text) =>
    text.replace(from, to);

describe('what a pack knows of personal data', () => {
  test('grows by a row of names', async () => {
    const text = 'and then Quilliam left.';
    // Without the tagger, which knows the name by its place.
    expect(await namesIn(await withEdit('names.tsv', append('given\tzoltan')), text)).toEqual([]);
    expect(await namesIn(await withEdit('names.tsv', append('given\tquilliam')), text)).toEqual(['Quilliam']);
  });

  test.each<[string, Edit, RegExp]>([
    ['names.tsv', append('nobody\tquilliam'), /names\.tsv: nobody/],
    ['names.tsv', append('given'), /names\.tsv: row/],
    ['pii.yml', swap('valid: mykad', 'valid: nothing'), /pii\.yml: \/families\/identity\/rules\/0\/valid/],
    ['pii.yml', swap('context: card', 'context: nothing'), /pii\.yml: nothing/],
    ['pii.yml', swap('kind: card', 'kind: nothing'), /pii\.yml: \/families\/finance\/rules\/0\/kind/],
    ['pii.yml', swap('score: 0.95', 'score: 95'), /pii\.yml: \/families/],
    ['pii.yml', swap("pattern: '", "pattern: '("), /pii\.yml: .* no regular expression/],
    ['pii.yml', swap(`\${person}`, `\${nothing}`), /nothing/],
    ['pii.yml', swap('  emails:', '  letters:'), /pii\.yml: \/families/],
    ['pii.yml', append('more: [1'), /pii\.yml: not valid YAML/],
  ])('%s is refused where it is wrong', async (file, edit, message) => {
    await expect(loadPiiDetector({ folder: await withEdit(file, edit) })).rejects.toMatchObject({
      code: 'internal_error',
      message: expect.stringMatching(message),
    });
  });

  test('is the starter’s in a pack without it; without a starter such a pack is refused', async () => {
    const empty = await mkdtemp(join(folder, 'empty-'));
    const detect = await loadPiiDetector({ folder: empty, starter: shieldStarter });
    expect(finish(detect('My name is Jane Doe'))).toMatchObject([{ kind: 'name', start: 11 }]);
    await expect(loadPiiDetector({ folder: empty })).rejects.toMatchObject({ code: 'internal_error' });
  });
});
