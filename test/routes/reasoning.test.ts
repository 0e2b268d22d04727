/** Thinking in `<think>`, parted from the answer where the prompt's format has it. */
import { describe, expect, it } from 'vitest';
import type { GenerateEvent, GenerateParams, Thinking } from '../../server/engine/chat/types.ts';
import { openTestApp, send, type TestAppOptions } from '../support/app/test-app.ts';

const chat = '/v1/chat/completions';
const body = { model: 'svc-lingua-7b', messages: [{ role: 'user', content: 'hi' }] };

function setUp(thinking: Thinking | undefined, pieces: string[]) {
  const asked: GenerateParams[] = [];
  function* generate(params: GenerateParams): Generator<GenerateEvent> {
    asked.push(params);
    yield { kind: 'prompt', tokens: 5, ...(thinking ? { thinking } : {}) };
    for (const text of pieces) yield { kind: 'text', choice: 0, text };
    yield { kind: 'finish', choice: 0, reason: 'stop', tokens: pieces.length };
  }
  const app = openTestApp({ methods: { chat: { generate } } as TestAppOptions['methods'] & object });
  return { app, asked, key: app.key() };
}

const thought = ['<think>Hm,', ' well.</think>', 'Yes.'];

const eventsOf = ({ body: text }: { body: string }) =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json!));

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
      usage: { completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 7 } },
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

  it('is left out by the other protocols unless it is asked for, and counted all the same', async () => {
    const { app, key } = setUp('tagged', thought);
    const messages = await send(app, '/v1/messages', key, { body: { ...body, max_tokens: 9 } });
    expect(messages.json().content).toMatchObject([{ type: 'text', text: 'Yes.' }]);
    expect(messages.json().usage.output_tokens).toBe(3);
    const responses = await send(app, '/v1/responses', key, { body: { model: body.model, input: 'hi' } });
    const { output, usage } = responses.json();
    expect(output).toMatchObject([{ type: 'message', content: [{ text: 'Yes.' }] }]);
    expect(usage.output_tokens_details).toEqual({ reasoning_tokens: 2 });
  });

  it('is a block of a message that asks for it', async () => {
    const { app, key, asked } = setUp('tagged', thought);
    const thinking = { type: 'enabled', budget_tokens: 1024 };
    const ask = { ...body, max_tokens: 9, thinking };
    const whole = (await send(app, '/v1/messages', key, { body: ask })).json();
    expect(whole.content).toEqual([
      { type: 'thinking', thinking: 'Hm, well.', signature: '' },
      { type: 'text', text: 'Yes.', citations: null },
    ]);
    const streamed = eventsOf(await send(app, '/v1/messages', key, { body: { ...ask, stream: true } }));
    expect(streamed.map(({ type, index }) => [type, index])).toEqual([
      ['message_start', undefined],
      ['content_block_start', 0],
      ['content_block_delta', 0],
      ['content_block_delta', 0],
      ['content_block_stop', 0],
      ['content_block_start', 1],
      ['content_block_delta', 1],
      ['content_block_stop', 1],
      ['message_delta', undefined],
      ['message_stop', undefined],
    ]);
    expect(streamed[2].delta).toEqual({ type: 'thinking_delta', thinking: 'Hm,' });
    const omitted = { ...ask, thinking: { type: 'adaptive', display: 'omitted' } };
    expect((await send(app, '/v1/messages', key, { body: omitted })).json().content).toHaveLength(1);
    await send(app, '/v1/messages', key, {
      body: {
        ...ask,
        messages: [...body.messages, { role: 'assistant', content: whole.content }, ...body.messages],
      },
    });
    expect(asked.at(-1)?.messages[1]).toMatchObject({ content: 'Yes.', reasoning_content: 'Hm, well.' });
  });

  it('is an item of a response whose summary is asked for', async () => {
    const { app, key, asked } = setUp('tagged', thought);
    const ask = { model: body.model, input: 'hi', reasoning: { effort: 'low', summary: 'auto' } };
    const whole = (await send(app, '/v1/responses', key, { body: ask })).json();
    expect(whole.output).toMatchObject([
      { type: 'reasoning', status: 'completed', summary: [{ type: 'summary_text', text: 'Hm, well.' }] },
      { type: 'message', content: [{ text: 'Yes.' }] },
    ]);
    const streamed = eventsOf(await send(app, '/v1/responses', key, { body: { ...ask, stream: true } }));
    expect(streamed.filter(({ output_index }) => output_index === 0).map(({ type }) => type)).toEqual([
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
    ]);
    expect(streamed.at(-1).response.output).toMatchObject(
      whole.output.map(({ id: _, ...item }: { id: string }) => item),
    );
    const input = [{ role: 'user', content: 'hi' }, ...whole.output, { role: 'user', content: 'and?' }];
    await send(app, '/v1/responses', key, { body: { ...ask, input } });
    expect(asked.at(-1)?.messages[1]).toMatchObject({ content: 'Yes.', reasoning_content: 'Hm, well.' });
  });

  it('is in a field of its own for Ollama’s clients that ask for it', async () => {
    const { app, key, asked } = setUp('tagged', thought);
    const ask = { ...body, stream: false };
    const hidden = (await send(app, '/api/chat', key, { body: ask })).json();
    expect(hidden.message).toEqual({ role: 'assistant', content: 'Yes.' });
    const shown = (await send(app, '/api/chat', key, { body: { ...ask, think: 'low' } })).json();
    expect(shown.message).toEqual({ role: 'assistant', content: 'Yes.', thinking: 'Hm, well.' });
    const generate = { model: body.model, prompt: 'hi', think: true, stream: false };
    expect((await send(app, '/api/generate', key, { body: generate })).json()).toMatchObject({
      response: 'Yes.',
      thinking: 'Hm, well.',
    });
    expect(asked.map(({ reasoningEffort }) => reasoningEffort)).toEqual([undefined, 'low', 'medium']);
  });
});

it('an effort reaches the engine from each protocol', async () => {
  const { app, key, asked } = setUp(undefined, ['Yes.']);
  const { model, messages } = body;
  const requests: [string, object][] = [
    [chat, { ...body, reasoning_effort: 'xhigh' }],
    [chat, body],
    ['/v1/responses', { model, input: 'hi', reasoning: { effort: 'minimal' } }],
    ['/v1/messages', { model, messages, max_tokens: 9, thinking: { type: 'disabled' } }],
    ['/v1/messages', { model, messages, max_tokens: 9, output_config: { effort: 'max' } }],
    ['/api/chat', { model, messages, think: false }],
  ];
  for (const [path, ask] of requests)
    expect((await send(app, path, key, { body: ask })).statusCode, path).toBe(200);
  expect(asked.map(({ reasoningEffort }) => reasoningEffort)).toEqual([
    'xhigh',
    undefined,
    'minimal',
    'none',
    'xhigh',
    'none',
  ]);
});
