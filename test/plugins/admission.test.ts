import { describe, expect, it } from 'vitest';
import type { GenerateEvent } from '../../server/engine/chat/types.ts';
import type { ClassifyResult } from '../../server/engine/moderation/types.ts';
import { createSecret } from '../../server/services/keys/secret.ts';
import { calmAnswer, codeOf, moderation, openTestApp, send } from '../support/app/test-app.ts';

const calm = { moderation: { classify: () => calmAnswer } };

describe('keys on the API', () => {
  it.each([
    ['nothing', {}, 'missing_api_key'],
    ['another scheme', { authorization: 'Basic abc' }, 'missing_api_key'],
    ['a malformed key', { authorization: 'Bearer sk-svc-live-abc' }, 'invalid_api_key'],
    ['an unknown key', { authorization: `Bearer ${createSecret('live')}` }, 'invalid_api_key'],
  ])('%s is 401', async (_name, headers, code) => {
    const answer = await send(openTestApp(), '/v1/models', null, { headers });
    expect([answer.statusCode, codeOf(answer)]).toEqual([401, code]);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-f]+$/);
  });

  it('gives malformed and unknown keys the same words', async () => {
    const test = openTestApp();
    const bodies = await Promise.all(
      ['sk-svc-live-abc', createSecret('live')].map(
        async (secret) => (await send(test, '/v1/models', { secret })).body,
      ),
    );
    expect(bodies[0]).toBe(bodies[1]);
  });

  it('looks at the address, then at the key, then at the scope', async () => {
    const test = openTestApp();
    const key = test.key({ allowed_cidrs: ['10.0.0.0/8'], scopes: ['chat'] });
    const outside = await send(test, '/v1/models', key, { from: '192.168.0.1' });
    expect([outside.statusCode, codeOf(outside)]).toEqual([403, 'ip_not_allowed']);
    const inside = await send(test, '/v1/models', key, { from: '10.1.2.3' });
    expect([inside.statusCode, codeOf(inside)]).toEqual([403, 'insufficient_scope']);
    test.services.keys.revoke(key.id, 'owner');
    expect(codeOf(await send(test, '/v1/models', key, { from: '10.1.2.3' }))).toBe('revoked_api_key');
    expect(codeOf(await send(test, '/v1/models', key, { from: '192.168.0.1' }))).toBe('ip_not_allowed');
  });

  it('looks at the address and the key before the request’s own form', async () => {
    const test = openTestApp();
    const key = test.key({ allowed_cidrs: ['10.0.0.0/8'] });
    const headers = { 'content-type': 'text/plain', accept: 'text/html' };
    const ask = (who: { secret: string } | null, from: string) =>
      send(test, '/v1/moderations', who, { body: 'x', headers, from });
    expect(codeOf(await ask(key, '192.168.0.1'))).toBe('ip_not_allowed');
    expect(codeOf(await ask(null, '10.1.2.3'))).toBe('missing_api_key');
    expect((await ask(key, '10.1.2.3')).statusCode).toBe(406);
  });

  it('does not believe a forwarded address', async () => {
    const test = openTestApp();
    const key = test.key({ allowed_cidrs: ['10.0.0.0/8'] });
    const headers = { 'x-forwarded-for': '10.1.2.3', forwarded: 'for=10.1.2.3' };
    expect(codeOf(await send(test, '/v1/models', key, { headers, from: '192.168.0.1' }))).toBe(
      'ip_not_allowed',
    );
  });

  it('refuses before the body is read', async () => {
    const answer = await send(openTestApp(), '/v1/moderations', null, {
      body: '{broken',
      headers: { 'content-type': 'application/json' },
    });
    expect(codeOf(answer)).toBe('missing_api_key');
  });

  it('pins a region for enterprise keys', async () => {
    const test = openTestApp();
    const ask = (key: { secret: string }, region: string) =>
      send(test, '/v1/models', key, { headers: { 'x-service-region': region } });
    const pinned = await ask(test.key(), 'sg');
    expect([pinned.statusCode, pinned.headers['x-service-region']]).toEqual([200, 'sg']);
    expect((await ask(test.key(), 'us')).json().error).toMatchObject({
      code: 'invalid_value',
      param: 'X-Service-Region',
    });
    expect(codeOf(await ask(test.key({ plan: 'professional' }), 'sg'))).toBe('region_not_allowed');
  });
});

describe('rate limits', () => {
  const limits = (requests_per_minute: number, tokens_per_minute: number, concurrent = 8) => {
    const each = { requests_per_minute, tokens_per_minute, concurrent };
    return { limits: { free: each, professional: each, enterprise: each, test: each } };
  };

  it('count requests, say so, and refill', async () => {
    const test = openTestApp({ settings: limits(2, 100) });
    const key = test.key();
    const first = await send(test, '/v1/models', key);
    expect(first.headers).toMatchObject({
      'x-ratelimit-limit-requests': '2',
      'x-ratelimit-remaining-requests': '1',
      'x-ratelimit-reset-requests': '30s',
      'x-ratelimit-limit-tokens': '100',
      'x-ratelimit-remaining-tokens': '100',
      'x-ratelimit-reset-tokens': '0ms',
    });
    await send(test, '/v1/models', key);
    const third = await send(test, '/v1/models', key);
    expect([third.statusCode, codeOf(third)]).toEqual([429, 'rate_limit_error']);
    expect(third.headers).toMatchObject({
      'retry-after': '30',
      'retry-after-ms': '30000',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '1m0s',
    });
    test.clock.advance(29_999);
    expect((await send(test, '/v1/models', key)).statusCode).toBe(429);
    test.clock.advance(1);
    expect((await send(test, '/v1/models', key)).statusCode).toBe(200);
  });

  it('keep live keys apart and test keys together', async () => {
    const test = openTestApp({ settings: limits(1, 100) });
    const status = async (key: { secret: string }) => (await send(test, '/v1/models', key)).statusCode;
    expect(await status(test.key())).toBe(200);
    expect(await status(test.key())).toBe(200);
    expect(await status(test.key({ class: 'test' }))).toBe(200);
    expect(await status(test.key({ class: 'test' }))).toBe(429);
  });

  it('charge tokens after the work', async () => {
    const embed = () => ({ vectors: new Float32Array(1024), tokens: [60] });
    const test = openTestApp({ settings: limits(100, 100), methods: { embeddings: { embed: embed } } });
    const key = test.key();
    const ask = () => send(test, '/v1/embeddings', key, { body: { model: 'svc-embed-base', input: 'x' } });
    expect((await ask()).statusCode).toBe(200);
    expect((await ask()).headers['x-ratelimit-remaining-tokens']).toBe('40');
    const third = await ask();
    expect([third.statusCode, third.json().error.message]).toEqual([
      429,
      'Rate limit reached: 100 tokens per minute.',
    ]);
    expect((await send(test, '/v1/models', key)).statusCode).toBe(200);
  });

  it('let requests beyond the concurrency wait, and refuse beyond the queue', async () => {
    const started: (() => void)[] = [];
    const methods = {
      moderation: {
        classify: () => new Promise<ClassifyResult>((resolve) => started.push(() => resolve(calmAnswer))),
      },
    };
    const test = openTestApp({ settings: { ...limits(100, 1_000, 1), max_queue: 1 }, methods });
    const key = test.key();
    const first = send(test, '/v1/moderations', key, { body: moderation });
    await until(() => started.length === 1);
    const second = send(test, '/v1/moderations', key, { body: moderation });
    await until(() => test.services.concurrency.tryAcquire(key as never) === null);
    const third = await send(test, '/v1/moderations', key, { body: moderation });
    expect([third.statusCode, codeOf(third)]).toEqual([429, 'rate_limit_error']);
    expect(third.headers['retry-after']).toBe('1');
    started[0]!();
    expect((await first).statusCode).toBe(200);
    await until(() => started.length === 2);
    started[1]!();
    expect((await second).statusCode).toBe(200);
  });
});

describe('a stream beyond the concurrency', () => {
  const chat = { model: 'svc-lingua-7b', messages: [{ role: 'user', content: 'x' }] };
  const each = { requests_per_minute: 100, tokens_per_minute: 100, concurrent: 1 };
  const settings = { limits: { free: each, professional: each, enterprise: each, test: each }, max_queue: 1 };

  it.each([true, false])('waits for its turn after its body is read, streamed or not: %s', async (stream) => {
    const started: (() => void)[] = [];
    const generate = async function* (): AsyncGenerator<GenerateEvent> {
      await new Promise<void>((resolve) => started.push(resolve));
      yield { kind: 'prompt', tokens: 1 };
      yield { kind: 'finish', choice: 0, reason: 'stop', tokens: 0 };
    };
    const test = openTestApp({ settings, methods: { chat: { generate } } });
    const key = test.key();
    const ask = (body: object) => send(test, '/v1/chat/completions', key, { body });
    const first = ask({ ...chat, stream });
    await until(() => started.length === 1);
    const wrong = await ask({ ...chat, stream, temperature: 9 });
    expect(codeOf(wrong)).toBe('invalid_value');
    const second = ask({ ...chat, stream });
    await until(() => test.services.concurrency.tryAcquire(key as never) === null);
    const third = await ask({ ...chat, stream });
    expect(codeOf(third)).toBe('rate_limit_error');
    expect(started).toHaveLength(1);
    started[0]!();
    expect((await first).statusCode).toBe(200);
    await until(() => started.length === 2);
    started[1]!();
    expect((await second).statusCode).toBe(200);
  });
});

describe('revocation', () => {
  it('ends running and waiting requests of the key, and no others', async () => {
    const running: string[] = [];
    const methods = {
      moderation: {
        classify: ({ text }: { text: string }) =>
          new Promise<ClassifyResult>((resolve) => {
            running.push(text);
            if (text === 'other') resolve(calmAnswer);
          }),
      },
    };
    const each = { requests_per_minute: 100, tokens_per_minute: 100, concurrent: 1 };
    const test = openTestApp({
      methods,
      settings: { limits: { free: each, professional: each, enterprise: each, test: each } },
    });
    const key = test.key();
    const ask = (who: { secret: string }, input: string) =>
      send(test, '/v1/moderations', who, { body: { ...moderation, input } });
    const first = ask(key, 'running');
    await until(() => running.length === 1);
    const second = ask(key, 'waiting');
    await new Promise((resolve) => setTimeout(resolve, 50));
    test.services.keys.revoke(key.id, 'owner');
    expect([codeOf(await first), codeOf(await second)]).toEqual(['revoked_api_key', 'revoked_api_key']);
    expect((await first).statusCode).toBe(401);
    expect((await ask(test.key(), 'other')).statusCode).toBe(200);
    expect(running).toEqual(['running', 'other']);
  });

  it('by another process ends what runs as well', async () => {
    const methods = { moderation: { classify: () => new Promise<never>(() => {}) } };
    const test = openTestApp({ methods });
    const key = test.key();
    const answer = send(test, '/v1/moderations', key, { body: moderation });
    await new Promise((resolve) => setTimeout(resolve, 50));
    openTestApp({ file: test.file }).services.keys.revoke(key.id, 'owner');
    expect(codeOf(await answer)).toBe('revoked_api_key');
  });
});

describe('metering', () => {
  it('is for live keys, by key and model', async () => {
    const embed = () => ({ vectors: new Float32Array(1024), tokens: [5] });
    const test = openTestApp({ methods: { embeddings: { embed: embed }, ...calm } });
    const live = test.key({ name: 'Live one' });
    const body = { model: 'svc-embed-base', input: 'x' };
    await send(test, '/v1/embeddings', live, { body });
    await send(test, '/v1/embeddings', live, { body: { ...body, input: '' } });
    await send(test, '/v1/models', live);
    await send(test, '/v1/embeddings', test.key({ class: 'test' }), { body });
    test.services.keys.revoke(live.id, 'owner');
    expect(test.services.usage.report(30)).toEqual([
      expect.objectContaining({
        key_id: live.id,
        key_name: 'Live one',
        model: 'svc-embed-base',
        requests: 1,
        prompt_tokens: 5,
      }),
    ]);
  });

  it('names pack and provider in the answer', async () => {
    const test = openTestApp({ methods: calm });
    const { headers } = await send(test, '/v1/moderations', test.key(), { body: moderation });
    expect(headers).toMatchObject({ 'x-model-pack': 'fake@1', 'x-execution-provider': 'cpu' });
    expect(headers['x-processing-ms']).toMatch(/^\d+$/);
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
