import { describe, expect, it } from 'vitest';
import { fitPrompt } from '../../../server/engine/chat/fit-prompt.ts';
import { compileOutput } from '../../../server/engine/chat/output/compile-output.ts';
import { outlineOf } from '../../../server/engine/chat/output/schema-outline.ts';
import type { PromptParts } from '../../../server/engine/chat/text/prompt.ts';
import type { GenerateParams } from '../../../server/engine/chat/types.ts';
import { plainParams } from '../../support/chat/grammar-draws.ts';
import { testVocabulary } from '../../support/chat/vocabulary.ts';

const vocabulary = testVocabulary();
const { signal } = new AbortController();

/** A token a character; counts what it was given. */
function setUp(positions: number) {
  const seen = { longest: 0, text: '', effort: undefined as PromptParts['reasoningEffort'] };
  const parts = {
    positions,
    tokenizer: {
      vocabulary,
      stripFirstSpace: false,
      bos: null,
      encode(text: string) {
        seen.longest = Math.max(seen.longest, text.length);
        return [...text].map((char) => char.codePointAt(0)! % 256);
      },
    },
    template: {
      stops: [],
      render({
        messages,
        instructions,
        tools,
        reasoningEffort,
      }: {
        messages: readonly { content?: unknown }[];
        instructions: string | null;
        tools: readonly unknown[];
        reasoningEffort?: PromptParts['reasoningEffort'];
      }) {
        seen.effort = reasoningEffort;
        seen.text = `${instructions ?? ''}${tools.length > 0 ? JSON.stringify(tools) : ''}${messages.map(({ content }) => String(content)).join('\n')}`;
        return seen.text;
      },
    },
  };
  return { parts, seen };
}

const ask = (content: string): GenerateParams => ({ ...plainParams, messages: [{ role: 'user', content }] });

describe('a prompt', () => {
  it.each([30e6, 200_000])('of %i characters is refused before it is tokenized whole', async (length) => {
    const { parts, seen } = setUp(2048);
    const asked = fitPrompt(parts, ask('a '.repeat(length / 2)), { output: null, signal });
    await expect(asked).rejects.toMatchObject({ code: 'context_length_exceeded', param: 'messages' });
    expect(seen.longest).toBeLessThan(20_000);
  });

  it('is told the effort of thinking, for which a form has no room', async () => {
    const { parts, seen } = setUp(100);
    const effortOf = async (params: Partial<GenerateParams>) => {
      await fitPrompt(parts, { ...ask('x'), ...params }, { output: null, signal });
      return seen.effort;
    };
    expect(await effortOf({})).toBeUndefined();
    expect(await effortOf({ reasoningEffort: 'high' })).toBe('high');
    expect(await effortOf({ reasoningEffort: 'high', format: { type: 'json_object' } })).toBe('none');
    expect(await effortOf({ format: { type: 'json_object' } })).toBeUndefined();
  });

  it('that fits to the last position but one is taken', async () => {
    const { parts } = setUp(100);
    expect((await fitPrompt(parts, ask('x'.repeat(99)), { output: null, signal })).tokens.length).toBe(99);
    await expect(fitPrompt(parts, ask('x'.repeat(100)), { output: null, signal })).rejects.toThrow(/100/);
  });

  it('is given up between its pieces', async () => {
    const { parts } = setUp(1e6);
    const controller = new AbortController();
    const asked = fitPrompt(parts, ask('x'.repeat(500_000)), { output: null, signal: controller.signal });
    controller.abort(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
  });
});

describe('a schema in the prompt', () => {
  const field = {
    type: 'object',
    description: 'words '.repeat(40),
    properties: { value: { type: 'string', description: 'more words '.repeat(20) } },
    required: ['value'],
    additionalProperties: false,
  };
  const schema = {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`field${at}`, field])),
    required: ['field0'],
    additionalProperties: false,
  };
  const params: GenerateParams = {
    ...ask('Fill it in.'),
    format: { type: 'json_schema', schema, strict: true },
  };
  const compiled = compileOutput(params, { vocabulary, template: null })!;

  it.each([
    [8000, 'full', /"additionalProperties":false/],
    [1200, 'outline', /\{field0: \{value: string\}, field1\?: \{value: string\}/],
    [300, 'outline', /\{field0: object, field1\?: object/],
    [160, 'none', /^Answer with JSON and nothing else\.Fill/],
  ])('for %i positions is told in %s', async (positions, told, text) => {
    const { parts, seen } = setUp(positions);
    const fitted = await fitPrompt(parts, params, { output: compiled, signal });
    expect(fitted.schema).toBe(told);
    expect(seen.text).toMatch(text);
  });

  it('is told of tools as well: their names stay', async () => {
    const tools = Array.from({ length: 4 }, (_, at) => ({
      type: 'function' as const,
      function: { name: `tool${at}`, description: 'does it '.repeat(30), parameters: schema },
    }));
    const asked: GenerateParams = { ...ask('Call one.'), tools, toolChoice: { mode: 'required' } };
    const template = '{% if tools %}<tool_call>{% endif %}';
    const calls = compileOutput(asked, { vocabulary, template })!;
    for (const [positions, told] of [
      [40_000, 'full'],
      [2600, 'outline'],
      [600, 'none'],
    ] as const) {
      const { parts, seen } = setUp(positions);
      expect((await fitPrompt(parts, asked, { output: calls, signal })).schema).toBe(told);
      for (const {
        function: { name },
      } of tools)
        expect(seen.text).toContain(`"${name}"`);
    }
  });

  it('that refers to itself in many ways has an outline of bounded length', () => {
    const node = {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [
          `p${at}`,
          { anyOf: [{ $ref: '#/$defs/n' }, { type: 'null' }] },
        ]),
      ),
    };
    expect(outlineOf({ $ref: '#/$defs/n', $defs: { n: node } }, 6).length).toBeLessThan(60_000);
    expect(outlineOf({ $ref: '#/$defs/l', $defs: { l: { $ref: '#/$defs/l' } } }, 6)).toBe('any');
  });
});
