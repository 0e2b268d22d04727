import { describe, expect, it } from 'vitest';
import type { ClassifyResult } from '../../server/engine/moderation/types.ts';
import { ApiError } from '../../server/errors.ts';
import { calmAnswer, codeOf, moderation, openTestApp, send, type TestApp } from '../support/app/test-app.ts';

const withKey = (name: string) => ({ 'idempotency-key': name });
const ask = (test: TestApp, key: { secret: string }, body: object = moderation, name = 'once') =>
  send(test, '/v1/moderations', key, { body, headers: withKey(name) });

/** A fake engine that counts. */
function counting(answer: () => ClassifyResult | Promise<ClassifyResult> = () => calmAnswer) {
  const calls: unknown[] = [];
  const classify = (params: unknown) => {
    calls.push(params);
    return answer();
  };
  return { calls, methods: { moderation: { classify: classify } } };
}

describe('Idempotency-Key', () => {
  it('replays status and bytes without running again', async () => {
    const { calls, methods } = counting();
    const test = openTestApp({ methods });
    const key = test.key();
    const first = await ask(test, key);
    const second = await ask(test, key);
    expect(calls).toHaveLength(1);
    expect(second.rawPayload).toEqual(first.rawPayload);
    expect(second.headers).toMatchObject({
      'idempotent-replayed': 'true',
      'content-type': first.headers['content-type'],
      'x-model-pack': 'fake@1',
    });
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(test.services.usage.report(1)).toMatchObject([{ requests: 1 }]);
    expect(test.services.requestLog.latest(1)).toMatchObject([{ replayed: true, status: 200 }]);
  });

  it('runs one of two at once and tells the other to wait', async () => {
    let finish = () => {};
    const { calls, methods } = counting(
      () => new Promise<ClassifyResult>((resolve) => (finish = () => resolve(calmAnswer))),
    );
    const test = openTestApp({ methods });
    const key = test.key();
    const both = [ask(test, key), ask(test, key)];
    const early = await Promise.race(both);
    expect([early.statusCode, codeOf(early), early.headers['retry-after']]).toEqual([
      409,
      'idempotency_in_progress',
      '1',
    ]);
    finish();
    expect((await Promise.all(both)).map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect(calls).toHaveLength(1);
  });

  it('refuses another body, also while the first runs', async () => {
    const { methods } = counting();
    const test = openTestApp({ methods });
    const key = test.key();
    await ask(test, key);
    const other = await ask(test, key, { ...moderation, input: 'other' });
    expect([other.statusCode, codeOf(other)]).toEqual([422, 'idempotency_key_reused']);
    expect((await ask(test, test.key(), { ...moderation, input: 'other' })).statusCode).toBe(200);
  });

  it('does not keep refusals of the request', async () => {
    const { calls, methods } = counting();
    const test = openTestApp({ methods });
    const key = test.key();
    expect((await ask(test, key, { ...moderation, model: 'nothing' })).statusCode).toBe(404);
    expect((await ask(test, key, { ...moderation, extra: 1 })).statusCode).toBe(400);
    expect((await ask(test, key)).statusCode).toBe(200);
    expect(calls).toHaveLength(1);
  });

  it('keeps a failure of work that ran, and none that a later try may mend', async () => {
    let failure = new ApiError('internal_error', 'It failed.');
    const { calls, methods } = counting(() => Promise.reject(failure));
    const test = openTestApp({ methods });
    const key = test.key();
    expect((await ask(test, key)).statusCode).toBe(500);
    const replay = await ask(test, key);
    expect([replay.statusCode, codeOf(replay), replay.headers['idempotent-replayed']]).toEqual([
      500,
      'internal_error',
      'true',
    ]);
    expect(calls).toHaveLength(1);
    for (const code of ['model_loading', 'engine_crashed', 'server_overloaded'] as const) {
      const before = calls.length;
      failure = new ApiError(code, 'Wait.');
      await ask(test, key, moderation, code);
      const again = await ask(test, key, moderation, code);
      expect([again.headers['idempotent-replayed'], calls.length - before]).toEqual([undefined, 2]);
    }
  });

  it('replays a stream as the same events, once it was whole', async () => {
    const test = openTestApp();
    const key = test.key({ class: 'test' });
    const stream = (name: string, user?: string) =>
      send(test, '/v1/chat/completions', key, {
        body: {
          model: 'svc-lingua-7b',
          stream: true,
          messages: [{ role: 'user', content: 'hi' }],
          ...(user ? { user } : {}),
        },
        headers: withKey(name),
      });
    const first = await stream('s');
    const second = await stream('s');
    expect(first.headers['content-type']).toContain('text/event-stream');
    expect(first.body).toContain('data: [DONE]');
    expect(second.body).toBe(first.body);
    expect(second.headers).toMatchObject({
      'idempotent-replayed': 'true',
      'content-type': first.headers['content-type'],
    });
  });

  it.each(['', 'x'.repeat(65), 'schlüssel', 'a\tb'])('refuses the key %j', async (name) => {
    const test = openTestApp();
    const answer = await ask(test, test.key(), moderation, name);
    expect([answer.statusCode, answer.json().error.param]).toEqual([400, 'Idempotency-Key']);
  });

  it('takes 64 printable characters', async () => {
    const test = openTestApp({ methods: counting().methods });
    expect((await ask(test, test.key(), moderation, `~ ${'!'.repeat(62)}`)).statusCode).toBe(200);
  });

  it('covers key management, whose secret is then the same', async () => {
    const test = openTestApp();
    const key = test.key({ scopes: ['keys', 'chat'] });
    const create = () =>
      send(test, '/v1/keys', key, { body: { name: 'n', scopes: ['chat'] }, headers: withKey('k') });
    const first = await create();
    expect(first.statusCode).toBe(201);
    expect((await create()).json().secret).toBe(first.json().secret);
    expect(test.services.keys.list('owner')).toHaveLength(2);
  });

  it.each([
    ['POST', (id: string) => `/v1/keys/${id}/rotate`, { overlap_seconds: 60 }],
    ['PATCH', (id: string) => `/v1/keys/${id}`, { name: 'renamed' }],
    ['DELETE', (id: string) => `/v1/keys/${id}`, undefined],
  ] as const)('covers %s of keys', async (method, path, body) => {
    const test = openTestApp();
    const key = test.key({ scopes: ['keys', 'chat'] });
    const { id } = test.key({ scopes: ['chat'] });
    const change = () => send(test, path(id), key, { method, body, headers: withKey('k') });
    const first = await change();
    expect(first.statusCode).toBeLessThan(300);
    const keys = test.services.keys.list('owner').length;
    const repeat = await change();
    expect([repeat.statusCode, repeat.body, repeat.headers['idempotent-replayed']]).toEqual([
      first.statusCode,
      first.body,
      'true',
    ]);
    expect(test.services.keys.list('owner')).toHaveLength(keys);
  });

  it('makes a key and keeps its answer, or does neither', async () => {
    const test = openTestApp();
    const key = test.key({ scopes: ['keys', 'chat'] });
    const create = () =>
      send(test, '/v1/keys', key, { body: { name: 'n', scopes: ['chat'] }, headers: withKey('k') });
    test.db.exec(
      "CREATE TRIGGER full BEFORE INSERT ON idempotency BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
    );
    const refused = await create();
    expect(refused.statusCode).toBeGreaterThanOrEqual(500);
    expect(test.stores.keys.all()).toHaveLength(1);
    expect(test.services.keys.list('owner')).toHaveLength(1);
    test.db.exec('DROP TRIGGER full');
    const made = await create();
    expect([made.statusCode, made.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect((await create()).body).toBe(made.body);
    expect(test.stores.keys.all()).toHaveLength(2);
  });

  it('says 503 when the disk is full, and keeps nothing of it', async () => {
    const test = openTestApp();
    const key = test.key({ scopes: ['keys', 'chat'] });
    const create = () =>
      send(test, '/v1/keys', key, {
        body: { name: 'n'.repeat(90), scopes: ['chat'] },
        headers: withKey('k'),
      });
    const pages = test.db.pragma('page_count', { simple: true });
    test.db.pragma(`max_page_count = ${pages}`);
    let full = await create();
    for (let tries = 0; full.statusCode === 201 && tries < 200; tries += 1) {
      full = await send(test, '/v1/keys', key, {
        body: { name: 'n'.repeat(90), scopes: ['chat'] },
        headers: withKey(`k${tries}`),
      });
    }
    expect([full.statusCode, codeOf(full)]).toEqual([503, 'server_overloaded']);
    expect(test.stores.keys.all()).toHaveLength(test.services.keys.list('owner').length);
  });

  it('survives a restart', async () => {
    const { methods, calls } = counting();
    const installKey = Buffer.alloc(32, 7);
    const test = openTestApp({ methods, installKey });
    const key = test.key();
    const first = await ask(test, key);
    await test.app.close();
    const again = openTestApp({ methods, installKey, file: test.file });
    expect((await ask(again, key)).body).toBe(first.body);
    expect(calls).toHaveLength(1);
  });
});
