import { describe, expect, it } from 'vitest';
import { createClient, toPath } from '../../renderer/src/api/client.ts';
import { mayPass, offlineCode, Problem, unreadableCode } from '../../renderer/src/api/problem.ts';
import { fakeTransport, problem } from './support/fake-transport.ts';

const far = Math.floor(Date.now() / 1000) + 3600;
const models = { object: 'list' as const, data: [] };

async function caught(promise: Promise<unknown>): Promise<Problem> {
  const error = await promise.catch((reason: unknown) => reason);
  if (!(error instanceof Problem)) throw new Error(`expected a Problem, got ${String(error)}`);
  return error;
}

describe('toPath', () => {
  it('fills the segments in, encoded', () => {
    expect(toPath('POST /console/keys/{id}/rotate', { id: 'a/b' })).toEqual({
      method: 'POST',
      path: '/console/keys/a%2Fb/rotate',
    });
  });
});

describe('console calls', () => {
  it('carry no key, and give the answer with its request id', async () => {
    const { transport, asked } = fakeTransport({ 'GET /console/keys': () => models });
    const answer = await createClient(transport).call('GET /console/keys');
    expect(answer).toMatchObject({ data: models, requestId: 'req_1' });
    expect(asked[0]?.headers.has('authorization')).toBe(false);
  });

  it('send bodies as JSON and say so', async () => {
    const { transport, asked } = fakeTransport({
      'POST /console/session': () => ({ secret: 's', idle_seconds: 1 }),
    });
    await createClient(transport).call('POST /console/session', { body: { token: 't' } });
    expect(asked[0]).toMatchObject({ body: { token: 't' } });
    expect(asked[0]?.headers.get('content-type')).toBe('application/json');
  });

  it('become problems with code, field and request id', async () => {
    const { transport } = fakeTransport({
      'GET /console/keys': () =>
        problem(429, 'rate_limit_error', { param: 'x', headers: { 'retry-after': '2' } }),
    });
    const error = await caught(createClient(transport).call('GET /console/keys'));
    expect(error).toMatchObject({
      status: 429,
      code: 'rate_limit_error',
      param: 'x',
      requestId: 'req_2',
      retryAfterMs: 2000,
      message: 'says rate_limit_error',
    });
  });

  it('tell a server that does not answer from one that answers nonsense', async () => {
    const dead = createClient(() => Promise.reject(new TypeError('Failed to fetch')));
    expect((await caught(dead.call('GET /console/keys'))).code).toBe(offlineCode);
    const proxy = createClient(
      async () => new Response('<html>', { status: 502, statusText: 'Bad Gateway' }),
    );
    expect(await caught(proxy.call('GET /console/keys'))).toMatchObject({
      code: unreadableCode,
      message: '502 Bad Gateway',
    });
  });

  it('pass an abort on as what it is', async () => {
    const { transport } = fakeTransport({ 'GET /console/keys': () => models });
    const call = createClient(transport).call('GET /console/keys', { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('API calls', () => {
  it('fetch one playground key, also for calls that start together', async () => {
    const { transport, asked } = fakeTransport({
      'POST /console/playground-key': () => ({ secret: 's1', expires: far }),
      'GET /v1/models': () => models,
    });
    const client = createClient(transport);
    await Promise.all([client.call('GET /v1/models'), client.call('GET /v1/models')]);
    expect(asked.map(({ operation }) => operation)).toEqual([
      'POST /console/playground-key',
      'GET /v1/models',
      'GET /v1/models',
    ]);
    expect(asked.at(-1)?.headers.get('authorization')).toBe('Bearer s1');
  });

  it('renew the key once on 401, and before its end', async () => {
    let issued = 0;
    const { transport, asked } = fakeTransport({
      'POST /console/playground-key': () => {
        issued += 1;
        return { secret: `s${issued}`, expires: issued === 1 ? far : 1 };
      },
      'GET /v1/models': (_, headers) =>
        headers.get('authorization') === 'Bearer s1' ? problem(401, 'expired_api_key') : models,
    });
    const client = createClient(transport);
    await client.call('GET /v1/models');
    expect(issued).toBe(2);
    await client.call('GET /v1/models');
    expect(issued).toBe(3);
    expect(asked.at(-1)?.headers.get('authorization')).toBe('Bearer s3');
  });

  it('give up after the second 401', async () => {
    const { transport, asked } = fakeTransport({
      'POST /console/playground-key': () => ({ secret: 's', expires: far }),
      'GET /v1/models': () => problem(401, 'invalid_api_key'),
    });
    expect((await caught(createClient(transport).call('GET /v1/models'))).status).toBe(401);
    expect(asked).toHaveLength(4);
  });

  it('carry the request id that progress is told by', async () => {
    const { transport, asked } = fakeTransport({
      'POST /console/playground-key': () => ({ secret: 's', expires: far }),
      'GET /v1/models': () => models,
    });
    await createClient(transport).call('GET /v1/models', { requestId: 'mine' });
    expect(asked.at(-1)?.headers.get('x-request-id')).toBe('mine');
  });
});

it('another try is offered for what may pass, and for nothing that is refused for good', () => {
  const of = (status: number) => mayPass(new Problem('no', { status, code: 'x' }));
  expect([of(0), of(200), of(429), of(503)]).toEqual([true, true, true, true]);
  expect([of(400), of(404), of(413), of(422)]).toEqual([false, false, false, false]);
});
