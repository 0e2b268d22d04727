/** The official OpenAI SDK, pointed at a running server: what works against OpenAI works here. */

import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { neverEnding, writeBenchPack } from '../support/chat/bench-pack.ts';
import { post, startTestServer, type TestServer } from '../support/running-server.ts';

let server: TestServer;
let client: OpenAI;
/** Keeps the tiny pack from ending its answers. */
let endless: Record<string, number>;
const model = 'svc-lingua-7b';
const messages = [{ role: 'user' as const, content: 'What is the weather in Kuala Lumpur?' }];
const tools = [
  {
    type: 'function' as const,
    function: {
      name: 'get_weather',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
        additionalProperties: false,
      },
    },
  },
];

beforeAll(async () => {
  server = await startTestServer({
    prepare: async (home) => {
      const size = { hidden: 64, layers: 2, heads: 4, kvHeads: 2, ffn: 128, vocab: 512, context: 256 };
      const pack = await writeBenchPack(join(home, 'packs', 'tiny'), { size, preset: 'float32' });
      endless = neverEnding(pack);
    },
  });
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.test, maxRetries: 0 });
});
afterAll(() => server.close());

describe('chat', () => {
  it('completes', async () => {
    const { data, response } = await client.chat.completions.create({ model, messages }).withResponse();
    expect(data.id).toMatch(/^chatcmpl-[0-9a-f]+$/);
    expect(data.choices[0]?.message).toMatchObject({
      role: 'assistant',
      content: expect.stringMatching(/^Fixture/),
    });
    expect(data.usage?.total_tokens).toBe(
      (data.usage?.prompt_tokens ?? 0) + (data.usage?.completion_tokens ?? 0),
    );
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-request-id': expect.stringMatching(/^req_[0-9a-f]{24}$/),
      'x-ratelimit-limit-requests': '1000000',
      'x-ratelimit-limit-tokens': '1000000000',
      'x-ratelimit-remaining-requests': expect.stringMatching(/^99999\d$/),
      'x-ratelimit-reset-requests': expect.stringMatching(/^\d+ms$/),
      'x-processing-ms': expect.stringMatching(/^\d+$/),
      'x-model-pack': 'fixtures@1',
      'x-execution-provider': 'fixture',
    });
  });

  it('streams, with usage at the end', async () => {
    const stream = await client.chat.completions.create({
      model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    let finish: string | null = null;
    let total = 0;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      finish = chunk.choices[0]?.finish_reason ?? finish;
      total = chunk.usage?.total_tokens ?? total;
    }
    expect(text).toMatch(/^Fixture/);
    expect(finish).toBe('stop');
    expect(total).toBeGreaterThan(0);
  });

  it('gives the same through the stream helper as whole', async () => {
    const whole = await client.chat.completions.create({ model, messages, tools });
    const streamed = await client.chat.completions.stream({ model, messages, tools }).finalChatCompletion();
    expect(streamed.choices[0]?.message.tool_calls).toMatchObject(whole.choices[0]?.message.tool_calls ?? []);
    expect(streamed.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('runs a tool loop', async () => {
    const runner = client.chat.completions.runTools({
      model,
      messages,
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_weather',
            parameters: tools[0]!.function.parameters,
            description: 'The weather of a city.',
            parse: JSON.parse,
            function: ({ city }: { city: string }) => `It is warm in ${city}.`,
          },
        },
      ],
    });
    expect(await runner.finalContent()).toMatch(/^Fixture/);
    expect(runner.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  it('keeps to a JSON schema', async () => {
    const schema = {
      type: 'object',
      properties: { total: { type: 'number' } },
      required: ['total'],
      additionalProperties: false,
    };
    const completion = await client.chat.completions.create({
      model,
      messages,
      response_format: { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } },
    });
    expect(JSON.parse(completion.choices[0]?.message.content ?? '')).toEqual({ total: expect.any(Number) });
  });

  it('can be aborted', async () => {
    const waiting = client.chat.completions.create(
      { model, messages, user: 'fixture:delay=30s' },
      { signal: AbortSignal.timeout(200) },
    );
    await expect(waiting).rejects.toThrow(OpenAI.APIUserAbortError);
  });
});

describe('embeddings', () => {
  it('are decoded from base64 as the SDK asks for by default, and equal the floats', async () => {
    const input = ['satu', 'two', '三'];
    const decoded = await client.embeddings.create({ model: 'svc-embed-base', input });
    const floats = await client.embeddings.create({
      model: 'svc-embed-base',
      input,
      encoding_format: 'float',
      dimensions: 1024,
    });
    expect(decoded.data.map(({ embedding }) => embedding.length)).toEqual([1024, 1024, 1024]);
    for (const [index, { embedding }] of floats.data.entries()) {
      expect(Math.hypot(...embedding)).toBeCloseTo(1, 4);
      for (const [at, value] of embedding.entries())
        expect(decoded.data[index]?.embedding[at]).toBeCloseTo(value, 6);
    }
  });
});

describe('models and moderations', () => {
  it('lists the six models for a test key', async () => {
    const ids: string[] = [];
    for await (const each of client.models.list()) ids.push(each.id);
    expect(ids).toEqual([
      'svc-lingua-7b',
      'svc-vision-pro',
      'svc-shield-base',
      'svc-guard-max',
      'svc-parse-pro',
      'svc-embed-base',
    ]);
  });

  it('answers moderations', async () => {
    const answer = await client.moderations.create({
      model: 'svc-shield-base',
      input: 'fixture-flag:violence',
    });
    expect(answer.results[0]?.flagged).toBe(true);
    expect(answer.results[0]?.category_scores).toMatchObject({ violence: 0.9 });
  });
});

describe('errors', () => {
  it.each([
    ['invalid_value', OpenAI.BadRequestError, 400],
    ['expired_api_key', OpenAI.AuthenticationError, 401],
    ['ip_not_allowed', OpenAI.PermissionDeniedError, 403],
    ['model_not_found', OpenAI.NotFoundError, 404],
    ['idempotency_in_progress', OpenAI.ConflictError, 409],
    ['idempotency_key_reused', OpenAI.UnprocessableEntityError, 422],
    ['rate_limit_error', OpenAI.RateLimitError, 429],
    ['engine_crashed', OpenAI.InternalServerError, 503],
  ] as const)('%s is the class that the SDK has for it', async (code, kind, status) => {
    const error = await client.chat.completions
      .create({ model, messages, user: `fixture:error=${code}` })
      .catch((each) => each);
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ status, code, requestID: expect.any(String) });
  });

  it('refuses a wrong key, an unknown field and a wrong value, naming the field', async () => {
    // Any other last character: a fixed one is the key's own now and then.
    const last = server.test.endsWith('x') ? 'y' : 'x';
    const stranger = new OpenAI({
      baseURL: `${server.url}/v1`,
      apiKey: server.test.slice(0, -1) + last,
      maxRetries: 0,
    });
    await expect(stranger.models.list()).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
    const unknown = {
      model,
      messages,
      surprise: true,
    } as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming;
    await expect(client.chat.completions.create(unknown)).rejects.toMatchObject({
      code: 'unknown_parameter',
      param: 'surprise',
    });
    await expect(client.chat.completions.create({ model, messages, temperature: 3 })).rejects.toMatchObject({
      param: 'temperature',
    });
  });

  it('retries what the server says may be retried', async () => {
    const patient = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.test, maxRetries: 1 });
    const body = { model, messages, user: 'fixture:error=server_overloaded' };
    await expect(patient.chat.completions.create(body)).rejects.toMatchObject({ status: 503 });
  });
});

describe('a live key', () => {
  it('streams from a pack what it answers whole', async () => {
    const live = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.live, maxRetries: 0 });
    const body = { model, messages, max_tokens: 24, temperature: 0, logit_bias: endless };
    const { data: whole, response } = await live.chat.completions.create(body).withResponse();
    expect(response.headers.get('x-model-pack')).toBe('bench-chat@float32');
    expect(response.headers.get('x-execution-provider')).toBe('cpu');
    const stream = await live.chat.completions.create({
      ...body,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
    expect(text).toBe(whole.choices[0]?.message.content);
    expect(text).not.toBe('');
    expect(chunks.length).toBeGreaterThan(10);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('length');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 24 } });
  });

  it('is told how to install a chat pack where none is bound', async () => {
    await post(`${server.url}/console/packs/bind`, { role: model, pack: null }, server.session);
    const live = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.live, maxRetries: 0 });
    await expect(live.chat.completions.create({ model, messages })).rejects.toMatchObject({
      status: 503,
      code: 'model_not_installed',
      message: expect.stringMatching(/lokal packs import/),
    });
  });
});
