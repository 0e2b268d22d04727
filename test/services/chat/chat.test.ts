import { describe, expect, it } from 'vitest';
import type { GenerateEvent } from '../../../server/engine/chat/types.ts';
import { createChat } from '../../../server/services/chat/chat.ts';
import { openTestApp, send } from '../../support/app/test-app.ts';
import { makeCaller } from '../../support/caller.ts';
import { fakeEngines } from '../../support/fake-engines.ts';

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

describe('tokens of an answer', () => {
  const events: GenerateEvent[] = [
    { kind: 'prompt', tokens: 5 },
    { kind: 'text', choice: 0, text: 'He' },
    { kind: 'text', choice: 1, text: 'Oh' },
    { kind: 'text', choice: 0, text: 'llo' },
    { kind: 'finish', choice: 0, reason: 'stop', tokens: 4 },
    { kind: 'finish', choice: 1, reason: 'stop', tokens: 1 },
  ];
  const engines = fakeEngines({ chat: { generate: () => events } });

  it.each([
    [3, 2],
    [4, 3],
    [5, 5],
    [events.length, 5],
  ])('are metered also where the client leaves after %d events', async (seen, metered) => {
    const caller = makeCaller();
    const chat = createChat({ engines, fixtures: engines });
    const body = {
      model: 'svc-lingua-7b',
      messages: [{ role: 'user' as const, content: 'hi' }],
      stream: true,
    };
    const answer = await chat(body, caller);
    if (!('events' in answer)) return expect.fail('not streamed');
    let chunks = 0;
    // The prompt has no chunk of its own, and each choice begins with one more.
    const begun =
      new Set(events.slice(0, seen).map((event) => ('choice' in event ? event.choice : null))).size - 1;
    for await (const _ of answer.events) if (++chunks === seen - 1 + begun) break;
    expect([caller.meter.promptTokens, caller.meter.completionTokens]).toEqual([5, metered]);
  });
});
