import { describe, expect, it } from 'vitest';
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
      message({ role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'image_url' }] }),
      'invalid_value',
      'messages[1].content[1].type',
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
    ['null where the SDKs send none', { ...chat, tools: null }, 'invalid_value', 'tools'],
    ['no messages', { ...chat, messages: [] }, 'invalid_value', 'messages'],
    ['a list instead of an object', [], 'invalid_value', null],
  ] as const)('%s', async (_name, body, code, param) => {
    const test = openTestApp();
    const answer = await send(test, '/v1/chat/completions', test.key({ class: 'test' }), { body });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toMatchObject({ code, param, type: 'invalid_request_error' });
  });

  it.each([
    [{ ...chat, temperature: 'hot' }, "Invalid value for 'temperature': it must be a number or null."],
    [{ ...chat, temperature: 3 }, "Invalid value for 'temperature': it must be <= 2."],
    [{ ...chat, tools: {} }, "Invalid value for 'tools': it must be an array."],
    [{ ...chat, messages: [] }, "Invalid value for 'messages': it must not have fewer than 1 items."],
    [[], 'Invalid body: it must be an object.'],
  ])('in a sentence: %j', async (body, words) => {
    const test = openTestApp();
    const answer = await send(test, '/v1/chat/completions', test.key({ class: 'test' }), { body });
    expect(answer.json().error.message).toBe(words);
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
