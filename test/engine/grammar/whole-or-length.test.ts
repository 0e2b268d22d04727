import { describe, expect, it } from 'vitest';
import { compileOutput } from '../../../server/engine/chat/output/compile-output.ts';
import { EngineError } from '../../../server/engine/engine.ts';
import {
  bfclSubjects,
  draw,
  plainParams,
  type Subject,
  schemaSubject,
  suiteSubjects,
  toolSubject,
} from '../../support/chat/grammar-draws.ts';
import { tastes } from '../../support/chat/random-writer.ts';
import { random } from '../../support/chat/tiny-decoder.ts';
import { testVocabulary } from '../../support/chat/vocabulary.ts';

const vocabulary = testVocabulary();
const budgets = [8, 16, 32, 64, 128, 256, 512, 1024, 4096];

/** Every one with every taste, at a budget of its own; random models of no limit seldom end, so few draw long. */
function drawAll(subjects: readonly Subject[], seed: number): Record<string, number> {
  const next = random(seed);
  const outcomes: Record<string, number> = {};
  for (const subject of subjects) {
    for (const taste of tastes) {
      const most = taste === 'brief' || taste === 'blanks' ? budgets.length : 6;
      const maxTokens = budgets[Math.floor(next() * most)]!;
      try {
        const outcome = draw(vocabulary, { subject, taste, maxTokens, next });
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      } catch (error) {
        throw new Error(`${subject.name}, ${taste}, ${maxTokens} tokens`, { cause: error });
      }
    }
  }
  return outcomes;
}

const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const byHand: [name: string, schema: unknown][] = [
  ['no properties', object({})],
  ['no items', { type: 'array', items: false }],
  ['a constant', { const: { a: [1, 'x', null] } }],
  ['an enum of all kinds', { enum: [1, 'one', [], {}, null, true, 1.5e-7, '\u0000"\\'] }],
  [
    'required texts',
    object({ name: { type: 'string' }, city: { type: 'string' }, total: { type: 'number' } }, [
      'name',
      'city',
      'total',
    ]),
  ],
  [
    'an optional property that nothing fits',
    object({ city: { type: 'string' }, live: { type: 'boolean', enum: ['True', 'False'] } }, ['city']),
  ],
  [
    'items that nothing fits',
    object({ list: { type: 'array', items: { type: 'integer', minimum: 5, maximum: 3 } } }, ['list']),
  ],
  [
    'a branch that nothing fits',
    { anyOf: [{ type: 'string', minLength: 4, maxLength: 2 }, { type: 'null' }] },
  ],
  ['two patterns at once', { type: 'string', allOf: [{ pattern: '^[a-f]{2,}$' }, { pattern: '[d-z]$' }] }],
  ['neither one nor the other', { type: 'string', not: { anyOf: [{ pattern: '^a?$' }, { maxLength: 3 }] } }],
  [
    'steps of steps',
    { type: 'integer', allOf: [{ multipleOf: 6 }, { multipleOf: 10 }], minimum: 1, maximum: 70 },
  ],
  ['decimals', { type: 'number', multipleOf: 0.01, exclusiveMinimum: 0, exclusiveMaximum: 0.03 }],
  ['all that differ', { type: 'array', items: { enum: [1, 2, 3] }, uniqueItems: true, minItems: 3 }],
  [
    'texts that differ',
    { type: 'array', items: { type: 'string', maxLength: 1 }, uniqueItems: true, minItems: 2 },
  ],
  ['one that is contained', { type: 'array', contains: { const: 7 }, maxItems: 3, maxContains: 1 }],
  [
    'exactly one',
    { oneOf: [object({ a: { type: 'null' } }), object({ a: { type: 'null' }, b: {} }, ['b'])] },
  ],
  [
    'a list of lists',
    { $ref: '#/$defs/n', $defs: { n: { type: 'array', items: { $ref: '#/$defs/n' }, maxItems: 2 } } },
  ],
  ['named keys', { type: 'object', propertyNames: { pattern: '^[xy]$' }, minProperties: 2 }],
];

describe('structured output is whole or ends with length', () => {
  it('under schemas of few and of many choices, at every budget', () => {
    const subjects = byHand.map(([name, schema]) => schemaSubject(name, schema));
    const outcomes = drawAll([...subjects, ...subjects, ...subjects], 5);
    expect(Object.keys(outcomes).sort()).toEqual(['length', 'stop']);
  });

  it('under schemas of the test suite and tools of BFCL (needs the shared data)', {
    timeout: 120_000,
  }, () => {
    const next = random(7);
    const some = [...suiteSubjects(), ...bfclSubjects()].filter(() => next() < 0.06);
    const outcomes = drawAll(some, 9);
    const others = { stop: 0, length: 0, unsupported: 0, unsatisfiable: 0, 'too complex': 0, ...outcomes };
    expect(others['too complex']).toBeLessThan(3);
  });

  it('with tools whose names begin alike and whose parameters differ', () => {
    const tool = (name: string, parameters?: Record<string, unknown>) => ({
      type: 'function' as const,
      function: { name, ...(parameters && { parameters }) },
    });
    const tools = [
      tool('get'),
      tool('get_time', object({})),
      tool('get_weather', object({ city: { type: 'string' }, n: { type: 'integer' } }, ['city', 'n'])),
      tool('set', object({ city: { type: 'integer' }, n: { type: 'string', maxLength: 3 } }, ['city', 'n'])),
    ];
    const subject = toolSubject('tools', tools);
    expect(
      drawAll(
        Array.from({ length: 12 }, () => subject),
        3,
      ).stop,
    ).toBeGreaterThan(8);
  });

  it('with nothing that the model did not choose, however few tokens there are', () => {
    const [, schema] = byHand[4]!;
    const text = '{"name":"Siti Rahman","city":"Ipoh","total":42.5}';
    for (let maxTokens = 1; maxTokens <= text.length + 1; maxTokens += 1) {
      const compiled = compileOutput(
        {
          ...plainParams,
          format: { type: 'json_schema', schema: schema as Record<string, unknown>, strict: true },
        },
        { vocabulary, template: null },
      )!;
      const mask = compiled.createMask()!;
      // A model that wants this text and no other, a byte a token.
      for (const byte of Buffer.from(text).subarray(0, maxTokens)) {
        expect(
          mask.allowed()![byte >>> 5]! & (1 << (byte & 31)),
          `${maxTokens}: ${String.fromCharCode(byte)}`,
        ).not.toBe(0);
        mask.accept(byte);
      }
      expect(mask.complete).toBe(maxTokens >= text.length);
    }
  });
});

function refusalOf(schema: unknown): EngineError {
  try {
    compileOutput(
      {
        ...plainParams,
        format: { type: 'json_schema', schema: schema as Record<string, unknown>, strict: true },
      },
      { vocabulary, template: null },
    );
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

const place = 'response_format.json_schema.schema';

describe('what no value can satisfy', () => {
  it.each([
    [
      'a required property',
      object({ live: { type: 'boolean', enum: ['True'] } }, ['live']),
      '.properties.live.enum',
    ],
    [
      'bounds',
      object({ a: object({ n: { type: 'integer', minimum: 5, maximum: 3 } }, ['n']) }, ['a']),
      '.properties.a.properties.n.minimum',
    ],
    [
      'lengths',
      object({ s: { type: 'string', minLength: 3, maxLength: 2 } }, ['s']),
      '.properties.s.minLength',
    ],
    [
      'items that must be there',
      { type: 'array', items: { type: 'string', const: 1 }, minItems: 1 },
      '.items.const',
    ],
    [
      'a place referred to',
      { $ref: '#/$defs/x', $defs: { x: { type: 'null', enum: [1] } } },
      '.$defs.x.enum',
    ],
    [
      'too few that differ',
      { type: 'array', items: { enum: [1, 2] }, uniqueItems: true, minItems: 3 },
      '.items',
    ],
    [
      'branches of which none fits',
      { type: 'null', anyOf: [{ type: 'string' }, { type: 'number' }] },
      '.anyOf',
    ],
    [
      'a required property that is false',
      { type: 'object', properties: { a: false }, required: ['a'] },
      '.properties.a',
    ],
  ])('is refused by name: %s', (_name, schema, where) => {
    const refusal = refusalOf(schema);
    expect(refusal).toMatchObject({ code: 'invalid_value', param: place + where });
    expect(refusal.message).toMatch(/no value can satisfy/);
  });
});

/** Of finding F1, and others that multiply what must be kept apart. */
const refs = (count: number, make: (before: object) => unknown, first: unknown) => ({
  $defs: Object.fromEntries([
    ['d0', first],
    ...Array.from({ length: count }, (_, at) => [`d${at + 1}`, make({ $ref: `#/$defs/d${at}` })]),
  ]),
  $ref: `#/$defs/d${count}`,
});
const unique = (count: number) =>
  object(
    {
      a: { type: 'array', items: { enum: [...Array(count).keys()] }, uniqueItems: true, minItems: count - 1 },
    },
    ['a'],
  );

describe('work is bounded', () => {
  it.each<[name: string, schema: unknown, keyword: RegExp]>([
    ['500 items that differ', unique(500), /uniqueItems/],
    [
      'a tree of 40 levels',
      refs(40, (before) => object({ a: before, b: before }, ['a', 'b']), { type: 'string' }),
      /\$ref/,
    ],
    [
      'thirty things contained',
      { type: 'array', allOf: Array.from({ length: 30 }, (_, at) => ({ contains: { const: at } })) },
      /contains/,
    ],
    [
      'steps of many primes',
      {
        type: 'integer',
        minimum: 1,
        allOf: [7, 11, 13, 17, 19, 23, 29, 31, 37].map((multipleOf) => ({ multipleOf })),
      },
      /multipleOf/,
    ],
    ['a text of a hundred thousand', { type: 'string', minLength: 100_000 }, /minLength/],
    ['a hundred thousand items', { type: 'array', items: { type: 'string' }, minItems: 100_000 }, /minItems/],
    ['a pattern of many copies', { type: 'string', pattern: '^((a{1,100}){1,100}){1,2}$' }, /pattern/],
    [
      'a list without an end',
      refs(1, () => object({ next: { $ref: '#/$defs/d1' } }, ['next']), {}),
      /\$ref|required|next/,
    ],
  ])('of %s: refused, naming the keyword', (_name, schema, keyword) => {
    const refusal = refusalOf(schema);
    expect(refusal).toMatchObject({ code: 'invalid_value', param: expect.stringMatching(keyword) });
  });

  it.each<[name: string, schema: unknown]>([
    ['a pattern that remembers', { type: 'string', pattern: '^(.|\\n)*a(.|\\n){900}$' }],
    [
      'patterns side by side',
      {
        type: 'string',
        allOf: Array.from({ length: 12 }, (_, at) => ({ pattern: `^(.*[a-m].{${at + 3}}|x*)$` })),
      },
    ],
  ])('of %s: refused at the latest by the mask', (name, schema) => {
    const outcome = draw(testVocabulary(32_000), {
      subject: schemaSubject(name, schema),
      taste: 'any',
      maxTokens: 300,
      next: random(1),
    });
    expect(outcome).toBe('too complex');
  });

  it.each<[name: string, schema: unknown]>([
    ['40 items that differ', unique(40)],
    [
      'a product of 23 levels',
      refs(
        23,
        (before) => ({
          allOf: [{ anyOf: [before, { type: 'number' }] }, { oneOf: [before, { type: 'null' }] }],
        }),
        { type: 'string', maxLength: 3 },
      ),
    ],
    [
      '200 alternatives',
      {
        oneOf: Array.from({ length: 200 }, (_, at) =>
          object({ kind: { const: `k${at}` }, v: { type: 'string' } }, ['kind', 'v']),
        ),
      },
    ],
    ['5,000 words', { enum: Array.from({ length: 5000 }, (_, at) => `value ${at}`) }],
    [
      'thirty optional properties, six levels deep, each of them null or an object',
      refs(
        6,
        (before) => ({
          anyOf: [
            { type: 'null' },
            object(
              Object.fromEntries(
                Array.from({ length: 30 }, (_, at) => [`p${at}`, { anyOf: [before, { type: 'null' }] }]),
              ),
            ),
          ],
        }),
        { type: 'string' },
      ),
    ],
  ])('but allows %s', (name, schema) => {
    const outcome = draw(vocabulary, {
      subject: schemaSubject(name, schema),
      taste: 'brief',
      maxTokens: 400,
      next: random(2),
    });
    expect(['stop', 'length']).toContain(outcome);
  });
});
