import { describe, expect, it } from 'vitest';
import { ChatRequest } from '../../server/api/services/chat.ts';
import type { GenerateEvent, GenerateParams } from '../../server/engine/chat/types.ts';
import { toParam } from '../../server/plugins/http/validation.ts';
import { openTestApp, send } from '../support/app/test-app.ts';

const chat = { model: 'svc-lingua-7b', messages: [{ role: 'user', content: 'hi' }] };
const message = (value: object) => ({ ...chat, messages: [chat.messages[0], value] });

describe('what a refused body is told', () => {
  it.each([
    ['an unknown field', { ...chat, foo: 1 }, 'unknown_parameter', 'foo'],
    [
      'an unknown field deep down',
      { ...chat, stream_options: { foo: 1 } },
      'unknown_parameter',
      'stream_options.foo',
    ],
    ['a missing field', { messages: chat.messages }, 'missing_field', 'model'],
    ['a missing field in a list', message({ content: 'x' }), 'missing_field', 'messages[1].role'],
    ['a wrong type', { ...chat, temperature: '1' }, 'invalid_value', 'temperature'],
    ['a value out of range', { ...chat, temperature: 3 }, 'invalid_value', 'temperature'],
    ['a wrong role', message({ role: 'robot', content: 'x' }), 'invalid_value', 'messages[1].role'],
    ['content of no kind', message({ role: 'user', content: 5 }), 'invalid_value', 'messages[1].content'],
    [
      'a part of another type',
      message({ role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'input_audio' }] }),
      'invalid_value',
      'messages[1].content[1].type',
    ],
    [
      'a picture without its address',
      message({ role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'image_url' }] }),
      'missing_field',
      'messages[1].content[1].image_url',
    ],
    [
      'a part without its text',
      message({ role: 'user', content: [{ type: 'text' }] }),
      'missing_field',
      'messages[1].content[0].text',
    ],
    [
      'an empty list of parts',
      message({ role: 'user', content: [] }),
      'invalid_value',
      'messages[1].content',
    ],
    [
      'an unknown response format',
      { ...chat, response_format: { type: 'xml' } },
      'invalid_value',
      'response_format.type',
    ],
    [
      'a response format without its schema',
      { ...chat, response_format: { type: 'json_schema' } },
      'missing_field',
      'response_format.json_schema',
    ],
    [
      'a field of another response format',
      { ...chat, response_format: { type: 'json_object', schema: {} } },
      'unknown_parameter',
      'response_format.schema',
    ],
    [
      'a response format without a type',
      { ...chat, response_format: {} },
      'missing_field',
      'response_format.type',
    ],
    ['an unknown tool choice', { ...chat, tool_choice: 'maybe' }, 'invalid_value', 'tool_choice'],
    [
      'a tool choice without a name',
      { ...chat, tool_choice: { type: 'function', function: {} } },
      'missing_field',
      'tool_choice.function.name',
    ],
    ['too many stops', { ...chat, stop: ['a', 'b', 'c', 'd', 'e'] }, 'invalid_value', 'stop'],
    ['a token id that is none', { ...chat, logit_bias: { a: 1 } }, 'unknown_parameter', 'logit_bias.a'],
    ['no messages', { ...chat, messages: [] }, 'invalid_value', 'messages'],
    ['a list instead of an object', [], 'invalid_value', null],
  ] as const)('%s', async (_name, body, code, param) => {
    const test = openTestApp();
    const answer = await send(test, '/v1/chat/completions', test.key({ class: 'test' }), { body });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toMatchObject({ code, param, type: 'invalid_request_error' });
  });

  it.each([
    [{ ...chat, temperature: 'hot' }, "Invalid value for 'temperature': it must be a number."],
    [{ ...chat, temperature: 3 }, "Invalid value for 'temperature': it must be <= 2."],
    [{ ...chat, tools: {} }, "Invalid value for 'tools': it must be an array."],
    [{ ...chat, messages: [] }, "Invalid value for 'messages': it must not be empty."],
    [[], 'Invalid body: it must be an object.'],
  ])('in a sentence: %j', async (body, words) => {
    const test = openTestApp();
    const answer = await send(test, '/v1/chat/completions', test.key({ class: 'test' }), { body });
    expect(answer.json().error.message).toBe(words);
  });

  it('names a part of another kind in a response’s input', async () => {
    const test = openTestApp();
    const content = [
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,QQ==' },
    ];
    const body = { model: 'svc-lingua-7b', input: [{ role: 'user', content }] };
    const answer = await send(test, '/v1/responses', test.key({ class: 'test' }), { body });
    expect(answer.json().error).toMatchObject({
      code: 'invalid_value',
      param: 'input[0].content[0].type',
      message: expect.stringContaining('"input_text", "output_text", "input_image", "refusal"'),
    });
  });

  it('does not turn one type into another', async () => {
    const test = openTestApp();
    const body = { model: ['svc-embed-base'], input: 'x' };
    const answer = await send(test, '/v1/embeddings', test.key({ class: 'test' }), { body });
    expect(answer.json().error).toMatchObject({ code: 'invalid_value', param: 'model' });
  });

  it('never quotes a value', async () => {
    const test = openTestApp();
    const body = { model: 'svc-shield-base', input: 'x', categories: ['my secret'] };
    const answer = await send(test, '/v1/moderations', test.key({ class: 'test' }), { body });
    expect(answer.json().error).toMatchObject({ code: 'invalid_value', param: 'categories[0]' });
    expect(answer.body).not.toContain('secret');
  });
});

it('says in words what a pattern demands', async () => {
  const test = openTestApp();
  const body = { name: 'a\tb', class: 'test', plan: 'free' };
  const answer = await send(test, '/v1/keys', test.key({ scopes: ['keys'] }), { body });
  expect(answer.json().error).toMatchObject({
    param: 'name',
    message: "Invalid value for 'name': it must be not blank, and without control characters.",
  });
});

describe('toParam', () => {
  it.each([
    ['', ''],
    ['/a', 'a'],
    ['/messages/2/content/0/type', 'messages[2].content[0].type'],
    ['/a~1b/c~0d', 'a/b.c~d'],
    ['/0/a', '0.a'],
  ])('%s is %s', (pointer, param) => {
    expect(toParam(pointer)).toBe(param);
  });
});

describe('null', () => {
  const nullable = Object.keys(ChatRequest.properties).filter((name) => !(name in chat));

  it.each(nullable)('for %s of a chat request is as if it was not given', async (name) => {
    const test = openTestApp();
    const answer = await send(test, '/v1/chat/completions', test.key(), { body: { ...chat, [name]: null } });
    expect(answer.json().error.code).toBe('model_not_installed');
  });

  it.each([
    [
      '/v1/embeddings',
      {
        model: 'svc-embed-base',
        input: 'a',
        task: null,
        encoding_format: null,
        dimensions: null,
        user: null,
      },
    ],
    ['/v1/moderations', { model: null, input: 'a', categories: null, thresholds: { violence: null } }],
    [
      '/v1/documents/parse',
      {
        model: 'svc-parse-pro',
        file: 'QUFB',
        file_url: null,
        template: null,
        pages: null,
        output_format: null,
      },
    ],
    [
      '/v1/images/analyze',
      { model: null, image: 'QUFB', image_url: null, tasks: null, language: null, max_frames: null },
    ],
    [
      '/v1/chat/completions',
      {
        ...chat,
        stream_options: null,
        tools: [{ type: 'function', function: { name: 'f', strict: null, parameters: null } }],
        unheard_of: null,
      },
    ],
    [
      '/v1/chat/completions',
      {
        ...chat,
        messages: [{ role: 'assistant', content: 'a', tool_calls: null, name: null, refusal: null }],
      },
    ],
  ])('is a field that was not given, at every depth: %s', async (path, body) => {
    const test = openTestApp();
    const answer = await send(test, path, test.key(), { body });
    expect(answer.json().error.code).toBe('model_not_installed');
  });

  it('is data in a JSON schema, and no value of a required field', async () => {
    let schema: unknown;
    const events = async function* ({ format }: GenerateParams): AsyncGenerator<GenerateEvent> {
      schema = 'schema' in format && format.schema;
      yield { kind: 'finish', choice: 0, reason: 'stop', tokens: 1 };
    };
    const test = openTestApp({ methods: { chat: { generate: events } } });
    const given = { type: 'object', properties: { a: { const: null, default: null } } };
    const format = { type: 'json_schema', json_schema: { name: 'x', schema: given } };
    await send(test, '/v1/chat/completions', test.key(), { body: { ...chat, response_format: format } });
    expect(schema).toEqual(given);
    const missing = await send(test, '/v1/chat/completions', test.key(), {
      body: { ...chat, messages: null },
    });
    expect(missing.json().error).toMatchObject({ code: 'missing_field', param: 'messages' });
  });

  it('means something where a key is changed: no expiry', async () => {
    const test = openTestApp();
    const manager = test.key({ scopes: ['keys', 'chat'] });
    const { id } = test.key({ scopes: ['chat'], expires: test.clock.seconds + 60 });
    const body = { expires: null, name: null };
    const answer = await send(test, `/v1/keys/${id}`, manager, { method: 'PATCH', body });
    expect(answer.json()).toMatchObject({ expires: null, name: 'A key' });
  });
});

describe('fields of OpenAI’s API that change nothing', () => {
  const harmless = {
    store: false,
    service_tier: 'auto',
    modalities: ['text'],
    reasoning_effort: 'none',
    verbosity: 'medium',
    safety_identifier: 'someone',
    prompt_cache_key: 'k',
  };

  it('are accepted at the values that change nothing', async () => {
    const test = openTestApp();
    const answer = await send(test, '/v1/chat/completions', test.key(), { body: { ...chat, ...harmless } });
    expect(answer.json().error.code).toBe('model_not_installed');
  });

  it.each([
    ['store', true],
    ['service_tier', 'flex'],
    ['modalities', ['text', 'audio']],
    ['reasoning_effort', 'utmost'],
    ['verbosity', 'low'],
  ])('are refused by name at another: %s', async (name, value) => {
    const test = openTestApp();
    const answer = await send(test, '/v1/chat/completions', test.key(), { body: { ...chat, [name]: value } });
    expect(answer.json().error).toMatchObject({
      code: 'invalid_value',
      param: expect.stringContaining(name),
    });
  });
});

describe('what is often mistaken', () => {
  it('token ids for texts', async () => {
    const test = openTestApp();
    for (const input of [[1, 2], [[1, 2]]]) {
      const answer = await send(test, '/v1/embeddings', test.key(), {
        body: { model: 'svc-embed-base', input },
      });
      expect(answer.json().error).toMatchObject({ code: 'invalid_value', param: 'input[0]' });
      expect(answer.json().error.message).toContain('token ids are not taken');
    }
  });

  it('the name of a template', async () => {
    const test = openTestApp();
    const body = { model: 'svc-parse-pro', file: 'QUFB', template: 'receipt' };
    const { error } = (await send(test, '/v1/documents/parse', test.key(), { body })).json();
    expect(error).toMatchObject({ code: 'invalid_value', param: 'template' });
    for (const name of ['mykad', 'invoice', 'passport', 'generic', 'custom:'])
      expect(error.message).toContain(name);
  });
});
