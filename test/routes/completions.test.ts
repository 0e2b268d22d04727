/** /v1/completions, /v1/tokenize and /v1/rerank over fixtures. */
import { describe, expect, it } from 'vitest';
import { openTestApp, send } from '../support/app/test-app.ts';

const model = 'svc-lingua-7b';
const setUp = () => {
  const app = openTestApp();
  const key = app.key({ class: 'test' });
  return async (path: string, body: object) => {
    const response = await send(app, `/v1/${path}`, key, { body });
    return {
      status: response.statusCode,
      text: response.body,
      body: response.body.startsWith('{') ? response.json() : null,
    };
  };
};

describe('a completion', () => {
  it('is the same streamed as whole, its prompt before it where asked', async () => {
    const ask = setUp();
    const request = { model, prompt: 'Once', echo: true, max_tokens: 64 };
    const { body } = await ask('completions', request);
    expect(body).toMatchObject({
      object: 'text_completion',
      choices: [{ index: 0, text: expect.stringMatching(/^OnceFixture/), finish_reason: 'stop' }],
      usage: { prompt_tokens: expect.any(Number) },
    });
    const { text } = await ask('completions', { ...request, stream: true });
    const pieces = [...text.matchAll(/^data: (\{.*)$/gm)].map(
      ([, json]) => JSON.parse(json!).choices[0].text,
    );
    expect(pieces.join('')).toBe(body.choices[0].text);
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
  });

  it('has scores with offsets, as many as tokens', async () => {
    const { body } = await setUp()('completions', { model, prompt: ['Once'], logprobs: 2, n: 2 });
    expect(body.choices).toHaveLength(2);
    const { tokens, text_offset, top_logprobs } = body.choices[1].logprobs;
    expect(tokens).toHaveLength(16);
    expect(text_offset).toEqual(
      tokens.map((_: string, index: number) => tokens.slice(0, index).join('').length),
    );
    expect(Object.keys(top_logprobs[0])).toHaveLength(2);
    expect(body.usage.completion_tokens).toBe(32);
  });

  it('names its own fields in errors', async () => {
    const { body } = await setUp()('completions', { model, prompt: 'word '.repeat(40_000) });
    expect(body.error).toMatchObject({ code: 'context_length_exceeded', param: 'prompt' });
    const both = await setUp()('completions', { model, prompt: 'a', echo: true, logprobs: 1 });
    expect(both.body.error).toMatchObject({ code: 'invalid_value', param: 'logprobs' });
  });
});

describe('tokens', () => {
  it('spell the text', async () => {
    const { body } = await setUp()('tokenize', { model, prompt: 'plain words', return_token_strs: true });
    expect(body.token_strs.join('')).toBe('plain words');
    expect(body).toMatchObject({ count: body.tokens.length, max_model_len: 32_768 });
  });

  it('are of a prompt or of messages, not of both', async () => {
    const { status, body } = await setUp()('tokenize', { model });
    expect([status, body.error.code, body.error.param]).toEqual([400, 'missing_field', 'prompt']);
  });
});

describe('a ranking', () => {
  const rerank = { model: 'svc-embed-base', query: 'text 7' };

  it('puts the document that is the query first, whatever its shape', async () => {
    // A fixture's vectors are equal for equal texts of one task alone, so the order is any; the shape is not.
    const documents = ['text 1', { text: 'text 2' }, 'text 3'];
    const { body } = await setUp()('rerank', { ...rerank, documents, return_documents: true });
    expect(body.results).toHaveLength(3);
    for (const { index, document } of body.results) expect(document.text).toBe(`text ${index + 1}`);
    const scores = body.results.map((each: { relevance_score: number }) => each.relevance_score);
    expect(scores).toEqual(scores.toSorted((first: number, second: number) => second - first));
    const { body: best } = await setUp()('rerank', { ...rerank, documents, top_n: 1 });
    expect(best.results).toMatchObject([{ index: body.results[0].index }]);
    expect(best.usage.total_tokens).toBe(body.usage.total_tokens);
  });

  it('ranks more documents than fit one call', async () => {
    const documents = Array.from({ length: 200 }, (_, index) => `text ${index}`);
    const { body } = await setUp()('rerank', { ...rerank, documents });
    expect(new Set(body.results.map(({ index }: { index: number }) => index)).size).toBe(200);
  });

  it('names the document that is refused', async () => {
    const documents = [...Array.from({ length: 100 }, () => 'a'), 'word '.repeat(10_000)];
    const { status, body } = await setUp()('rerank', { ...rerank, documents });
    expect([status, body.error.code, body.error.param]).toEqual([400, 'input_too_long', 'documents[100]']);
    const empty = await setUp()('rerank', { ...rerank, documents: ['b', ' '] });
    expect(empty.body.error).toMatchObject({ code: 'invalid_value', param: 'documents[1]' });
  });
});
