/** Anthropic's Messages over HTTP: key, version, errors and events in its own shape. */
import { describe, expect, it } from 'vitest';
import type { GenerateEvent } from '../../server/engine/chat/types.ts';
import { openTestApp, send } from '../support/app/test-app.ts';

const path = '/v1/messages';
const body = { model: 'svc-lingua-7b', max_tokens: 64, messages: [{ role: 'user', content: 'Hello' }] };
const input_schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = [{ name: 'get_weather', input_schema }];

interface Event {
  type: string;
  [field: string]: unknown;
}

const eventsOf = (text: string): Event[] =>
  text
    .trim()
    .split('\n\n')
    .map((event) => {
      const [, name, data] = /^event: (\S+)\ndata: (.*)$/s.exec(event)!;
      const value = JSON.parse(data!) as Event;
      expect(value.type).toBe(name);
      return value;
    });

describe('a message', () => {
  it('answers a key in x-api-key and in Authorization alike', async () => {
    const app = openTestApp();
    const key = app.key({ class: 'test' });
    const own = await send(app, path, null, { headers: { 'x-api-key': key.secret }, body });
    expect(own.json()).toMatchObject({
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: expect.stringMatching(/^Fixture/) }],
      stop_reason: 'end_turn',
      stop_sequence: null,
    });
    expect((await send(app, path, key, { body })).body).toBe(own.body);
    for (const version of ['2023-06-01', '2026-10-21']) {
      const dated = await send(app, path, key, { headers: { 'anthropic-version': version }, body });
      expect(dated.statusCode).toBe(200);
    }
    const elsewhere = await send(app, '/v1/models', null, { headers: { 'x-api-key': key.secret } });
    expect(elsewhere.json().error.code).toBe('missing_api_key');
  });

  it('puts errors in Anthropic’s shape, with the code and field of the table', async () => {
    const app = openTestApp();
    const key = app.key({ class: 'test' });
    const none = await send(app, path, null, { body });
    expect(none.statusCode).toBe(401);
    expect(none.json()).toMatchObject({
      type: 'error',
      error: { type: 'authentication_error', code: 'missing_api_key' },
      request_id: none.headers['x-request-id'],
    });
    const unknown = await send(app, path, key, { body: { ...body, model: 'claude' } });
    expect(unknown.json().error).toMatchObject({ type: 'not_found_error', code: 'model_not_found' });
    const version = await send(app, path, key, { headers: { 'anthropic-version': 'latest' }, body });
    expect(version.json().error).toMatchObject({ code: 'invalid_value', param: 'anthropic-version' });
    const prefilled = { ...body, messages: [...body.messages, { role: 'assistant', content: 'Well,' }] };
    const prefill = await send(app, path, key, { body: prefilled });
    expect(prefill.json().error).toMatchObject({ code: 'invalid_value', param: 'messages[1].role' });
    const twice = await send(app, path, key, { body: { ...body, tools: [...tools, ...tools] } });
    expect(twice.json().error).toMatchObject({ code: 'invalid_value', param: 'tools[1].name' });
    const limit = await send(app, path, key, {
      body: { ...body, metadata: { user_id: 'fixture:error=rate_limit_error' } },
    });
    expect(limit.json().error.type).toBe('rate_limit_error');
    expect(limit.headers['retry-after']).toBe('1');
  });

  it('streams the events of a text', async () => {
    const app = openTestApp();
    const response = await send(app, path, app.key({ class: 'test' }), { body: { ...body, stream: true } });
    expect(response.headers['content-type']).toMatch(/^text\/event-stream/);
    const events = eventsOf(response.body);
    const types = events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
    expect(types).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(events[0]).toMatchObject({ message: { content: [], usage: { output_tokens: 0 } } });
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'end_turn' } });
  });

  it('calls a tool and takes its result', async () => {
    const app = openTestApp();
    const key = app.key({ class: 'test' });
    const first = await send(app, path, key, { body: { ...body, tools } });
    const { content, stop_reason } = first.json();
    expect(stop_reason).toBe('tool_use');
    expect(content).toMatchObject([
      { type: 'tool_use', name: 'get_weather', input: { city: expect.any(String) } },
    ]);
    const streamed = await send(app, path, key, { body: { ...body, tools, stream: true } });
    const json = eventsOf(streamed.body)
      .map(({ delta }) => (delta as { partial_json?: string } | undefined)?.partial_json ?? '')
      .join('');
    expect(JSON.parse(json)).toEqual(content[0].input);
    const messages = [
      ...body.messages,
      { role: 'assistant', content },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: content[0].id, content: [{ type: 'text', text: '31' }] },
        ],
      },
    ];
    const second = await send(app, path, key, { body: { ...body, tools, messages } });
    expect(second.json()).toMatchObject({ stop_reason: 'end_turn', content: [{ type: 'text' }] });
  });

  it('says what ended it', async () => {
    const app = openTestApp();
    const key = app.key({ class: 'test' });
    const cut = await send(app, path, key, { body: { ...body, max_tokens: 2 } });
    expect(cut.json()).toMatchObject({ stop_reason: 'max_tokens', usage: { output_tokens: 2 } });
    const stopped = await send(app, path, key, { body: { ...body, stop_sequences: ['zzz', ' test keys'] } });
    expect(stopped.json()).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: ' test keys' });
    const inCall = await send(app, path, key, { body: { ...body, tools, max_tokens: 1 } });
    expect(inCall.json()).toMatchObject({ stop_reason: 'max_tokens', content: [] });
  });

  it('counts the tokens that a message is charged for', async () => {
    const app = openTestApp();
    const key = app.key({ class: 'test' });
    const { max_tokens: _, ...prompt } = { ...body, system: 'Be brief.' };
    const count = await send(app, `${path}/count_tokens`, key, { body: prompt });
    const message = await send(app, path, key, { body: { ...prompt, max_tokens: 8 } });
    expect(count.json()).toEqual({ input_tokens: message.json().usage.input_tokens });
  });

  it('ends a stream that fails with its error event', async () => {
    const generate = function* (): Generator<GenerateEvent> {
      yield { kind: 'prompt', tokens: 3 };
      throw new Error('a defect');
    };
    const app = openTestApp({ methods: { chat: { generate } } });
    const response = await send(app, path, app.key(), { body: { ...body, stream: true } });
    const events = eventsOf(response.body);
    expect(events.map(({ type }) => type)).toEqual(['message_start', 'error']);
    expect(events[1]).toMatchObject({ error: { type: 'api_error', code: 'internal_error' } });
  });
});
