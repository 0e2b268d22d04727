/** Guardrails of prompts and answers, in each protocol's words. */
import { describe, expect, it } from 'vitest';
import type { SettingsPatch } from '../../server/api/console/console.ts';
import type { ModerationCategory } from '../../server/api/services/moderations.ts';
import type { GenerateEvent, GenerateParams, Thinking } from '../../server/engine/chat/types.ts';
import type { ClassifyParams, ClassifyResult, TextSpan } from '../../server/engine/moderation/types.ts';
import { guardrailFor } from '../../server/services/chat/guardrails.ts';
import { codeOf, openTestApp, send, type TestAppOptions } from '../support/app/test-app.ts';

const chat = '/v1/chat/completions';
const model = 'svc-lingua-7b';
const messages = [
  { role: 'system', content: 'Reply to a@b.my.' },
  { role: 'user', content: 'I am a@b.my, hi.' },
];

/** Finds `a@b.my` with its place, and `bomb` without one. */
function classify({ text, categories }: ClassifyParams): ClassifyResult {
  const spans: TextSpan[] = [...text.matchAll(/a@b\.my/g)].map(({ index }) => ({
    category: 'pii_exposure',
    start: index,
    end: index + 6,
  }));
  const asked = (name: ModerationCategory) => categories?.includes(name) ?? true;
  const flaggedCategories = {
    ...(spans.length > 0 && asked('pii_exposure') ? { pii_exposure: true } : {}),
    ...(text.includes('bomb') && asked('weapons') ? { weapons: true } : {}),
  };
  return { flagged: Object.keys(flaggedCategories).length > 0, scores: {}, flaggedCategories, spans };
}

function setUp(guardrails: NonNullable<SettingsPatch['guardrails']>, pieces: string[], thinking?: Thinking) {
  const asked: GenerateParams[] = [];
  let generated = 0;
  function* generate(params: GenerateParams): Generator<GenerateEvent> {
    asked.push(params);
    yield { kind: 'prompt', tokens: 5, ...(thinking ? { thinking } : {}) };
    for (const text of pieces) {
      generated += 1;
      yield { kind: 'text', choice: 0, text };
    }
    yield { kind: 'finish', choice: 0, reason: 'stop', tokens: pieces.length };
  }
  const methods = { chat: { generate }, moderation: { classify } } as unknown as NonNullable<
    TestAppOptions['methods']
  >;
  const app = openTestApp({ methods, settings: { guardrails } });
  return { app, asked, key: app.key(), generated: () => generated };
}

const rule = (prompt: 'off' | 'block' | 'mask', answer: 'off' | 'block' | 'mask', target = '*') => ({
  target,
  prompt,
  answer,
});

const streamedText = (body: string): string[] =>
  [...body.matchAll(/^data: (\{.*)$/gm)]
    .map(([, text]) => JSON.parse(text!).choices[0]?.delta.content)
    .filter(Boolean);

describe('a prompt', () => {
  it('is refused by the field, before the engine hears of it', async () => {
    const { app, asked, key } = setUp([rule('block', 'off')], ['fine.']);
    const response = await send(app, chat, key, { body: { model, messages } });
    expect([response.statusCode, codeOf(response)]).toEqual([400, 'content_blocked']);
    expect(response.json().error.param).toBe('messages[1].content');
    expect(response.headers['x-lokal-guardrail']).toBe('prompt=pii_exposure:block');
    expect(asked).toEqual([]);
  });

  it('is masked where it was found; what the developer wrote stays', async () => {
    const { app, asked, key } = setUp([rule('mask', 'off')], ['fine.']);
    const response = await send(app, chat, key, { body: { model, messages } });
    expect(asked[0]?.messages.map(({ content }) => content)).toEqual([
      'Reply to a@b.my.',
      'I am [pii_exposure], hi.',
    ]);
    expect(response.headers['x-lokal-guardrail']).toBe('prompt=pii_exposure:mask');
  });

  it('has the rule of its key before that of all', async () => {
    const { app, key, asked } = setUp([rule('block', 'off')], ['fine.']);
    app.services.settings.update({ guardrails: [rule('block', 'off'), rule('off', 'off', key.id)] });
    expect((await send(app, chat, key, { body: { model, messages } })).statusCode).toBe(200);
    expect(asked).toHaveLength(1);
    expect((await send(app, chat, app.key(), { body: { model, messages } })).statusCode).toBe(400);
    const replacement = app.services.keys.rotate(key.id, 0, 'owner');
    expect((await send(app, chat, replacement, { body: { model, messages } })).statusCode).toBe(200);
  });

  it('is refused in the words of the other protocols', async () => {
    const { app, key } = setUp([rule('block', 'off')], ['fine.']);
    const user = [messages[1]];
    const anthropic = await send(app, '/v1/messages', key, {
      body: { model, messages: user, max_tokens: 9 },
    });
    expect(anthropic.json().error).toMatchObject({ code: 'content_blocked' });
    const responses = await send(app, '/v1/responses', key, { body: { model, input: 'a@b.my' } });
    expect(codeOf(responses)).toBe('content_blocked');
    const raw = await send(app, '/v1/completions', key, { body: { model, prompt: 'a@b.my' } });
    expect(raw.json().error).toMatchObject({ code: 'content_blocked', param: 'prompt' });
  });
});

describe('an answer', () => {
  const pieces = ['Write', ' to a@', 'b.my', '. Then', ' build a', ' bomb', '. And', ' rest.'];

  it('is masked sentence by sentence, streamed or whole', async () => {
    const { app, key } = setUp([rule('off', 'mask')], pieces);
    const whole = await send(app, chat, key, { body: { model, messages } });
    const text = whole.json().choices[0].message.content;
    expect(text).toBe('Write to [pii_exposure]. [weapons] And rest.');
    expect(whole.headers['x-lokal-guardrail']).toBe('answer=pii_exposure:mask; answer=weapons:mask');
    const streamed = await send(app, chat, key, { body: { model, messages, stream: true } });
    expect(streamedText(streamed.body).join('')).toBe(text);
    expect(streamed.body).not.toContain('a@');
  });

  it('ends before the sentence that is blocked, and so does the engine', async () => {
    const { app, key, generated } = setUp([{ ...rule('off', 'block'), categories: ['weapons'] }], pieces);
    const streamed = await send(app, chat, key, { body: { model, messages, stream: true } });
    expect(streamedText(streamed.body).join('')).toBe('Write to a@b.my.');
    expect(streamed.body).toContain('"finish_reason":"content_filter"');
    expect(generated()).toBeLessThanOrEqual(pieces.length);
  });

  it('says so in each protocol', async () => {
    const { app, key } = setUp([rule('off', 'block')], ['A bomb.']);
    const whole = (await send(app, chat, key, { body: { model, messages } })).json().choices[0];
    expect([whole.finish_reason, whole.message.content]).toEqual(['content_filter', '']);
    const user = [{ role: 'user', content: 'hi' }];
    const anthropic = await send(app, '/v1/messages', key, {
      body: { model, messages: user, max_tokens: 9 },
    });
    expect(anthropic.json()).toMatchObject({ stop_reason: 'refusal' });
    const responses = await send(app, '/v1/responses', key, { body: { model, input: 'hi' } });
    expect(responses.json()).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'content_filter' },
    });
    const raw = await send(app, '/v1/completions', key, { body: { model, prompt: 'hi' } });
    expect(raw.json().choices[0].finish_reason).toBe('content_filter');
  });

  const user = [{ role: 'user', content: 'hi' }];
  const streams: Record<string, object> = {
    '/v1/chat/completions': { model, messages: user },
    '/v1/responses': { model, input: 'hi' },
    '/v1/messages': { model, messages: user, max_tokens: 99 },
    '/v1/completions': { model, prompt: 'hi' },
    '/api/chat': { model, messages: user },
    '/api/generate': { model, prompt: 'hi' },
  };

  /** Pieces of text in the events of any protocol. */
  const piecesOf = (body: string): string =>
    [...body.matchAll(/^(?:data: )?(\{.*)$/gm)]
      .map(([, text]) => JSON.parse(text!))
      .map((event) => {
        const [choice] = event.choices ?? [];
        if (event.type === 'response.output_text.delta') return event.delta;
        return (
          choice?.delta?.content ??
          choice?.text ??
          event.delta?.text ??
          event.message?.content ??
          event.response
        );
      })
      .filter((text) => typeof text === 'string')
      .join('');

  it.each(Object.keys(streams))('is masked in the stream of %s, held back by sentence', async (path) => {
    const { app, key } = setUp([rule('off', 'mask')], pieces);
    const streamed = await send(app, path, key, { body: { ...streams[path], stream: true } });
    expect(piecesOf(streamed.body)).toBe('Write to [pii_exposure]. [weapons] And rest.');
    expect(streamed.body).not.toMatch(/a@|bomb/);
  });

  it.each(
    Object.entries({
      '/v1/chat/completions': '"finish_reason":"content_filter"',
      '/v1/responses': '"incomplete_details":{"reason":"content_filter"}',
      '/v1/messages': '"stop_reason":"refusal"',
      '/v1/completions': '"finish_reason":"content_filter"',
      '/api/chat': '"done_reason":"stop"',
      '/api/generate': '"done_reason":"stop"',
    }),
  )('is ended in the stream of %s', async (path, end) => {
    const { app, key } = setUp([{ ...rule('off', 'block'), categories: ['weapons'] }], pieces);
    const streamed = await send(app, path, key, { body: { ...streams[path], stream: true } });
    expect(piecesOf(streamed.body)).toBe('Write to a@b.my.');
    expect(streamed.body).toContain(end);
    expect(streamed.body).not.toContain('bomb');
  });

  it('loses no mark of its thinking, which is looked at alike', async () => {
    const thought = ['I could build', ' a bomb.</think>\n', 'No. ', 'Write to a@b.my.'];
    const { app, key } = setUp([rule('off', 'mask')], thought, 'open');
    const { message } = (await send(app, chat, key, { body: { model, messages: user } })).json().choices[0];
    expect(message).toMatchObject({
      content: 'No. Write to [pii_exposure].',
      reasoning_content: '[weapons]',
    });
    const blocking = setUp([rule('off', 'block')], thought, 'open');
    const blocked = (
      await send(blocking.app, chat, blocking.key, { body: { model, messages: user } })
    ).json();
    expect(blocked.choices[0]).toMatchObject({ finish_reason: 'content_filter', message: { content: '' } });
  });

  it('fails where nothing can moderate', async () => {
    const app = openTestApp({
      methods: { chat: { generate: function* () {} } },
      settings: { guardrails: [rule('block', 'block')] },
    });
    const response = await send(app, chat, app.key(), { body: { model, messages } });
    expect(response.statusCode).toBeGreaterThanOrEqual(500);
  });
});

it('a rule is that of the key, else of the pack with or without its version, else of all', () => {
  const keys = ['key_2', 'key_1'];
  const [ofAll, ofPack, ofVersion, ofKey] = ['*', 'tiny', 'big@2.0.0', 'key_1'].map((target) =>
    rule('mask', 'off', target),
  );
  const rules = [ofAll!, ofPack!, ofVersion!];
  expect(guardrailFor(rules, keys, 'tiny@1.0.0')).toBe(ofPack);
  expect(guardrailFor(rules, keys, 'big@2.0.0')).toBe(ofVersion);
  expect(guardrailFor(rules, keys, 'big@1.0.0')).toBe(ofAll);
  expect(guardrailFor(rules, keys, null)).toBe(ofAll);
  expect(guardrailFor([...rules, ofKey!], keys, 'tiny@1.0.0')).toBe(ofKey);
  expect(guardrailFor([ofAll!, rule('off', 'off', 'tiny')], keys, 'tiny@1.0.0')).toBeNull();
});
