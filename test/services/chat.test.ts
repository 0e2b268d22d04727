import { describe, expect, it } from 'vitest';
import { openTestApp, send } from '../support/app/test-app.ts';

describe('null in a chat request', () => {
  const nulls = {
    temperature: null,
    max_tokens: null,
    max_completion_tokens: null,
    stream: null,
    stream_options: null,
    top_p: null,
    seed: null,
    stop: null,
    n: null,
    logprobs: null,
    top_logprobs: null,
    presence_penalty: null,
    frequency_penalty: null,
    logit_bias: null,
    metadata: null,
  };

  it('means that the field was not given', async () => {
    const test = openTestApp();
    const key = test.key({ class: 'test' });
    const body = { model: 'svc-lingua-7b', messages: [{ role: 'user', content: 'hi' }] };
    const [plain, withNulls] = await Promise.all(
      [body, { ...body, ...nulls }].map((each) => send(test, '/v1/chat/completions', key, { body: each })),
    );
    expect([plain?.statusCode, withNulls?.statusCode]).toEqual([200, 200]);
    expect(withNulls?.json().choices[0].message).toEqual(plain?.json().choices[0].message);
  });
});
