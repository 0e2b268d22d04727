/** Persons, organizations, places, dates and job titles by the tagger of the shield starter. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadPiiDetector } from '../../../server/engine/moderation/pii/detect-pii.ts';
import { entityFeatures } from '../../../server/engine/moderation/pii/entities/entity-features.ts';
import { entityTagCount, tagEntities } from '../../../server/engine/moderation/pii/entities/entity-tagger.ts';
import { entityTokens } from '../../../server/engine/moderation/pii/entities/entity-tokens.ts';
import { loadEntityModel } from '../../../server/engine/moderation/pii/entities/load-entities.ts';
import { detectPii, shieldStarter } from '../../support/moderation/shield-pack.ts';

const found = (text: string) =>
  detectPii(text)
    .filter(({ score }) => score >= 0.3)
    .map(({ kind, start, end }) => [kind, text.slice(start, end)]);

describe('tokens and features', () => {
  test('words keep their apostrophes, each Chinese character is one, lines end', () => {
    expect(entityTokens("O'Brien, 王明\n12a").map(({ text }) => text)).toEqual([
      ...["O'Brien", ',', '王', '明', '\n', '12', 'a'],
    ]);
    for (const { text, start, end } of entityTokens('a  b')) expect('a  b'.slice(start, end)).toBe(text);
  });

  test('features are those the shipped weights were trained on', () => {
    const sums = entityFeatures(entityTokens('Dr. Siti Aminah lives in 槟城 since 1999.'), 1 << 19).map(
      (ids) => ids.reduce((sum, id) => (sum + id) % 1_000_003, 0),
    );
    expect(sums).toMatchInlineSnapshot(`
      [
        186596,
        510406,
        66444,
        496082,
        860841,
        261899,
        773568,
        401786,
        731001,
        619896,
        118180,
      ]
    `);
  });

  test('no span goes on that none began', () => {
    // Weights that want the tag “goes on with a name” for every token.
    const weights = new Int8Array(64 * entityTagCount);
    weights[2] = 100;
    const scales = new Float32Array(entityTagCount).fill(0.1);
    expect(tagEntities('one two three', { weights, scales })).toMatchObject([
      { kind: 'name', start: 0, end: 13 },
    ]);
  });
});

describe('the starter', () => {
  test.each<[text: string, expected: [kind: string, found: string][]]>([
    [
      'Aditi Rao flew from Mumbai to Kuala Lumpur on 12 May 2021.',
      [
        ['name', 'Aditi Rao'],
        ['place', 'Mumbai'],
        ['place', 'Kuala Lumpur'],
        ['date', '12 May 2021'],
      ],
    ],
    [
      'Nurul Huda bekerja di Petronas, Kuala Lumpur.',
      [
        ['name', 'Nurul Huda'],
        ['organization', 'Petronas'],
        ['place', 'Kuala Lumpur'],
      ],
    ],
    [
      '李国华是腾讯的工程师。',
      [
        ['name', '李国华'],
        ['organization', '腾讯'],
        ['job_title', '工程师'],
      ],
    ],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  test('what exposes nobody stays below the threshold', () => {
    for (const { kind, score } of detectPii('The manager of Maybank was in Ipoh on Monday.')) {
      expect(['job_title', 'organization', 'place', 'date']).toContain(kind);
      expect(score).toBeLessThan(0.5);
    }
  });
});

const ones = { name: 1, organization: 1, place: 1, date: 1, job_title: 1 };

describe('the files of a tagger', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lokal-entities-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('may be absent: patterns and lists find names alone', async () => {
    const bare = await mkdtemp(join(folder, 'bare-'));
    for (const name of ['pii.yml', 'names.tsv']) await cp(join(shieldStarter.folder, name), join(bare, name));
    const detect = await loadPiiDetector({ folder: bare });
    expect(detect('My name is Jane Doe of Maybank')).toMatchObject([{ kind: 'name', start: 11 }]);
  });

  test.each<[file: string, content: string, message: RegExp]>([
    ['entities.bin', 'short', /entities\.bin/],
    ['entities.json', '{"version":1}', /entities\.json/],
    [
      'entities.json',
      JSON.stringify({
        version: 0,
        buckets: 2,
        scales: Array(entityTagCount).fill(1),
        thresholds: { latin: ones, han: ones },
      }),
      /feature version 0/,
    ],
  ])('%s %s is refused', async (file, content, message) => {
    const copy = await mkdtemp(join(folder, 'wrong-'));
    for (const name of ['entities.json', 'entities.bin'])
      await cp(join(shieldStarter.folder, name), join(copy, name));
    await writeFile(join(copy, file), content);
    await expect(loadEntityModel({ folder: copy })).rejects.toMatchObject({
      code: 'internal_error',
      message: expect.stringMatching(message),
    });
  });
});
