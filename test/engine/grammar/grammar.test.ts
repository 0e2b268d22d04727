import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { compileOutput } from '../../../server/engine/chat/output/compile-output.ts';
import type { GenerateParams } from '../../../server/engine/chat/types.ts';
import { Automaton } from '../../../server/engine/grammar/regex/automaton.ts';
import { ShortestCompletions } from '../../../server/engine/grammar/shortest-completion.ts';
import { AcceptorMask, MaskSource, type TokenMask } from '../../../server/engine/grammar/token-mask.ts';
import { callsIn, plainParams } from '../../support/chat/grammar-draws.ts';
import { write } from '../../support/chat/random-writer.ts';
import { acceptorOf, accepts, hasSuite, readSuite } from '../../support/chat/schema-suite.ts';
import { random } from '../../support/chat/tiny-decoder.ts';
import { testVocabulary } from '../../support/chat/vocabulary.ts';

const vocabulary = testVocabulary();

const generate = (mask: TokenMask, maxTokens: number, next: () => number) =>
  write(vocabulary, mask, { maxTokens, taste: 'brief', next });

describe('patterns', () => {
  const samples = [
    '',
    'a',
    'b',
    'ab',
    'abc',
    'aab',
    '123',
    'A-1',
    'x y',
    'é',
    '日本',
    'foo.bar',
    'a\nb',
    '-',
    ']',
    '^',
    'aaaa',
    '2024-01-31',
    '\u00a0',
  ];
  it.each([
    '^a+$',
    'b',
    '^[^0-9]*$',
    '^(a|b)*c?$',
    '^\\d{3}$',
    '^[A-Z]-\\d$',
    '\\s',
    '^.{2,3}$',
    '^\\p{L}+$',
    '^foo\\.bar$',
    'a|^b$',
    '^[\\]^-]$',
    '^(?:ab)?$',
    '^\\w{4}-\\d\\d-\\d\\d$',
    '^a{2,}',
    '^$',
    '',
  ])('/%s/ is the language that JavaScript gives it', (pattern) => {
    const automaton = new Automaton(pattern);
    for (const sample of samples) {
      let states = automaton.start;
      for (const char of sample) states = states && automaton.move(states, char.codePointAt(0)!);
      expect(states?.accepts ?? false, JSON.stringify(sample)).toBe(new RegExp(pattern, 'u').test(sample));
    }
  });

  it('know how short and how long a match can be', () => {
    const lengths = (pattern: string) => {
      const { start } = new Automaton(pattern);
      return [start?.shortest, start?.longest];
    };
    expect(lengths('^ab?c{2,4}$')).toEqual([3, 6]);
    expect(lengths('^a*b$')).toEqual([1, Number.POSITIVE_INFINITY]);
    expect(lengths('ab')).toEqual([2, Number.POSITIVE_INFINITY]);
  });

  it.each([
    ['(?=a)b', /look-ahead/],
    ['(a)\\1', /back-reference/],
    ['\\bword', /word border/],
    ['(', /ends too early|unmatched/],
    ['a{1,99999}', /1000/],
    ['*a', /repeats nothing/],
  ])('/%s/ is refused by name', (pattern, message) => expect(() => new Automaton(pattern)).toThrow(message));
});

const schemas: Record<string, unknown> = {
  'an object with everything required': {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 2, maxLength: 12 },
      age: { type: 'integer', minimum: 18, maximum: 99 },
      tags: { type: 'array', items: { enum: ['a', 'b', 'c'] }, uniqueItems: true, minItems: 1, maxItems: 3 },
    },
    required: ['name', 'age', 'tags'],
    additionalProperties: false,
  },
  'a recursive tree': {
    $ref: '#/$defs/node',
    $defs: {
      node: {
        type: 'object',
        properties: {
          value: { type: 'number', multipleOf: 0.5 },
          children: { type: 'array', items: { $ref: '#/$defs/node' }, maxItems: 2 },
        },
        required: ['value'],
        additionalProperties: false,
      },
    },
  },
  'one of two shapes': {
    oneOf: [
      {
        type: 'object',
        properties: { kind: { const: 'circle' }, r: { type: 'number', exclusiveMinimum: 0 } },
        required: ['kind', 'r'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: { kind: { const: 'box' }, w: { type: 'integer' }, h: { type: 'integer' } },
        required: ['kind', 'w', 'h'],
        additionalProperties: false,
      },
    ],
  },
  'patterns and formats': {
    type: 'object',
    properties: {
      code: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' },
      when: { type: 'string', format: 'date-time' },
      id: { type: 'string', format: 'uuid' },
      mail: { type: 'string', format: 'email' },
    },
    required: ['code', 'when', 'id', 'mail'],
    additionalProperties: false,
  },
  'a condition': {
    type: 'object',
    properties: { country: { enum: ['MY', 'SG'] }, postcode: { type: 'string' } },
    required: ['country', 'postcode'],
    additionalProperties: false,
    if: { properties: { country: { const: 'MY' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { postcode: { pattern: '^\\d{5}$' } } },
    else: { properties: { postcode: { pattern: '^\\d{6}$' } } },
  },
  'keys by pattern': {
    type: 'object',
    patternProperties: { '^x-': { type: 'integer' } },
    additionalProperties: false,
    minProperties: 2,
    maxProperties: 4,
  },
  'a tuple that contains': {
    type: 'array',
    prefixItems: [{ type: 'boolean' }, { type: 'null' }],
    items: { type: 'integer', minimum: 0, maximum: 9 },
    contains: { const: 7 },
    minItems: 4,
    maxItems: 6,
  },
  'not and anyOf': {
    anyOf: [{ type: 'string', maxLength: 5 }, { type: 'integer' }],
    not: { enum: ['no', 0] },
  },
  'dependent keys': {
    type: 'object',
    properties: { card: { type: 'string', pattern: '^\\d{4}$' }, name: { type: 'string', maxLength: 4 } },
    dependentRequired: { card: ['name'] },
    additionalProperties: false,
    minProperties: 1,
  },
  'unevaluated properties over alternatives': {
    type: 'object',
    properties: { kind: { enum: ['dog', 'cat'] } },
    required: ['kind'],
    oneOf: [
      { properties: { kind: { const: 'dog' }, barks: { type: 'boolean' } } },
      { properties: { kind: { const: 'cat' }, lives: { type: 'integer', minimum: 1, maximum: 9 } } },
    ],
    unevaluatedProperties: false,
  },
  'unevaluated items behind a tuple': {
    type: 'array',
    allOf: [{ prefixItems: [{ type: 'boolean' }] }],
    contains: { type: 'integer', minimum: 0, maximum: 99 },
    unevaluatedItems: { type: 'null' },
    maxItems: 4,
  },
  'a tree by $dynamicRef': {
    $dynamicAnchor: 'node',
    type: 'object',
    properties: {
      leaf: { type: 'boolean' },
      kids: { type: 'array', items: { $dynamicRef: '#node' }, maxItems: 2 },
    },
    required: ['leaf'],
    additionalProperties: false,
  },
  'a plain number': { type: 'number', minimum: -2.5, exclusiveMaximum: 3 },
};

describe('masks', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });

  it.each(Object.entries(schemas))('of %s let a random model write only what validates', (_name, schema) => {
    const made = acceptorOf(schema);
    if ('refusal' in made) return expect.fail(made.refusal);
    const source = new MaskSource(vocabulary);
    const validate = ajv.compile(schema as object);
    const next = random(11);
    let stopped = 0;
    for (let round = 0; round < 8; round += 1) {
      const { reason, text } = generate(new AcceptorMask(source, made.acceptor), 600, next);
      if (reason === 'length') continue;
      stopped += 1;
      expect(validate(JSON.parse(text)), `${text} ${ajv.errorsText(validate.errors)}`).toBe(true);
    }
    expect(stopped).toBeGreaterThan(2);
  });

  it.each([
    ['{"name": "Sit', schemas['an object with everything required']],
    // Keys that begin like others, like one that is there, and like none.
    ['{"a": 1, "ab": 1, "b": 1, "zz": 1, "abc": {"q": 1', { type: 'object', properties: { abc: {} } }],
    // A key that is waited for by name alone, with no room for another.
    ['{"q": 1, "re": 1', { type: 'object', required: ['re'], maxProperties: 2 }],
  ])('agree with stepping every token, byte by byte: %s', (text, schema) => {
    const made = acceptorOf(schema);
    if ('refusal' in made) return expect.fail(made.refusal);
    const source = new MaskSource(vocabulary);
    const completions = new ShortestCompletions();
    let state = made.acceptor;
    for (const byte of Buffer.from(text)) {
      const mask = source.mask(state);
      for (let id = 0; id < vocabulary.size - 1; id += 1) {
        let after: typeof state | null = state;
        for (const each of vocabulary.bytesOf(id)) after = after?.step(each) ?? null;
        const goesOn = after !== null && completions.isLive(after);
        expect(Boolean(mask[id >>> 5]! & (1 << (id & 31))), `${id}`).toBe(goesOn);
      }
      state = state.step(byte)!;
    }
  });
});

const tools: GenerateParams['tools'] = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string', maxLength: 8 } },
        required: ['city'],
        additionalProperties: false,
      },
    },
  },
  {
    type: 'function',
    function: {
      name: 'add',
      parameters: {
        type: 'object',
        properties: { a: { type: 'integer' }, b: { type: 'integer' } },
        required: ['a', 'b'],
        additionalProperties: false,
      },
    },
  },
];

const templates: [string, string | null][] = [
  ['Hermes and Qwen', '{% if tools %}<tool_call>{% endif %}'],
  ['Llama 3', '{% if tools %}"parameters"{% endif %}'],
  ['Mistral', '{% if tools %}[TOOL_CALLS]{% endif %}'],
  ['Phi', '{% if tools %}<|tool_call|>{% endif %}'],
  ['a template without tools', null],
];

describe.each(templates)('tool calls of %s', (_name, template) => {
  const context = { vocabulary, template };

  it('are always well-formed, fit their schemas and are read back, in any fragments', () => {
    const compiled = compileOutput({ ...plainParams, tools, toolChoice: { mode: 'required' } }, context)!;
    const next = random(3);
    const ajv = new Ajv2020();
    for (let round = 0; round < 20; round += 1) {
      const { reason, text } = generate(compiled.createMask()!, 600, next);
      expect(reason, text).toBe('stop');
      const calls = callsIn(compiled, text, 1 + Math.floor(next() * 9));
      expect(calls.length).toBeGreaterThan(0);
      for (const call of calls) {
        const tool = tools.find((each) => each.function.name === call.name);
        expect(ajv.validate(tool?.function.parameters as object, JSON.parse(call.arguments)), text).toBe(
          true,
        );
      }
    }
  });

  it.each([
    ['none', undefined],
    ['an empty object', { type: 'object', properties: {} }],
    ['a closed one', { type: 'object', properties: {}, additionalProperties: false }],
  ])('take no arguments where the parameters are %s', (_name, parameters) => {
    const clock: typeof tools = [{ type: 'function', function: { name: 'get_time', parameters } }];
    const compiled = compileOutput(
      { ...plainParams, tools: clock, toolChoice: { mode: 'required' } },
      context,
    )!;
    for (const budget of [256, 512, 4096]) {
      const { reason, text } = generate(compiled.createMask()!, budget, random(budget));
      expect(reason, text).toBe('stop');
      for (const call of callsIn(compiled, text, 7)) expect(JSON.parse(call.arguments)).toEqual({});
    }
  });

  it('keep to the function that was named, once', () => {
    const compiled = compileOutput(
      { ...plainParams, tools, toolChoice: { mode: 'function', name: 'add' } },
      context,
    )!;
    const { text } = generate(compiled.createMask()!, 200, random(9));
    expect(callsIn(compiled, text, 3).map((call) => call.name)).toEqual(['add']);
  });

  it('leave text alone that calls nothing', () => {
    const compiled = compileOutput({ ...plainParams, tools, toolChoice: { mode: 'auto' } }, context)!;
    const parser = compiled.createParser()!;
    const parts = [...parser.push('It is 3 < 4, '), ...parser.push('and {that} is all.'), ...parser.end()];
    expect(parts.every((part) => part.kind === 'text')).toBe(true);
    expect(parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')).toBe(
      'It is 3 < 4, and {that} is all.',
    );
  });
});

describe('compileOutput', () => {
  it('asks nothing of plain text', () =>
    expect(compileOutput(plainParams, { vocabulary, template: null })).toBeNull());

  it('refuses a schema that cannot be kept to, naming the keyword', () => {
    const ask = (schema: Record<string, unknown>) => () =>
      compileOutput(
        { ...plainParams, format: { type: 'json_schema', schema, strict: true } },
        { vocabulary, template: null },
      );
    const anyOf = Array.from({ length: 12 }, (_, at) => ({ properties: { [`p${at}`]: { const: at } } }));
    expect(ask({ properties: { a: { anyOf, unevaluatedProperties: false } } })).toThrow(
      expect.objectContaining({
        code: 'invalid_value',
        message: expect.stringMatching(/schema\.properties\.a\.unevaluatedProperties/),
      }),
    );
    expect(ask({ $recursiveRef: '#' })).toThrow(/\$recursiveRef/);
    expect(ask({ pattern: '(?<=a)b' })).toThrow(/pattern.*look-behind/);
    expect(ask({ $ref: 'https://example.com/x' })).toThrow(/\$ref/);
    expect(ask({ type: 'object', allOf: [{ type: 'string' }] })).toThrow(/schema\.allOf.*no value/);
    expect(ask({ not: {} })).toThrow(/no value/);
  });

  it('lets json_object be any object', () => {
    const compiled = compileOutput(
      { ...plainParams, format: { type: 'json_object' } },
      { vocabulary, template: null },
    )!;
    const { text } = generate(compiled.createMask()!, 60, random(2));
    expect(JSON.parse(text)).toBeTypeOf('object');
  });
});

/** Where the suite takes `format` for an annotation, we assert it; the others are doubles beyond what a mask tells apart. */
const knownDifferences =
  /format\.json|64-bit representation|custom metaschema|order of evaluation|overrides any sibling|prevents a sibling/;

describe.runIf(hasSuite).each(['draft2020-12', 'draft7'])(
  'the JSON Schema Test Suite, %s (needs the shared data)',
  (draft) => {
    it('accepts every valid instance and refuses every invalid one, where the schema can be honoured', () => {
      const counts = { groups: 0, honoured: 0, valid: 0, invalid: 0 };
      for (const group of hasSuite ? readSuite(draft) : []) {
        counts.groups += 1;
        const made = acceptorOf(group.schema);
        if ('refusal' in made) continue;
        counts.honoured += 1;
        for (const { data, description, valid } of group.tests) {
          const name = `${group.file}: ${group.description}: ${description}`;
          if (knownDifferences.test(name)) continue;
          expect(accepts(made.acceptor, JSON.stringify(data)), name).toBe(valid);
          counts[valid ? 'valid' : 'invalid'] += 1;
        }
      }
      expect(counts.honoured / counts.groups).toBeGreaterThan(0.8);
    });
  },
);

describe('the way to an end', () => {
  it.each(['公司', 'naïve', '"quoted"', '🙂 smile'])('writes the required key %j at once', (key) => {
    const schema = { type: 'object', properties: { [key]: { type: 'string' } }, required: [key, 'two'] };
    const made = acceptorOf(schema);
    if (!('acceptor' in made)) throw new Error(made.refusal);
    const ending = new ShortestCompletions().from(made.acceptor);
    expect(JSON.parse(Buffer.from(ending!).toString())).toMatchObject({ [key]: '' });
    expect(ending!.length).toBeLessThan(60);
  });
});
