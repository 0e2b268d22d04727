/** Persons, organizations, places, dates and job titles by the tagger of the shield starter. */
import { cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entityFeatures } from '../../../server/engine/entities/entity-features.ts';
import { tagEntities } from '../../../server/engine/entities/entity-tagger.ts';
import { entityTokens } from '../../../server/engine/entities/entity-tokens.ts';
import {
  hanWords,
  latinClass,
  nameClass,
  nameClasses,
  wordKey,
} from '../../../server/engine/entities/entity-words.ts';
import { loadEntityModel } from '../../../server/engine/entities/load-entities.ts';
import { bestTags, entityTagCount, linkCount, sumChain } from '../../../server/engine/entities/tag-chain.ts';
import { loadPiiDetector } from '../../../server/engine/moderation/pii/detect-pii.ts';
import { finish } from '../../../server/engine/steps.ts';
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
    expect(entityTokens('Lucas昨天').map(({ text }) => text)).toEqual(['Lucas', '昨', '天']);
    for (const { text, start, end } of entityTokens('a  b')) expect('a  b'.slice(start, end)).toBe(text);
  });

  test('features are those the shipped weights were trained on', async () => {
    const known = (await loadEntityModel(shieldStarter))!;
    const tokens = entityTokens('Dr. Siti Aminah lives in 槟城 since 1999.');
    const sums = [...entityFeatures(tokens, 1 << 19, known)].map(({ ids }) =>
      ids.reduce((sum, id) => (sum + id) % 1_000_003, 0),
    );
    expect(sums).toMatchInlineSnapshot(`
      [
        961827,
        244152,
        545970,
        483088,
        39438,
        158057,
        294698,
        52926,
        936178,
        56189,
        845680,
      ]
    `);
  });

  test('no span goes on that none began', () => {
    // Weights that want the tag “goes on with a name” for every token.
    const weights = new Int8Array(64 * entityTagCount);
    weights[2] = 100;
    const scales = new Float32Array(entityTagCount).fill(0.1);
    const model = {
      ...{ weights, scales, words: new Uint32Array(), names: new Uint32Array() },
      transitions: new Float64Array(linkCount * entityTagCount ** 2),
    };
    expect(finish(tagEntities('one two three', model))).toMatchObject([{ kind: 'name', start: 0, end: 13 }]);
  });
});

describe('a chain of tags', () => {
  const count = 3;
  const chain = {
    count,
    logits: Float64Array.from({ length: count * entityTagCount }, (_, at) => ((at * 37) % 11) / 4),
    links: Uint8Array.from([0, 1, 0]),
    transitions: Float64Array.from(
      { length: linkCount * entityTagCount ** 2 },
      (_, at) => ((at * 53) % 17) / 5 - 1,
    ),
  };
  const tags = Array.from({ length: entityTagCount }, (_, tag) => tag);
  const follows = (before: number, tag: number) =>
    tag === 0 || tag % 2 === 1 || before === tag || before === tag - 1;
  /** Every row of tags, with its score. */
  const all = tags
    .flatMap((a) => tags.flatMap((b) => tags.map((c) => [a, b, c])))
    .filter((row) => row.every((tag, at) => follows(row[at - 1] ?? 0, tag)))
    .map((row) => ({
      row,
      score: row.reduce((sum, tag, at) => {
        const step = chain.links[at]! * entityTagCount ** 2 + row[at - 1]! * entityTagCount + tag;
        return sum + chain.logits[at * entityTagCount + tag]! + (at > 0 ? chain.transitions[step]! : 0);
      }, 0),
    }));

  test('the best row is that of the highest sum', () => {
    const best = all.reduce((a, b) => (b.score > a.score ? b : a));
    expect([...bestTags(chain)]).toEqual(best.row);
  });

  test('the odds of a tag are the share of the rows that have it', () => {
    const { forward, backward } = sumChain(chain);
    const total = all.reduce((sum, { score }) => sum + Math.exp(score), 0);
    for (let at = 0; at < count; at++)
      for (const tag of tags) {
        const having = all.filter(({ row }) => row[at] === tag);
        const share = having.reduce((sum, { score }) => sum + Math.exp(score), 0) / total;
        const cell = at * entityTagCount + tag;
        expect(forward[cell]! * backward[cell]!).toBeCloseTo(share, 9);
      }
  });
});

const table = (entries: [word: string, kind: number][]) =>
  Uint32Array.from(entries, ([word, kind]) => ((wordKey(word) << 8) | kind) >>> 0).sort();

describe('known names', () => {
  test('the longest one counts, with the place of each token in it', () => {
    const names = table([
      ['kota', nameClass.surname],
      ['kota bharu', nameClass.place],
      ['洪山区', nameClass.place],
    ]);
    const inside = (kind: number, place: number) => 1 + kind * 4 + place;
    expect([...nameClasses(entityTokens('Kota Bharu, Kota 在洪山区'), names)]).toEqual([
      ...[inside(nameClass.place, 1), inside(nameClass.place, 3), 0, inside(nameClass.surname, 0), 0],
      ...[inside(nameClass.place, 1), inside(nameClass.place, 2), inside(nameClass.place, 3)],
    ]);
  });
});

describe('known words', () => {
  test('a usual ending or beginning leads to the word that is known', () => {
    const words = table([
      ['carry', 9],
      ['stop', 8],
      ['baca', 7],
    ]);
    expect(
      ['carry', 'carries', 'stopped', 'stopping', 'bacakan', 'dibaca', 'siti'].map((word) =>
        latinClass(word, words),
      ),
    ).toEqual([9, 9, 8, 8, 7, 7, 0]);
  });

  test('Chinese is cut where the commoner words are', () => {
    const common = 128 + 7 * 16;
    const words = table([
      ['研究', common],
      ['研究生', 128],
      ['生命', common],
      ['命', 128],
    ]);
    const { start, end, kind } = hanWords('研究生命吴', words);
    expect([...start]).toEqual([0, 0, 2, 2, 4]);
    expect([...end]).toEqual([2, 2, 4, 4, 5]);
    expect(kind[4]).toBe(0);
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

  test('a name of letters ends where Chinese goes on', () => {
    expect(found('Lucas昨天在工地修车。').filter(([kind]) => kind === 'name')).toEqual([['name', 'Lucas']]);
  });

  test('a listed name inside an organization is a part of it', () => {
    expect(found("She ate at Ali's Kitchen, Ipoh.")).not.toContainEqual(['name', "Ali's Kitchen"]);
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
    expect(finish(detect('My name is Jane Doe of Acme'))).toMatchObject([{ kind: 'name', start: 11 }]);
  });

  test('a listed word that the tagger is sure is no name is none', async () => {
    const sure = await mkdtemp(join(folder, 'sure-'));
    await cp(shieldStarter.folder, sure, { recursive: true });
    const text = 'Adam, Aisha and Daniel';
    const names = async () => finish((await loadPiiDetector({ folder: sure }))(text)).length;
    expect(await names()).toBeGreaterThan(0);
    // Weights that want no tag for every token.
    const { size } = await stat(join(sure, 'entities.bin'));
    const weights = Int8Array.from({ length: size }, (_, at) => (at % entityTagCount === 0 ? 127 : 0));
    await writeFile(join(sure, 'entities.bin'), weights);
    expect(await names()).toBe(0);
  });

  test.each<[file: string, content: string, message: RegExp]>([
    ['entities.bin', 'short', /entities\.bin/],
    ['entities.json', '{"version":2}', /entities\.json/],
    ['entities-words.bin', 'odd', /entities-words\.bin/],
    ['entities-names.bin', 'odd', /entities-names\.bin/],
    [
      'entities.json',
      JSON.stringify({
        version: 0,
        buckets: 2,
        scales: Array(entityTagCount).fill(1),
        transitions: Array(linkCount * entityTagCount ** 2).fill(0),
        thresholds: { latin: ones, han: ones },
      }),
      /feature version 0/,
    ],
  ])('%s %s is refused', async (file, content, message) => {
    const copy = await mkdtemp(join(folder, 'wrong-'));
    for (const name of ['entities.json', 'entities.bin', 'entities-words.bin', 'entities-names.bin'])
      await cp(join(shieldStarter.folder, name), join(copy, name));
    await writeFile(join(copy, file), content);
    await expect(loadEntityModel({ folder: copy })).rejects.toMatchObject({
      code: 'internal_error',
      message: expect.stringMatching(message),
    });
  });
});
