import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { EngineList, RemoteEngine } from '../../server/api/console/engines.ts';
import { createFixtureEngines } from '../../server/services/fixtures/engines.ts';
import { codeOf, openTestApp, send, type TestApp } from '../support/app/test-app.ts';
import type { FakeMethods } from '../support/fake-engines.ts';

/** What a test key gets, from a live one: every service answers, and is known by its pack. */
function fixtures(): FakeMethods {
  const engines = createFixtureEngines();
  const call = (role: string, method: string) => (params: unknown) =>
    engines.call(role as never, method as never, params as never, {} as never);
  const stream = (role: string, method: string) => (params: unknown) =>
    engines.stream(role as never, method as never, params as never, {} as never);
  return {
    chat: { generate: stream('svc-lingua-7b', 'generate'), tokenize: call('svc-lingua-7b', 'tokenize') },
    embeddings: { embed: call('svc-embed-base', 'embed') },
    images: { analyze: stream('svc-vision-pro', 'analyze') },
    moderation: { classify: call('svc-shield-base', 'classify') },
    threat: { analyze: call('svc-guard-max', 'analyze') },
    documents: { parse: stream('svc-parse-pro', 'parse') },
  } as never;
}

const scopes = ['chat', 'images', 'moderations', 'documents', 'embeddings', 'models', 'upstream'] as const;

interface Back extends TestApp {
  url: string;
  secret: string;
  keyId: string;
}

async function startBack(methods = fixtures()): Promise<Back> {
  const test = openTestApp({ methods });
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = test.app.server.address() as AddressInfo;
  const { secret, id } = test.key({ name: 'front' });
  return { ...test, url: `http://127.0.0.1:${port}`, secret, keyId: id };
}

async function addLokal(front: TestApp, back: Pick<Back, 'url' | 'secret'>, name: string, more: object = {}) {
  const answer = await front.app.inject({
    method: 'POST',
    url: '/console/engines',
    headers: front.session(),
    payload: { name, kind: 'lokal', base_url: back.url, secret: back.secret, ...more },
  });
  return answer.json<RemoteEngine>();
}

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const weather = {
  type: 'function',
  function: {
    name: 'weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
const hello = [{ role: 'user', content: 'Say something about Kuching.' }];
const requests: [string, string, object][] = [
  ['chat', '/v1/chat/completions', { model: 'svc-lingua-7b', messages: hello, seed: 1 }],
  [
    'chat with a tool',
    '/v1/chat/completions',
    { model: 'svc-lingua-7b', messages: hello, tools: [weather], tool_choice: 'required' },
  ],
  [
    'chat with log probabilities',
    '/v1/chat/completions',
    { model: 'svc-lingua-7b', messages: hello, logprobs: true, top_logprobs: 2, n: 2 },
  ],
  ['messages', '/v1/messages', { model: 'svc-lingua-7b', messages: hello, max_tokens: 20 }],
  ['tokenize', '/v1/tokenize', { model: 'svc-lingua-7b', prompt: 'a few words', return_token_strs: true }],
  ['embeddings', '/v1/embeddings', { model: 'svc-embed-base', input: ['one', 'two'], task: 'query' }],
  ['rerank', '/v1/rerank', { model: 'svc-embed-base', query: 'one', documents: ['a', 'b'] }],
  ['images', '/v1/images/analyze', { model: 'svc-vision-pro', image: picture }],
  ['safety', '/v1/moderations', { input: 'some words fixture-flag:violence' }],
  [
    'safety of some categories',
    '/v1/moderations',
    { input: ['a', 'b'], categories: ['violence'], thresholds: { violence: 0.1 } },
  ],
  [
    'threats',
    '/v1/moderations',
    { model: 'svc-guard-max', input: 'Failed password for root from 203.0.113.7' },
  ],
  [
    'documents',
    '/v1/documents/parse',
    { model: 'svc-parse-pro', file: picture, template: 'invoice', output_format: 'text' },
  ],
];

/** Less what is each answer's own. */
function comparable(answer: { body: string }): unknown {
  const { id: _, created: __, ...rest } = JSON.parse(answer.body);
  const isCount = (value: unknown) => typeof value === 'number';
  return JSON.parse(
    JSON.stringify(rest, (key, value) =>
      key === 'embedding' || (key === 'relevance_score' && isCount(value)) ? undefined : value,
    ),
  );
}

/** A trial of the six takes its time. */
const few = {
  models: (['svc-shield-base', 'svc-guard-max', 'svc-embed-base'] as const).map((role) => ({
    role,
    model: role,
  })),
};

describe('Lokal before Lokal', () => {
  it('answers through the front as asked directly, all six services, each metered once', async () => {
    const back = await startBack();
    const front = openTestApp();
    const added = await addLokal(front, back, 'back');
    expect(added.trial).toMatchObject({ passed: true });
    expect(added.trial?.models.map(({ usable }) => usable)).toEqual([true, true, true, true, true, true]);
    const key = front.key({ scopes: [...scopes] });
    for (const [name, path, body] of requests) {
      const direct = await send(back, path, back, { body });
      const through = await send(front, path, key, { body });
      expect([name, direct.statusCode, through.statusCode, through.headers['x-lokal-upstream']]).toEqual([
        name,
        200,
        200,
        'back',
      ]);
      expect([name, comparable(through)]).toEqual([name, comparable(direct)]);
    }
    const metered = front.services.usage.report(1).reduce((sum, { requests: count }) => sum + count, 0);
    expect(metered).toBe(requests.length);
  }, 60_000);

  it('refuses in the other’s words, naming our fields', async () => {
    const back = await startBack();
    const front = openTestApp();
    await addLokal(front, back, 'back', few);
    const body = { model: 'svc-embed-base', input: ['word '.repeat(9_000)] };
    const answer = await send(front, '/v1/embeddings', front.key({ scopes: [...scopes] }), { body });
    expect(answer.json().error).toMatchObject({ code: 'input_too_long', param: 'input[0]' });
  });

  it('sees a key that is revoked there, and another Lokal answers', async () => {
    const [first, second, front] = [await startBack(), await startBack(), openTestApp()];
    await addLokal(front, first, 'first', few);
    await addLokal(front, second, 'second', few);
    const route = { role: 'svc-shield-base', mode: 'order', targets: ['first', 'second'], spill_over: null };
    await front.app.inject({
      method: 'PUT',
      url: '/console/engine-routes',
      headers: front.session(),
      payload: route,
    });
    first.services.keys.revoke(first.keyId, 'owner');
    const key = front.key({ scopes: [...scopes] });
    const answer = await send(front, '/v1/moderations', key, { body: { input: 'a' } });
    expect(answer.headers).toMatchObject({ 'x-lokal-upstream': 'second', 'x-lokal-attempts': '2' });
    const { data } = (
      await front.app.inject({ url: '/console/engines', headers: front.session() })
    ).json<EngineList>();
    expect(data.map(({ health }) => health.state)).toEqual(['misconfigured', 'healthy']);
  });

  it('refuses to lead in a circle', async () => {
    const back = await startBack();
    const front = openTestApp();
    await front.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = front.app.server.address() as AddressInfo;
    const { secret } = front.key({ scopes: [...scopes], name: 'back' });
    await addLokal(front, back, 'back', few);
    await addLokal(back, { url: `http://127.0.0.1:${port}`, secret }, 'front', few);
    // The back's key now may pass on what it is asked, and its engine leads to the front again.
    back.services.keys.update(back.keyId, { scopes: [...scopes] }, 'owner');
    const key = front.key({ scopes: [...scopes] });
    const answer = await send(front, '/v1/moderations', key, { body: { input: 'a' } });
    expect([answer.statusCode, codeOf(answer)]).toEqual([502, 'upstream_error']);
  });

  it('keeps templates and rules of this machine from being another’s', async () => {
    const back = await startBack();
    const front = openTestApp({ methods: fixtures() });
    await addLokal(front, back, 'back', few);
    front.stores.rulesOff.set(['some-rule'], true);
    const key = front.key({ scopes: [...scopes] });
    const body = { model: 'svc-guard-max', input: 'x' };
    const answer = await send(front, '/v1/moderations', key, { body });
    expect(answer.statusCode).toBe(503);
    expect(answer.json().error.message).toContain('rules of this machine');
  });
});
