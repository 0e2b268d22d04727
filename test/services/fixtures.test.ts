import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { operations } from '../../server/api/operations.ts';
import type { ChatCompletionChunk, ChatRequest } from '../../server/api/services/chat.ts';
import { type ErrorCode, errorTable } from '../../server/errors.ts';
import { createChat } from '../../server/services/chat/chat.ts';
import { toCsv } from '../../server/services/documents/document-tables.ts';
import { createDocuments } from '../../server/services/documents/documents.ts';
import { createEmbeddings } from '../../server/services/embeddings.ts';
import { createFixtureEngines } from '../../server/services/fixtures/engines.ts';
import { createImages } from '../../server/services/images/images.ts';
import { createModerations } from '../../server/services/moderations/moderations.ts';
import { makeCaller } from '../support/caller.ts';
import { fakeEngines } from '../support/fake-engines.ts';

const noFetch = {
  check: (url: string) => new URL(url),
  fetch: async () => expect.fail('a test key fetched a URL'),
};
const deps = {
  engines: fakeEngines(),
  fixtures: createFixtureEngines(),
  urls: noFetch,
  templates: { get: () => null },
  onProgress: () => {},
};
const chat = createChat(deps);
const caller = () => makeCaller({ class: 'test' });
const hello: ChatRequest = { model: 'svc-lingua-7b', messages: [{ role: 'user', content: 'Hello' }] };
const weather = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string', minLength: 2 },
        unit: { enum: ['c', 'f'] },
        days: { type: 'integer', minimum: 3 },
      },
      required: ['city', 'unit', 'days'],
      additionalProperties: false,
    },
  },
};

async function chunksOf(body: ChatRequest): Promise<ChatCompletionChunk[]> {
  const answer = await chat({ ...body, stream: true }, caller());
  if (!('events' in answer)) return expect.fail('not streamed');
  const chunks: ChatCompletionChunk[] = [];
  for await (const chunk of answer.events) chunks.push(chunk);
  return chunks;
}

async function complete(body: ChatRequest) {
  const answer = await chat(body, caller());
  return 'events' in answer ? expect.fail('streamed') : answer;
}

const calls = {
  'POST /v1/chat/completions': () => chat(hello, caller()),
  'POST /v1/embeddings': () =>
    createEmbeddings(deps)({ model: 'svc-embed-base', input: ['one', 'two'] }, caller()),
  'POST /v1/moderations': () =>
    createModerations({ ...deps, settings: () => ({ threat_summaries: 'chat' }) })(
      { model: 'svc-shield-base', input: 'text' },
      caller(),
    ),
  'POST /v1/documents/parse': () =>
    createDocuments({ ...deps, settings: () => ({ document_fields: 'chat' }) }).parse(
      { model: 'svc-parse-pro', file: 'JVBERi0=' },
      caller(),
    ),
  'POST /v1/images/analyze': () =>
    createImages({ ...deps, settings: () => ({ video_frames: 'even' }) })(
      { image: 'iVBORw0=', language: 'ms' },
      caller(),
    ),
} as const;

describe.each(Object.entries(calls))('fixture of %s', (key, call) => {
  it('gives the same bytes for the same request, and they fit the response schema', async () => {
    const [first, second] = [await call(), await call()];
    expect(JSON.stringify(first)).toBe(JSON.stringify(second));
    const schema = operations[key as keyof typeof calls].response;
    const [valid, errors] = Compile(JSON.parse(JSON.stringify(schema))).Errors(first);
    expect(errors).toEqual([]);
    expect(valid).toBe(true);
  });
});

it('tables of a document go out as comma-separated values and as a workbook where asked for', async () => {
  const service = createDocuments({ ...deps, settings: () => ({ document_fields: 'chat' }) });
  const ask = (output_format: 'json' | 'csv' | 'xlsx') =>
    service.parse({ model: 'svc-parse-pro', file: 'JVBERi0=', output_format }, caller());
  const { tables, csv } = await ask('csv');
  expect(tables.length).toBeGreaterThan(0);
  expect(csv).toEqual(tables.map(toCsv));
  const { xlsx } = await ask('xlsx');
  expect(Buffer.from(xlsx!, 'base64').subarray(0, 2).toString()).toBe('PK');
  expect(await ask('json')).not.toHaveProperty('csv');
});

describe('chat fixtures', () => {
  it('stream the same answer as the whole one, in the order SDKs expect', async () => {
    const whole = await complete(hello);
    const chunks = await chunksOf({ ...hello, stream_options: { include_usage: true } });
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(
      whole.choices[0]?.message.content,
    );
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage });
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
    expect(new Set(chunks.map(({ id }) => id))).toEqual(new Set([chunks[0]?.id]));
  });

  it('call a tool with arguments that match its schema, then answer its result', async () => {
    const whole = await complete({ ...hello, tools: [weather] });
    const [call] = whole.choices[0]?.message.tool_calls ?? [];
    expect(whole.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } });
    expect(call?.function.name).toBe('get_weather');
    expect(Compile(weather.function.parameters).Check(JSON.parse(call?.function.arguments ?? ''))).toBe(true);
    const fragments = (await chunksOf({ ...hello, tools: [weather] })).flatMap(
      (chunk) => chunk.choices[0]?.delta.tool_calls ?? [],
    );
    expect(fragments[0]).toMatchObject({
      index: 0,
      type: 'function',
      function: { name: 'get_weather', arguments: '' },
    });
    expect(fragments.map((each) => each.function?.arguments ?? '').join('')).toBe(call?.function.arguments);
    const after = await complete({
      ...hello,
      tools: [weather],
      messages: [...hello.messages, { role: 'tool', content: '{}', tool_call_id: 'x' }],
    });
    expect(after.choices[0]?.finish_reason).toBe('stop');
  });

  it('fill JSON schemas, or refuse one they cannot fill', async () => {
    const schema = {
      type: 'object',
      $defs: {
        line: {
          type: 'object',
          properties: {
            sku: { type: 'string', pattern: '^[A-Z]{2}$' },
            price: { type: 'number', exclusiveMinimum: 0 },
          },
          required: ['sku', 'price'],
        },
      },
      properties: {
        lines: { type: 'array', minItems: 2, items: { $ref: '#/$defs/line' } },
        when: { type: 'string', format: 'date-time' },
      },
      required: ['lines', 'when'],
    };
    const format = { type: 'json_schema' as const, json_schema: { name: 'order', schema } };
    const whole = await complete({ ...hello, response_format: format });
    expect(Compile(schema).Check(JSON.parse(whole.choices[0]?.message.content ?? ''))).toBe(true);
    const impossible = {
      type: 'json_schema' as const,
      json_schema: { name: 'no', schema: { type: 'string', minLength: 5, maxLength: 2 } },
    };
    await expect(complete({ ...hello, response_format: impossible })).rejects.toMatchObject({
      code: 'invalid_value',
    });
  });

  it.each([
    '^INV-[0-9]+$',
    '^(low|high)$',
    '^[A-Z]{3}-\\d{2}$',
    '^\\d{6}-\\d{2}-\\d{4}$',
    '^\\p{Lu}.{2,3}é$',
  ])('match the pattern %s', async (pattern) => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern } }, required: ['a'] };
    const format = { type: 'json_schema' as const, json_schema: { name: 'x', schema } };
    const { choices } = await complete({ ...hello, response_format: format });
    expect(JSON.parse(choices[0]?.message.content ?? '').a).toMatch(new RegExp(pattern, 'u'));
  });

  it('refuse what a live key is refused, in the same words', async () => {
    const format = { type: 'json_schema' as const, json_schema: { name: 'x', schema: { type: 'nope' } } };
    await expect(complete({ ...hello, response_format: format })).rejects.toMatchObject({
      code: 'invalid_value',
      param: expect.stringContaining('response_format.json_schema.schema'),
    });
    const parameters = { type: 'object', properties: { a: { $ref: '#/nowhere' } } };
    const tools = [{ type: 'function' as const, function: { name: 'f', parameters } }];
    await expect(complete({ ...hello, tools })).rejects.toMatchObject({
      code: 'invalid_value',
      param: expect.stringContaining('tools[0].function.parameters'),
    });
  });

  it('cut JSON and arguments where max_tokens ends, and say length', async () => {
    const json = { ...hello, response_format: { type: 'json_object' as const } };
    const whole = await complete(json);
    const short = await complete({ ...json, max_tokens: 2 });
    expect(short).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 2 } });
    const [text, all] = [short, whole].map(({ choices }) => choices[0]?.message.content ?? '');
    expect(all!.startsWith(text!) && text!.length < all!.length).toBe(true);
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const tools = [{ type: 'function' as const, function: { name: 'f', parameters } }];
    const call = await complete({ ...hello, tools, max_tokens: 1 });
    expect(call.choices[0]).toMatchObject({ finish_reason: 'length', message: { tool_calls: [{}] } });
  });

  it('refuse more than the window, as live keys are refused', async () => {
    const long = { ...hello, messages: [{ role: 'user' as const, content: 'word '.repeat(40_000) }] };
    await expect(complete(long)).rejects.toMatchObject({
      code: 'context_length_exceeded',
      param: 'messages',
    });
    const embed = createEmbeddings(deps);
    const input = ['short', 'word '.repeat(9_000)];
    await expect(embed({ model: 'svc-embed-base', input }, caller())).rejects.toMatchObject({
      code: 'input_too_long',
      param: 'input[1]',
    });
  });

  it('refuse schemas whose smallest instance is huge, at once', async () => {
    const nested = [1, 2, 3, 4].reduce<object>((items) => ({ type: 'array', minItems: 1000, items }), {
      type: 'null',
    });
    for (const schema of [nested, { type: 'string', minLength: 1e9 }]) {
      const format = { type: 'json_schema' as const, json_schema: { name: 'bomb', schema: { ...schema } } };
      await expect(complete({ ...hello, response_format: format })).rejects.toMatchObject({
        code: 'invalid_value',
      });
    }
  });

  it('keep to max_tokens, stop, n and logprobs', async () => {
    const short = await complete({ ...hello, max_tokens: 3 });
    expect(short).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 3 } });
    const stopped = await complete({ ...hello, stop: 'test keys' });
    expect(stopped.choices[0]?.message.content).not.toMatch(/test keys/);
    const three = await complete({ ...hello, n: 3, logprobs: true, top_logprobs: 2 });
    expect(new Set(three.choices.map(({ message }) => message.content)).size).toBe(3);
    expect(three.choices[2]?.logprobs?.content?.[0]?.top_logprobs).toHaveLength(2);
  });
});

describe('fixture triggers', () => {
  it.each(Object.keys(errorTable) as ErrorCode[])('raise %s', async (code) => {
    await expect(complete({ ...hello, user: `fixture:error=${code}` })).rejects.toMatchObject({ code });
  });

  it('delay, and stop when the client goes away', async () => {
    await complete({ ...hello, user: 'fixture:delay=1ms' });
    const controller = new AbortController();
    const waiting = chat(
      { ...hello, user: 'fixture:delay=60s' },
      makeCaller({ class: 'test', signal: controller.signal }),
    );
    controller.abort();
    await expect(waiting).rejects.toThrow();
  });

  it('work in moderations and files, and name no category that was not asked for', async () => {
    const moderations = createModerations({ ...deps, settings: () => ({ threat_summaries: 'chat' }) });
    const ask = (input: string) =>
      moderations({ model: 'svc-shield-base', input, categories: ['violence'] }, caller());
    await expect(ask('fixture:error=engine_crashed')).rejects.toMatchObject({ code: 'engine_crashed' });
    const flagged = await ask('see fixture-flag:violence and fixture-flag:weapons');
    expect(flagged.results[0]).toMatchObject({
      flagged: true,
      categories: { violence: { flagged: true, score: 0.9 } },
    });
    expect(Object.keys((flagged.results[0] as { categories: object }).categories)).toEqual(['violence']);
    const file = Buffer.from('fixture:error=document_encrypted').toString('base64');
    const parse = createDocuments({ ...deps, settings: () => ({ document_fields: 'chat' }) }).parse(
      { model: 'svc-parse-pro', file },
      caller(),
    );
    await expect(parse).rejects.toMatchObject({ code: 'document_encrypted' });
  });

  it('mean nothing to a live key', async () => {
    const live = chat({ ...hello, user: 'fixture:error=internal_error' }, makeCaller());
    await expect(live.then((answer) => ('events' in answer ? null : answer))).rejects.toMatchObject({
      code: 'model_not_installed',
    });
  });
});
