/** Ollama's protocol over HTTP: who may use it without a key, and its lines. */
import { describe, expect, it } from 'vitest';
import type { GenerateEvent, GenerateParams } from '../../server/engine/chat/types.ts';
import { openTestApp, send, type TestApp } from '../support/app/test-app.ts';

const messages = [{ role: 'user', content: 'Hello' }];
const body = { model: 'svc-lingua-7b', messages };

/** An app where a test key counts as that of Ollama's clients. */
function setUp(options: Parameters<typeof openTestApp>[0] = {}, keyClass: 'test' | 'live' = 'test'): TestApp {
  const app = openTestApp(options);
  const { id } = app.key({ class: keyClass });
  app.services.settings.update({ ollama_key: id });
  return app;
}

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('without a key', () => {
  it('is refused until the settings name one, with Ollama’s error', async () => {
    const app = openTestApp();
    const response = await send(app, '/api/chat', null, { body });
    expect(response.statusCode).toBe(401);
    expect(response.json()).toEqual({ error: expect.stringMatching(/settings/) });
    expect((await send(app, '/api/chat', app.key({ class: 'test' }), { body })).statusCode).toBe(200);
  });

  it('is for this machine alone, and for no page of the web', async () => {
    const app = setUp();
    expect((await send(app, '/api/tags', null)).statusCode).toBe(200);
    expect(app.services.requestLog.latest(1)[0]).toMatchObject({ path: '/api/tags', status: 200 });
    expect((await send(app, '/api/tags', null, { from: '192.168.1.20' })).statusCode).toBe(403);
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'http://localhost:3000' },
      { 'sec-fetch-site': 'cross-site' },
    ] as Record<string, string>[])
      expect((await send(app, '/api/tags', null, { headers })).statusCode).toBe(403);
    app.services.settings.update({ cors_origins: ['http://localhost:3000'] });
    expect(
      (await send(app, '/api/tags', null, { headers: { origin: 'http://localhost:3000' } })).statusCode,
    ).toBe(200);
  });

  it('has the named key’s scopes, and ends with it', async () => {
    const app = openTestApp();
    const key = app.key({ class: 'test', scopes: ['embeddings', 'models'] });
    app.services.settings.update({ ollama_key: key.id });
    expect((await send(app, '/api/chat', null, { body })).statusCode).toBe(403);
    expect(
      (await send(app, '/api/tags', null)).json().models.map(({ name }: { name: string }) => name),
    ).toEqual(['svc-embed-base']);
    const replacement = app.services.keys.rotate(key.id, 0, 'owner');
    expect((await send(app, '/api/tags', null)).statusCode).toBe(200);
    app.services.keys.revoke(replacement.id, 'owner');
    expect((await send(app, '/api/tags', null)).statusCode).toBe(401);
  });
});

describe('answers', () => {
  it('come in lines unless told otherwise, and say the same whole', async () => {
    const app = setUp();
    const streamed = await send(app, '/api/chat', null, { body });
    expect(streamed.headers['content-type']).toBe('application/x-ndjson');
    const lines = linesOf(streamed.body);
    const whole = await send(app, '/api/chat', null, { body: { ...body, stream: false } });
    expect(lines.map(({ message }) => message.content).join('')).toBe(whole.json().message.content);
    expect(lines.at(-1)).toMatchObject({
      done: true,
      done_reason: 'stop',
      eval_count: whole.json().eval_count,
    });
    expect(lines.slice(0, -1).every(({ done }) => done === false)).toBe(true);
    const again = await send(app, '/api/chat', null, { body });
    expect(again.body).toBe(streamed.body);
  });

  it('carry whole tool calls, whose results find them by name', async () => {
    const asked: GenerateParams[] = [];
    const generate = function* (params: GenerateParams): Generator<GenerateEvent> {
      asked.push(params);
      yield { kind: 'prompt', tokens: 5 };
      for (const [call, name] of ['first', 'second'].entries()) {
        yield { kind: 'tool', choice: 0, call, id: `call_${name}`, name };
        yield { kind: 'arguments', choice: 0, call, text: '{"a":' };
        yield { kind: 'arguments', choice: 0, call, text: `${call}}` };
      }
      yield { kind: 'finish', choice: 0, reason: 'tool_calls', tokens: 8 };
    };
    const app = setUp({ methods: { chat: { generate } } }, 'live');
    const lines = linesOf((await send(app, '/api/chat', null, { body })).body);
    const calls = lines.flatMap(({ message }) => message.tool_calls ?? []);
    expect(calls).toMatchObject([
      { function: { name: 'first', arguments: { a: 0 } } },
      { function: { name: 'second', arguments: { a: 1 } } },
    ]);
    const withoutIds = calls.map(({ function: each }) => ({ function: each }));
    const next = [
      ...messages,
      { role: 'assistant', content: '', tool_calls: withoutIds },
      { role: 'tool', tool_name: 'second', content: '2' },
      { role: 'tool', tool_name: 'first', content: '1' },
    ];
    await send(app, '/api/chat', null, { body: { ...body, messages: next, stream: false } });
    const [, assistant, second, first] = asked[1]!.messages;
    expect([first?.tool_call_id, second?.tool_call_id]).toEqual(assistant?.tool_calls?.map(({ id }) => id));
  });

  it('hand options, formats and prompts to the chat service', async () => {
    const asked: GenerateParams[] = [];
    const generate = function* (params: GenerateParams): Generator<GenerateEvent> {
      asked.push(params);
      yield { kind: 'prompt', tokens: 5 };
      yield { kind: 'text', choice: 0, text: '{}' };
      yield { kind: 'finish', choice: 0, reason: 'length', tokens: 1 };
    };
    const app = setUp({ methods: { chat: { generate } } }, 'live');
    const options = { temperature: 0, seed: 3, num_predict: 9, num_ctx: 4096, stop: ['x'] };
    const schema = { type: 'object', properties: {} };
    const response = await send(app, '/api/generate', null, {
      body: {
        model: 'svc-lingua-7b:latest',
        prompt: 'Go',
        system: 'Be brief.',
        options,
        format: schema,
        stream: false,
      },
    });
    expect(response.json()).toMatchObject({
      response: '{}',
      done: true,
      done_reason: 'length',
      prompt_eval_count: 5,
    });
    expect(asked[0]).toMatchObject({
      temperature: 0,
      seed: 3,
      maxTokens: 9,
      stop: ['x'],
      format: { type: 'json_schema', schema },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Go' },
      ],
    });
    await send(app, '/api/generate', null, { body: { model: 'svc-lingua-7b', prompt: 'def f', raw: true } });
    expect(asked[1]?.raw).toEqual({ text: 'def f', suffix: null });
  });

  it('tell of the bound pack what Ollama tells of a model', async () => {
    const app = setUp({}, 'live');
    const [model] = (await send(app, '/api/tags', null)).json().models;
    expect(model).toMatchObject({
      size: 1_234_567,
      details: {
        parent_model: 'fake@1',
        family: 'llama',
        parameter_size: '134.52M',
        quantization_level: 'speed, 4.5 bits a weight',
      },
    });
    const show = await send(app, '/api/show', null, { body: { model: 'svc-lingua-7b' } });
    expect(show.json().details).toEqual(model.details);
    expect(show.json().model_info).toEqual({
      'general.architecture': 'llama',
      'general.name': 'Fake',
      'general.parameter_count': 134_515_008,
      'llama.context_length': 2048,
      'lokal.pack': 'fake@1',
    });
  });

  it('tell of models, vectors and the version', async () => {
    const app = setUp();
    const { models } = (await send(app, '/api/tags', null)).json();
    expect(models.map(({ name }: { name: string }) => name)).toEqual(['svc-lingua-7b', 'svc-embed-base']);
    const show = await send(app, '/api/show', null, { body: { model: 'svc-lingua-7b:latest' } });
    expect(show.json().capabilities).toEqual(['completion', 'tools']);
    const embed = await send(app, '/api/embed', null, {
      body: { model: 'svc-embed-base', input: ['a', 'b'] },
    });
    expect(embed.json().embeddings.map(({ length }: number[]) => length)).toEqual([1024, 1024]);
    expect((await send(app, '/api/version', null)).json()).toEqual({ version: '0.0.0' });
    const load = await send(app, '/api/generate', null, { body: { model: 'svc-lingua-7b' } });
    expect(load.json()).toMatchObject({ done: true, done_reason: 'load' });
    const unknown = await send(app, '/api/chat', null, { body: { ...body, model: 'llama3' } });
    expect([unknown.statusCode, unknown.json()]).toEqual([404, { error: expect.stringMatching(/llama3/) }]);
  });
});
