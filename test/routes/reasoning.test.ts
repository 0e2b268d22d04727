/** Thinking in `<think>`, parted from the answer where the prompt's format has it. */
import { describe, expect, it } from 'vitest';
import type { GenerateEvent, Thinking } from '../../server/engine/chat/types.ts';
import { openTestApp, send, type TestAppOptions } from '../support/app/test-app.ts';

const chat = '/v1/chat/completions';
const body = { model: 'svc-lingua-7b', messages: [{ role: 'user', content: 'hi' }] };

function setUp(thinking: Thinking | undefined, pieces: string[]) {
  function* generate(): Generator<GenerateEvent> {
    yield { kind: 'prompt', tokens: 5, ...(thinking ? { thinking } : {}) };
    for (const text of pieces) yield { kind: 'text', choice: 0, text };
    yield { kind: 'finish', choice: 0, reason: 'stop', tokens: pieces.length };
  }
  const app = openTestApp({ methods: { chat: { generate } } as TestAppOptions['methods'] & object });
  return { app, key: app.key() };
}

async function ask(thinking: Thinking | undefined, pieces: string[]) {
  const { app, key } = setUp(thinking, pieces);
  const whole = (await send(app, chat, key, { body })).json();
  const { content, reasoning_content } = whole.choices[0].message;
  const streamed = await send(app, chat, key, { body: { ...body, stream: true } });
  const deltas = [...streamed.body.matchAll(/^data: (\{.*)$/gm)].map(
    ([, text]) => JSON.parse(text!).choices[0].delta,
  );
  const joined = (name: string) => deltas.map((delta) => delta[name] ?? '').join('');
  expect([joined('content'), joined('reasoning_content')]).toEqual([content, reasoning_content ?? '']);
  return { content, reasoning: reasoning_content, usage: whole.usage };
}

describe('thinking', () => {
  it('is parted where the model opens it, however its marks are cut', async () => {
    const pieces = ['<th', 'ink>\n', 'Let me ', 'see: a <', 'b.</', 'think', '>\n\n', 'Good ', 'day.'];
    expect(await ask('tagged', pieces)).toMatchObject({
      content: 'Good day.',
      reasoning: 'Let me see: a <b.',
      usage: { completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 5 } },
    });
  });

  it('is parted where the prompt has opened it, also when it does not end', async () => {
    expect(await ask('open', ['Hm.', '</think>Yes.'])).toMatchObject({ content: 'Yes.', reasoning: 'Hm.' });
    expect(await ask('open', ['Hm', ' <'])).toMatchObject({ content: '', reasoning: 'Hm <' });
  });

  it('is none in an answer without it, nor in a format that has none', async () => {
    expect(await ask('tagged', ['<', 'b>Bold</b>'])).toMatchObject({ content: '<b>Bold</b>' });
    const plain = await ask(undefined, ['<think>', 'a', '</think>']);
    expect(plain).toEqual({
      content: '<think>a</think>',
      usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
    });
  });

  it('is left out by protocols without a place for it', async () => {
    const { app, key } = setUp('tagged', ['<think>Hm.</think>', 'Yes.']);
    const messages = await send(app, '/v1/messages', key, { body: { ...body, max_tokens: 9 } });
    expect(messages.json().content).toMatchObject([{ type: 'text', text: 'Yes.' }]);
    const responses = await send(app, '/v1/responses', key, { body: { model: body.model, input: 'hi' } });
    expect(responses.json().output[0].content[0].text).toBe('Yes.');
  });
});
