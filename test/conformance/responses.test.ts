/** OpenAI's Responses by the official SDK: whole, streamed, with tools, with a format, and refused. */
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/running-server.ts';

let server: TestServer;
let client: OpenAI;
const model = 'svc-lingua-7b';
const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const tools = [{ type: 'function' as const, name: 'get_weather', parameters, strict: true }];

beforeAll(async () => {
  server = await startTestServer();
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.test, maxRetries: 0 });
});
afterAll(() => server.close());

describe('a response', () => {
  it('answers a text', async () => {
    const response = await client.responses.create({ model, instructions: 'Be brief.', input: 'Hello' });
    expect(response).toMatchObject({ object: 'response', status: 'completed', error: null, store: false });
    expect(response.id).toMatch(/^resp_[0-9a-f]{24}$/);
    expect(response.output_text).toMatch(/^Fixture/);
    const { input_tokens = 0, output_tokens = 0, total_tokens } = response.usage ?? {};
    expect(total_tokens).toBe(input_tokens + output_tokens);
  });

  it('says what the chat completion of the same conversation says', async () => {
    const { output_text } = await client.responses.create({ model, instructions: 'Brief.', input: 'Hello' });
    const { choices } = await client.chat.completions.create({
      model,
      messages: [
        { role: 'system', content: 'Brief.' },
        { role: 'user', content: 'Hello' },
      ],
    });
    expect(output_text).toBe(choices[0]?.message.content);
  });

  it('is the same streamed as whole, in the order of the SDK’s events', async () => {
    const whole = await client.responses.create({ model, input: 'Hello' });
    const stream = client.responses.stream({ model, input: 'Hello' });
    const types: string[] = [];
    const numbers: number[] = [];
    for await (const event of stream) {
      if (types.at(-1) !== event.type) types.push(event.type);
      numbers.push(event.sequence_number);
    }
    expect(types).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect((await stream.finalResponse()).output_text).toBe(whole.output_text);
  });

  it('calls a function, streamed and whole, and goes on with its result', async () => {
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Weather in Ipoh?' }];
    const first = await client.responses.create({ model, input, tools });
    const call = first.output.find((item) => item.type === 'function_call')!;
    expect(JSON.parse(call.arguments)).toEqual({ city: expect.any(String) });
    const streamed = await client.responses.stream({ model, input, tools }).finalResponse();
    expect(streamed.output).toMatchObject([{ type: 'function_call', arguments: call.arguments }]);
    const second = await client.responses.create({
      model,
      tools,
      input: [
        ...input,
        ...(first.output as OpenAI.Responses.ResponseInput),
        { type: 'function_call_output', call_id: call.call_id, output: '31 degrees' },
      ],
    });
    expect(second.output_text).toMatch(/^Fixture/);
  });

  it('keeps to a format', async () => {
    const format = { type: 'json_schema' as const, name: 'place', schema: parameters, strict: true };
    const response = await client.responses.parse({ model, input: 'Where?', text: { format } });
    expect(JSON.parse(response.output_text)).toEqual({ city: expect.any(String) });
    expect(response.text).toMatchObject({ format });
  });

  it('is incomplete where max_output_tokens ends it', async () => {
    const response = await client.responses.create({ model, input: 'Hello', max_output_tokens: 2 });
    expect(response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete' }],
      usage: { output_tokens: 2 },
    });
  });

  it('names the request’s own fields in errors', async () => {
    const refusal = async (body: object) => {
      const error = await client.responses.create({ model, ...body } as never).catch((each) => each);
      return [error.status, error.code, error.param];
    };
    expect(await refusal({ input: [{ type: 'web_search_call' }] })).toEqual([
      400,
      'invalid_value',
      'input[0].type',
    ]);
    const twice = [...tools, ...tools];
    expect(await refusal({ input: 'a', tools: twice })).toEqual([400, 'invalid_value', 'tools[1].name']);
    expect(await refusal({ input: 'word '.repeat(40_000) })).toEqual([
      400,
      'context_length_exceeded',
      'input',
    ]);
    expect(await refusal({ input: 'a', store: true })).toEqual([400, 'invalid_value', 'store']);
    expect(await refusal({ input: 'a', previous_response_id: 'resp_1' })).toEqual([
      400,
      'invalid_value',
      'previous_response_id',
    ]);
    expect(
      await refusal({
        input: 'a',
        text: { format: { type: 'json_schema', name: 'x', schema: { type: 'nope' } } },
      }),
    ).toEqual([400, 'invalid_value', expect.stringMatching(/^text\.format/)]);
  });

  it('ends when the client goes', async () => {
    const stream = await client.responses
      .create(
        {
          model,
          input: 'Hello',
          user: 'fixture:delay=30s',
          stream: true,
        },
        { timeout: 200 },
      )
      .catch((error) => error);
    expect(stream).toBeInstanceOf(OpenAI.APIConnectionTimeoutError);
  });
});
