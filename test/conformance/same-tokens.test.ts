/** The chat protocols over the starter that comes with Lokal: one conversation and seed, the same tokens. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  eventDataOf,
  type Json,
  protocolPaths,
  repairTranscript,
  requestsAfter,
  streamedTurnOf,
  type Turn,
  turnOf,
} from '../support/agent-transcript.ts';
import { startTestServer, type TestServer } from '../support/running-server.ts';

let server: TestServer;
const model = 'svc-lingua-7b';
const system = 'Answer in one sentence.';
const question = 'Who wrote the report, and when? The report was written by Siti Rahman in March.';
const shared = { model, temperature: 0.9, seed: 11 };

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function post(path: string, body: object, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.live}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
  expect(response.status, path).toBe(200);
  return response;
}

const ask = async (path: string, body: object): Promise<Json> => (await post(`/v1/${path}`, body)).json();

/** Calls have ids of their own in every answer. */
const withoutIds = ({ text, calls }: Turn) => ({
  text,
  calls: calls.map(({ name, input }) => ({ name, input })),
});

/** Of the three protocols' usages, the tokens of prompt and answer. */
const tokensOf = ({ usage }: Json): number[] => [
  usage.prompt_tokens ?? usage.input_tokens,
  usage.completion_tokens ?? usage.output_tokens,
];

const messages = [
  { role: 'system', content: system },
  { role: 'user', content: question },
];

describe('one conversation and seed', () => {
  it('get the same tokens in chat completions, Responses and Messages', { timeout: 120_000 }, async () => {
    const chat = await ask('chat/completions', { ...shared, max_tokens: 40, messages });
    const response = await ask('responses', {
      ...shared,
      max_output_tokens: 40,
      instructions: system,
      input: question,
    });
    const message = await ask('messages', {
      ...shared,
      max_tokens: 40,
      system,
      messages: [{ role: 'user', content: question }],
    });
    const text = chat.choices[0].message.content;
    expect(text).not.toBe('');
    expect(response.output[0].content[0].text).toBe(text);
    expect(message.content[0].text).toBe(text);
    const { prompt_tokens: input, completion_tokens: output } = chat.usage;
    expect(response.usage).toMatchObject({ input_tokens: input, output_tokens: output });
    expect(message.usage).toMatchObject({ input_tokens: input, output_tokens: output });
    const { count } = await ask('tokenize', { model, messages });
    expect(count).toBe(input);
  });

  it.each([0, 1, 5])(
    'of an agent after %i turns get the same tokens, whole, streamed and after a broken stream',
    { timeout: 120_000 },
    async (turns) => {
      const requests = requestsAfter(repairTranscript, turns, 400);
      const answers: { turn: Turn; tokens: number[] }[] = [];
      for (const path of protocolPaths) {
        const whole: Json = await (await post(path, requests[path])).json();
        const turn = withoutIds(turnOf[path](whole));
        const broken = new AbortController();
        const stream = await post(path, { ...requests[path], stream: true }, broken.signal);
        await stream.body!.getReader().read();
        broken.abort();
        const streamed = await (await post(path, { ...requests[path], stream: true })).text();
        expect(withoutIds(streamedTurnOf[path](eventDataOf(streamed))), path).toEqual(turn);
        answers.push({ turn: turn as Turn, tokens: tokensOf(whole) });
      }
      const [first, ...others] = answers;
      expect((first!.turn.text ?? '') + JSON.stringify(first!.turn.calls)).not.toBe('[]');
      for (const each of others) expect(each).toEqual(first);
    },
  );

  it('go on with a text without the chat format', { timeout: 120_000 }, async () => {
    const { usage } = await ask('completions', { ...shared, prompt: question, max_tokens: 4 });
    const { count } = await ask('tokenize', { model, prompt: question });
    expect([0, 1]).toContain(usage.prompt_tokens - count);
  });

  it('rank documents by meaning', { timeout: 120_000 }, async () => {
    const documents = ['Rainfall in Sabah', 'How to renew a passport', 'Cara memperbaharui pasport'];
    const { results } = await ask('rerank', {
      model: 'svc-embed-base',
      query: 'renew my passport',
      documents,
    });
    expect(results.at(-1).index).toBe(0);
    expect(results[0].relevance_score).toBeGreaterThan(results[2].relevance_score + 0.1);
  });
});
