/** The shipped starter, asked as the chat service asks: what it answers by reading, and what is left to its decoder. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tool } from '../../../../server/api/services/chat.ts';
import type { ReadText } from '../../../../server/engine/chat/reader/features.ts';
import { Reader } from '../../../../server/engine/chat/reader/reader.ts';
import type { GenerateParams } from '../../../../server/engine/chat/types.ts';
import type { Engine } from '../../../../server/engine/engine.ts';
import { ask, paramsOf } from '../../../support/chat/ask.ts';
import { openStarter } from '../../../support/chat/open-starter.ts';

let engine: Engine<'chat'>;

beforeAll(async () => {
  engine = await openStarter();
});
afterAll(() => engine?.close());

const text =
  'Dear tenants, the lift in block C will be out of service from Monday 9 March to Wednesday 11 March because the cable has to be replaced. If you need help carrying groceries, call Mr Okonjo on 0161 555 0137. The work costs the association £2,350.';

const said = async (content: string, overrides: Partial<GenerateParams> = {}) =>
  (await ask(engine, paramsOf(content, { maxTokens: 200, ...overrides }))).choices[0]!;

describe('a text', () => {
  test.each([
    ['Who can I ring for help with my shopping?', 'Mr Okonjo'],
    ['How much does the work cost?', '£2,350'],
    ['Why is it closed?', 'the cable has to be replaced'],
  ])('%s', async (question, answer) => {
    const { reason, text: words, tokens } = await said(`${text}\n\n${question}`);
    expect(words).toContain(answer);
    expect(words.length).toBeLessThan(60);
    expect(reason).toBe('stop');
    expect(tokens).toBeGreaterThan(0);
  });

  test('that allows something under a condition is quoted: it says neither yes nor no', async () => {
    const lease =
      'The flat is let unfurnished from 1 March. The rent of £950 is due on the first of each month. The tenant may sublet only if the landlord agrees.';
    expect((await said(`${lease}\n\nCan the tenant sublet?`)).text).toBe(
      'The tenant may sublet only if the landlord agrees.',
    );
    expect((await said(`${lease}\n\nCan the tenant sublet? Yes or no only.`)).text).toMatch(/^(?:Yes|No)$/u);
  });

  test('ends where it is told to', async () => {
    const question = `${text}\n\nHow much does the work cost?`;
    expect(await said(question, { maxTokens: 1 })).toMatchObject({ tokens: 1, reason: 'length' });
    expect((await said(question, { stop: [','] })).text).toMatch(/£2$/u);
  });

  test('is the same for each choice', async () => {
    const { choices } = await ask(
      engine,
      paramsOf(`${text}\n\nHow much does the work cost?`, { choices: 2 }),
    );
    expect(choices).toHaveLength(2);
    expect(choices[0]!.text).toBe(choices[1]!.text);
  });

  test('is the decoder’s where log probabilities are wanted', async () =>
    expect(
      (await said(`${text}\n\nHow much does the work cost?`, { topLogprobs: 1 })).scores.length,
    ).toBeGreaterThan(0));
});

test('a schema’s fields, each of its type', async () => {
  const schema = {
    type: 'object',
    properties: {
      contact_person: { type: 'string' },
      phone: { type: 'string' },
      cost: { type: 'number' },
    },
    required: ['contact_person', 'phone', 'cost'],
    additionalProperties: false,
  };
  const { text: json } = await said(text, { format: { type: 'json_schema', schema, strict: true } });
  expect(JSON.parse(json)).toEqual({ contact_person: 'Mr Okonjo', phone: '0161 555 0137', cost: 2350 });
});

test('dates in the form that the request asks for', async () => {
  const schema = {
    type: 'object',
    properties: { date: { type: 'string' } },
    required: ['date'],
    additionalProperties: false,
  };
  const filled = async (order: string) =>
    JSON.parse(
      (
        await said(`${order}\n\nThe concert is on 18 April 2026 in the old mill.`, {
          format: { type: 'json_schema', schema, strict: true },
        })
      ).text,
    );
  expect(await filled('Extract the fields.')).toEqual({ date: '18 April 2026' });
  expect(await filled('Extract the fields, dates as YYYY-MM-DD.')).toEqual({ date: '2026-04-18' });
});

test('a field that is called as what every object has', async () => {
  const properties = Object.fromEntries(['__proto__', 'constructor'].map((key) => [key, { type: 'string' }]));
  const schema = {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
  const { text: json } = await said('Tom came.', { format: { type: 'json_schema', schema, strict: true } });
  expect(Object.keys(JSON.parse(json))).toEqual(['__proto__', 'constructor']);
});

test('objects within objects ask no more than one does', () => {
  const budget = { left: 50 };
  const text = { words: Array.from({ length: 4 }) } as unknown as ReadText;
  const asked = [2, 1].map((questions) => Reader.prototype.canRead(questions, text, budget));
  expect(asked).toEqual([true, false]);
});

test('a message of blanks is read to its end', async () => {
  const blanks = '\t \n'.repeat(1_500);
  for (const content of [`What is ${blanks}3${blanks}z`, `keys ${blanks}, a as json`, `hi${blanks}z`])
    expect((await said(content)).text).not.toBe('');
});

describe('rows, labels and lists', () => {
  const filled = async (content: string, properties: object) => {
    const schema = {
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    };
    return JSON.parse((await said(content, { format: { type: 'json_schema', schema, strict: true } })).text);
  };
  const items = {
    type: 'array',
    items: {
      type: 'object',
      properties: { name: { type: 'string' }, quantity: { type: 'integer' } },
      required: ['name', 'quantity'],
      additionalProperties: false,
    },
  };

  test.each([
    ['Fill in the form.\nPort Dickson: 5\nKuala Lumpur: 3'],
    [
      'Extract the rows.\n\n| name | shelf | quantity |\n|---|---|---|\n| Port Dickson | A | 5 |\n| Kuala Lumpur | B | 3 |',
    ],
  ])('%s', async (content) =>
    expect(await filled(content, { places: items })).toEqual({
      places: [
        { name: 'Port Dickson', quantity: 5 },
        { name: 'Kuala Lumpur', quantity: 3 },
      ],
    }),
  );

  test('a label that nobody knows', async () =>
    expect(
      await filled('Turn this into JSON.\n\nzorvel B1004. We need 12 of them. brintaq: Cape Town', {
        zorvel: { type: 'string' },
        brintaq: { type: 'string' },
      }),
    ).toEqual({ zorvel: 'B1004', brintaq: 'Cape Town' }));
});

test('a summary where the text itself asks something', async () => {
  const { text: words } = await said(
    `Summarize this in at most 30 words.\n\n${text} Could you tell your neighbours? Who has the key?`,
  );
  expect(words.split(' ').length).toBeLessThanOrEqual(30);
  expect(text).toContain(words.slice(0, 20));
});

describe('functions', () => {
  const tool = (name: string, description: string, properties: object, required: string[]): Tool => ({
    type: 'function',
    function: { name, description, parameters: { type: 'object', properties, required } },
  });
  const tools = [
    tool(
      'book_table',
      'Reserve a table at a restaurant',
      {
        restaurant: { type: 'string' },
        people: { type: 'integer' },
        time: { type: 'string', description: 'HH:MM' },
      },
      ['restaurant', 'people'],
    ),
    tool('get_weather', 'Current weather of a city', { city: { type: 'string' } }, ['city']),
  ];
  const called = async (content: string) => {
    const { events } = await ask(
      engine,
      paramsOf(content, { tools, toolChoice: { mode: 'auto' }, maxTokens: 200 }),
    );
    const name = events.find((event) => event.kind === 'tool')?.name;
    const words = events.map((event) => (event.kind === 'arguments' ? event.text : '')).join('');
    return name && { name, arguments: JSON.parse(words) };
  };

  test('with their arguments', async () => {
    expect(await called('What is the weather in Kuching?')).toEqual({
      name: 'get_weather',
      arguments: { city: 'Kuching' },
    });
    expect(await called('Book a table for four at Nonna Rosa at half past seven in the evening')).toEqual({
      name: 'book_table',
      arguments: { restaurant: 'Nonna Rosa', people: 4, time: '19:30' },
    });
  });

  test('none where none fits', async () => expect(await called('Tell me a joke')).toBeUndefined());
});

test('what is no question about a text is the decoder’s', async () =>
  expect((await said('What can you do?')).text).toMatch(/^I can extract fields/));

test('more than can be read in time is the decoder’s, or refused', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 2000 }, (_, at) => [`field_${at}`, { type: 'string' }]),
  );
  const schema = { type: 'object', properties: many, required: [] };
  const words = `${text} `.repeat(20);
  await expect(
    said(words, { maxTokens: 1, format: { type: 'json_schema', schema, strict: true } }),
  ).resolves.toMatchObject({
    reason: 'length',
  });
  await expect(said(`${'字'.repeat(60_000)}\n\nWho has the keys?`)).rejects.toMatchObject({
    code: 'context_length_exceeded',
  });
});
