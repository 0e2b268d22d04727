/** Personal data on its way to a remote engine and back: what leaves, what the caller reads, and what cuts between. */
import { describe, expect, it } from 'vitest';
import type { GenerateEvent } from '../../server/engine/chat/types.ts';
import { RestoringText, restoredChat } from '../../server/engines/pseudonyms/restoring.ts';
import { openTestApp, send, type TestApp } from '../support/app/test-app.ts';
import {
  chunk,
  event,
  openStream,
  type ScriptedEngine,
  startScriptedEngine,
} from '../support/engines/scripted-engine.ts';
import type { FakeMethods } from '../support/fake-engines.ts';

const secret = 'sk-their-own-secret-0001';

/** Finds e-mail addresses, and numbers with dashes or of eight digits. */
const shield: FakeMethods = {
  moderation: {
    classify: ({ text }) => {
      const found = [
        ...[...text.matchAll(/[a-z."\\]+@[a-z.]+[a-z]/gi)].map((match) => ({ match, kind: 'email' })),
        ...[...text.matchAll(/\d{3}-\d{7}|\b\d{8}\b/g)].map((match) => ({ match, kind: 'phone' })),
      ];
      const spans = found.map(({ match, kind }) => ({
        category: 'pii_exposure' as const,
        start: match.index,
        end: match.index + match[0].length,
        kind,
      }));
      return { flagged: spans.length > 0, scores: {}, flaggedCategories: {}, spans };
    },
  },
};

async function open({ on = true, methods = shield }: { on?: boolean; methods?: FakeMethods } = {}) {
  const test = openTestApp({ methods });
  const engine = await startScriptedEngine({ secret });
  const answer = await test.app.inject({
    method: 'POST',
    url: '/console/engines',
    headers: test.session(),
    payload: {
      name: 'far',
      kind: 'openai',
      base_url: engine.url,
      secret,
      pseudonyms: on,
      models: ['svc-lingua-7b', 'svc-embed-base'].map((role) => ({ role, model: 'tiny' })),
    },
  });
  expect(answer.json()).toMatchObject({ pseudonyms: on, trial: { passed: true } });
  engine.requests.length = 0;
  return { test, engine, key: test.key({ scopes: ['chat', 'embeddings', 'upstream'] }) };
}

/** The engine writes these pieces and stops. */
const says = (engine: ScriptedEngine, pieces: string[]) =>
  engine.behave((_, response) => {
    openStream(response);
    for (const content of pieces) response.write(event(chunk({ content })));
    response.write(event(chunk({}, 'stop')));
    response.end('data: [DONE]\n\n');
    return true;
  });

const chat = (test: TestApp, key: { secret: string }, messages: object[], more: object = {}) =>
  send(test, '/v1/chat/completions', key, { body: { model: 'svc-lingua-7b', messages, ...more } });

const contentsOf = (body: string): string[] =>
  body
    .split('\n\n')
    .filter((each) => each.startsWith('data: {'))
    .flatMap((each) => JSON.parse(each.slice(6)).choices[0]?.delta.content ?? []);

const letter = 'Write to ana@example.com or ben@example.com, not to ANA@example.com.';

describe('an engine that sees pseudonyms', () => {
  it('gets one for each value, and its answer has the values again', async () => {
    const { test, engine, key } = await open();
    says(engine, ['Dear [EMAIL_2], [EMAIL_1] and [EMAIL_3] wrote.']);
    const answer = await chat(test, key, [{ role: 'user', content: letter }]);
    const [asked] = engine.requests;
    expect(asked!.body.messages[0].content).toBe('Write to [EMAIL_1] or [EMAIL_2], not to [EMAIL_1].');
    expect(answer.json().choices[0].message.content).toBe(
      'Dear ben@example.com, ana@example.com and [EMAIL_3] wrote.',
    );
    expect(answer.headers).toMatchObject({ 'x-lokal-upstream': 'far', 'x-lokal-pseudonyms': '2' });
    const [entry] = test.services.requestLog.latest(1);
    expect(entry?.attempts).toMatchObject([{ target: 'far', pseudonyms: 2 }]);
    expect(JSON.stringify(entry) + test.log.join()).not.toContain('example.com');
  });

  it('is off unless asked for, and says so by its absence', async () => {
    const { test, engine, key } = await open({ on: false });
    const answer = await chat(test, key, [{ role: 'user', content: letter }]);
    expect(engine.requests[0]!.body.messages[0].content).toBe(letter);
    expect(answer.headers['x-lokal-pseudonyms']).toBeUndefined();
  });

  it('cuts a pseudonym anywhere in a stream, and nothing but its beginning waits', async () => {
    const { test, engine, key } = await open();
    says(engine, ['a [', 'EMA', 'IL_1', '] b [x', '] c [EMAIL_1', '0] [EMAIL_', '1', ']', ' [EM']);
    const body = { stream: true };
    const answer = await chat(test, key, [{ role: 'user', content: letter }], body);
    const contents = contentsOf(answer.body);
    expect(contents.join('')).toBe('a ana@example.com b [x] c [EMAIL_10] ana@example.com [EM');
    expect(contents.find((each) => each !== '')).toBe('a ');
    expect(answer.headers['x-lokal-pseudonyms']).toBe('2');
  });

  it('does not take what a prompt says by itself for a pseudonym', async () => {
    const { test, engine, key } = await open();
    says(engine, ['[EMAIL_1] is yours, [EMAIL_2] is theirs']);
    const answer = await chat(test, key, [
      { role: 'system', content: 'Say [EMAIL_1] for any address.' },
      { role: 'user', content: 'ana@example.com' },
    ]);
    expect(engine.requests[0]!.body.messages.map(({ content }: { content: string }) => content)).toEqual([
      'Say [EMAIL_1] for any address.',
      '[EMAIL_2]',
    ]);
    expect(answer.json().choices[0].message.content).toBe('[EMAIL_1] is yours, ana@example.com is theirs');
  });

  it('gets and gives arguments of tools as JSON, whatever stands in a value', async () => {
    const { test, engine, key } = await open();
    const odd = '"a\\na@example.com';
    const mail = {
      type: 'function',
      function: { name: 'mail', parameters: { type: 'object', properties: { to: { type: 'string' } } } },
    };
    engine.behave((_, response) => {
      openStream(response);
      const write = (call: object) => response.write(event(chunk({ tool_calls: [{ index: 0, ...call }] })));
      write({ id: 'c1', type: 'function', function: { name: 'mail', arguments: '{"to":"[EMA' } });
      write({ function: { arguments: 'IL_1]","n":1' } });
      write({ function: { arguments: '}' } });
      response.write(event(chunk({}, 'tool_calls')));
      response.end('data: [DONE]\n\n');
      return true;
    });
    const call = (args: object) => ({
      id: 'c0',
      type: 'function',
      function: { name: 'mail', arguments: JSON.stringify(args) },
    });
    const answer = await chat(
      test,
      key,
      [
        { role: 'user', name: 'Ana', content: [{ type: 'text', text: 'Mail her.' }] },
        { role: 'assistant', content: null, tool_calls: [call({ to: odd, phone: 12345678, at: 5 })] },
        { role: 'tool', tool_call_id: 'c0', content: 'sent; call 012-3456789' },
      ],
      { tools: [mail] },
    );
    const [user, assistant, tool] = engine.requests[0]!.body.messages;
    expect(user).toEqual({ role: 'user', content: [{ type: 'text', text: 'Mail her.' }] });
    const sent = JSON.parse(assistant.tool_calls[0].function.arguments);
    expect(sent).toMatchObject({ phone: expect.stringMatching(/^\[PHONE_\d\]$/), at: 5 });
    expect(sent.to).toMatch(/^\[EMAIL_\d\]$/);
    expect(tool.content).toMatch(/^sent; call \[PHONE_\d\]$/);
    expect(JSON.stringify(engine.requests[0]!.body)).not.toMatch(/example|345678/);
    const [made] = answer.json().choices[0].message.tool_calls;
    expect(Object.keys(JSON.parse(made.function.arguments))).toEqual(['to', 'n']);
    expect(JSON.parse(made.function.arguments).to).toContain('@example.com');
  });

  it('holds an answer by schema to the values that were put back', async () => {
    const { test, engine, key } = await open();
    says(engine, ['{"to":"[EMAIL', '_1]"}']);
    const schema = {
      type: 'object',
      properties: { to: { type: 'string', pattern: '@' } },
      required: ['to'],
    };
    const answer = await chat(test, key, [{ role: 'user', content: letter }], {
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
    });
    expect(answer.json().choices[0].message.content).toBe('{"to":"ana@example.com"}');
  });

  it('sees texts to embed with digests, the same in each request', async () => {
    const { test, engine, key } = await open();
    const embed = (input: string) =>
      send(test, '/v1/embeddings', key, { body: { model: 'svc-embed-base', input } });
    const answer = await embed('from ana@example.com');
    await embed('to ANA@example.com and ben@example.com');
    expect(answer.headers['x-lokal-pseudonyms']).toBe('1');
    const [first, second] = engine.requests.map(({ body }) => body.input[0] as string);
    const [sign] = first!.match(/\[EMAIL_[0-9a-f]{8}\]/)!;
    expect(first).toBe(`from ${sign}`);
    expect(second).toMatch(/^to \[EMAIL_[0-9a-f]{8}\] and \[EMAIL_[0-9a-f]{8}\]$/);
    expect(second).toContain(sign);
  });

  it('is not asked at all where nobody here finds what to hide', async () => {
    const { test, engine, key } = await open({
      methods: {
        moderation: {
          classify: () => {
            throw new Error('the shield is broken');
          },
        },
      },
    });
    const answer = await chat(test, key, [{ role: 'user', content: letter }]);
    expect(answer.statusCode).toBeGreaterThanOrEqual(500);
    expect(engine.requests).toEqual([]);
  });
});

describe('a text that is put back piece by piece', () => {
  const values = new Map([
    ['[EMAIL_1]', 'ana "the first" [EMAIL_2]'],
    ['[EMAIL_2]', 'ben\n'],
  ]);
  const whole = 'x [EMAIL_1][EMAIL_2] [[EMAIL_1] [EMAIL_3] [EMAIL_12]';

  it.each([
    [false, 'x ana "the first" [EMAIL_2]ben\n [ana "the first" [EMAIL_2] [EMAIL_3] [EMAIL_12]'],
    [true, 'x ana \\"the first\\" [EMAIL_2]ben\\n [ana \\"the first\\" [EMAIL_2] [EMAIL_3] [EMAIL_12]'],
  ])('is the same however it is cut (as JSON: %s)', (json, wanted) => {
    for (let first = 0; first <= whole.length; first += 1)
      for (let second = first; second <= whole.length; second += 1) {
        const text = new RestoringText({ values, json });
        const parts = [whole.slice(0, first), whole.slice(first, second), whole.slice(second)];
        expect(parts.map((part) => text.push(part)).join('') + text.end()).toBe(wanted);
      }
  });

  it('ends before its choice does, log probabilities and other choices untouched', async () => {
    const scores = [{ token: '[', logprob: -1, bytes: null, top: [] }];
    async function* events(): AsyncGenerator<GenerateEvent> {
      yield { kind: 'prompt', tokens: 1 };
      yield { kind: 'text', choice: 0, text: '[EMAIL_', scores };
      yield { kind: 'text', choice: 1, text: 'plain' };
      yield { kind: 'finish', choice: 0, reason: 'length', tokens: 1 };
    }
    const seen: GenerateEvent[] = [];
    for await (const each of restoredChat(events(), { values, json: false })) seen.push(each);
    expect(seen).toEqual([
      { kind: 'prompt', tokens: 1 },
      { kind: 'text', choice: 0, text: '', scores },
      { kind: 'text', choice: 1, text: 'plain' },
      { kind: 'text', choice: 0, text: '[EMAIL_' },
      { kind: 'finish', choice: 0, reason: 'length', tokens: 1 },
    ]);
  });
});
