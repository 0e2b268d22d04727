import { describe, expect, it } from 'vitest';
import type { Acceptor } from '../../../server/engine/grammar/acceptor.ts';
import { ShortestCompletions } from '../../../server/engine/grammar/shortest-completion.ts';
import { acceptorOf } from '../../support/chat/schema-suite.ts';

function start(schema: unknown): Acceptor {
  const made = acceptorOf(schema);
  if ('refusal' in made) throw new Error(made.refusal);
  return made.acceptor;
}

/** As far as it is let. */
function written(schema: unknown, text: string): string {
  let state: Acceptor | null = start(schema);
  for (const [at, byte] of Buffer.from(text).entries()) {
    state = state.step(byte);
    if (!state) return text.slice(0, at);
  }
  return text;
}

const postcodes = {
  type: 'object',
  properties: { country: { enum: ['MY', 'SG'] }, postcode: { type: 'string' } },
  required: ['country', 'postcode'],
  additionalProperties: false,
  if: { properties: { country: { const: 'MY' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { postcode: { pattern: '^\\d{5}$' } } },
  else: { properties: { postcode: { pattern: '^\\d{6}$' } } },
};

describe('dead ends', () => {
  it.each([
    ['{"postcode": "12', 'x3'],
    ['{"postcode": "123456', '7"'],
  ])('are not entered where neither then nor else can hold: %s', (good, rest) => {
    expect(written(postcodes, good + rest)).toBe(good);
  });

  it('are told from what one of the two still allows', () => {
    for (const text of ['{"postcode": "12345", "country": "MY"}', '{"postcode": "123456", "country": "SG"}'])
      expect(written(postcodes, text)).toBe(text);
    expect(written(postcodes, '{"postcode": "12345", "country": "SG"}')).toMatch(/"S?G?"?$/);
  });
});

describe('a text that must not be of a kind', () => {
  it.each([
    ['with a longest length', { type: 'string', maxLength: 3, not: { pattern: '^[^0-9]*$' } }, 'ab', 'c'],
    ['of a list', { enum: ['ax', 'by1'], not: { pattern: '^[^0-9]*$' } }, '', 'ax'],
    [
      'as a property',
      { properties: { a: { maxLength: 3 } }, not: { properties: { a: { pattern: '^[^0-9]*$' } } } },
      '{"a":"ab',
      'c"}',
    ],
  ])('is told from one that may: %s', (_name, schema, begun, rest) => {
    const text = begun.startsWith('{') ? begun : `"${begun}`;
    const completions = new ShortestCompletions();
    let state = start(schema);
    for (const byte of Buffer.from(text)) state = state.step(byte)!;
    expect(completions.isLive(state)).toBe(true);
    let next: Acceptor | null = state;
    for (const byte of Buffer.from(rest)) next = next && completions.isLive(next) ? next.step(byte) : null;
    expect(next === null || !completions.isLive(next)).toBe(true);
  });
});

describe('keys of a pattern', () => {
  it('are not begun where all that begin so are used up', () => {
    const schema = { type: 'object', patternProperties: { '^a?[01]$': true }, additionalProperties: false };
    const completions = new ShortestCompletions();
    let state = start(schema);
    for (const byte of Buffer.from('{"a0":1,"0":1,"')) state = state.step(byte)!;
    // Known from here on: something may follow this letter.
    expect(completions.isLive(state.step(0x61)!)).toBe(true);
    for (const byte of Buffer.from('1":1,"a1":1,"')) state = state.step(byte)!;
    const begun = state.step(0x61);
    expect(begun === null || !completions.isLive(begun)).toBe(true);
  });
});

describe('escapes', () => {
  it.each([['foo\nbar', 'foo\rbar'], ['hello\u0000there']])(
    'are not begun where no text of a list has one: %j, %j',
    (...texts) => {
      const completions = new ShortestCompletions();
      const schema = { enum: texts };
      // The place where there is one is looked at first: what is known of it must not be told of the other.
      const within = start(schema).step(0x22)!;
      const begun = texts[0]!.startsWith('foo') ? 'foo' : 'hello';
      const there = [...begun].reduce((at, char) => at.step(char.charCodeAt(0))!, within);
      expect(completions.isLive(there.step(0x5c)!)).toBe(true);
      const begunThere = within.step(0x5c);
      expect(begunThere === null || completions.isLive(begunThere)).toBe(false);
    },
  );
});

describe('endings', () => {
  it.each(['é', '龍', '🙂'])('are found behind the first byte of %j', (char) => {
    const [first] = Buffer.from(char);
    const pending = start({ type: 'string', const: char }).step(0x22)!.step(first!)!;
    const ending = Buffer.from(new ShortestCompletions().from(pending)!);
    expect(JSON.parse(Buffer.concat([Buffer.from([0x22, first!]), ending]).toString())).toBe(char);
  });

  it('of one state and of the states on its way agree', () => {
    const endings = new ShortestCompletions();
    let state: Acceptor | null = start(postcodes);
    const ending = Buffer.from(endings.from(state)!);
    for (const [at, byte] of ending.entries()) {
      state = state!.step(byte);
      expect(Buffer.from(endings.from(state!)!).length).toBeLessThanOrEqual(ending.length - at - 1);
    }
    expect(JSON.parse(ending.toString())).toMatchObject({ country: expect.any(String) });
  });
});
