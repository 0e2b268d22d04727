import { describe, expect, it } from 'vitest';
import { type OperationSpec, operations, splitOperation } from '../../server/api/operations.ts';
import { ApiError } from '../../server/errors.ts';
import { calmAnswer, codeOf, moderation, openTestApp, send, type TestApp } from '../support/app/test-app.ts';

const ask = (
  test: TestApp,
  path: string,
  sent: { method?: 'DELETE' | 'PATCH' | 'POST'; body?: object } = {},
) => send(test, path, null, { ...sent, headers: test.session() });

const consoleOperations = Object.entries<OperationSpec>(operations)
  .filter(([, { access }]) => access === 'console')
  .map(([key]) => key);

describe('the console session', () => {
  it('comes from a token, as a cookie and a secret of the page', async () => {
    const test = openTestApp();
    const token = test.services.sessions.issueToken();
    const answer = await send(test, '/console/session', null, { body: { token } });
    expect(answer.json()).toEqual({ secret: expect.stringMatching(/^[\w-]{43}$/), idle_seconds: 43_200 });
    const cookie = String(answer.headers['set-cookie']);
    expect(cookie).toMatch(/^lokal_session_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const headers = { cookie: cookie.split(';')[0]!, 'x-console-secret': answer.json().secret };
    expect((await send(test, '/console/state', null, { headers })).statusCode).toBe(200);
    expect(codeOf(await send(test, '/console/session', null, { body: { token } }))).toBe('session_required');
  });

  it('is not its cookie alone, on any route: cookies reach every port of this host', async () => {
    const test = openTestApp();
    const { cookie, 'x-console-secret': secret } = test.session();
    for (const key of consoleOperations) {
      const { method, path } = splitOperation(key);
      for (const headers of [
        { cookie },
        { 'x-console-secret': secret },
        { cookie, 'x-console-secret': cookie },
      ]) {
        const answer = await test.app.inject({ method: method as 'GET', url: path, headers });
        expect([key, answer.statusCode, codeOf(answer)]).toEqual([key, 401, 'session_required']);
      }
    }
    expect((await send(test, '/metrics', null, { headers: { cookie } })).statusCode).toBe(401);
    expect((await send(test, '/metrics', null, { headers: test.session() })).statusCode).toBe(200);
  });

  it('opens the documentation by a link, which carries its cookie alone', async () => {
    const test = openTestApp();
    const { cookie } = test.session();
    expect((await send(test, '/docs', null, { headers: { cookie } })).statusCode).toBe(200);
    expect((await send(test, '/docs', null, { headers: { cookie: 'lokal_session_0=x' } })).statusCode).toBe(
      401,
    );
    expect((await send(test, '/docs', null)).statusCode).toBe(401);
  });

  it('is listed, and ends by itself or another', async () => {
    const test = openTestApp();
    const [mine, other] = [test.session(), test.session()];
    const as = (headers: Record<string, string>, path: string, method?: 'DELETE') =>
      send(test, path, null, { headers, ...(method ? { method } : {}) });
    const { data } = (await as(mine, '/console/sessions')).json();
    expect(data).toHaveLength(2);
    expect(JSON.stringify(data)).not.toContain('hash');
    const { id } = data.find(({ current }: { current: boolean }) => !current);
    expect((await as(mine, `/console/sessions/${id}`, 'DELETE')).json()).toEqual({ ok: true });
    expect((await as(other, '/console/state')).statusCode).toBe(401);
    expect(codeOf(await as(mine, `/console/sessions/${id}`, 'DELETE'))).toBe('not_found');
    const out = await as(mine, '/console/session', 'DELETE');
    expect(out.headers['set-cookie']).toContain('lokal_session_0=; ');
    expect((await as(mine, '/console/state')).statusCode).toBe(401);
  });

  it('ends with all others, links not opened yet included', async () => {
    const test = openTestApp();
    const [mine, other] = [test.session(), test.session()];
    const token = test.services.sessions.issueToken();
    await send(test, '/console/sessions', null, { headers: mine, method: 'DELETE' });
    for (const headers of [mine, other])
      expect((await send(test, '/console/state', null, { headers })).statusCode).toBe(401);
    expect(codeOf(await send(test, '/console/session', null, { body: { token } }))).toBe('session_required');
  });

  it('takes the keys of its playground with it', async () => {
    const test = openTestApp();
    const headers = test.session();
    const { secret } = (
      await send(test, '/console/playground-key', null, { headers, method: 'POST' })
    ).json();
    expect((await send(test, '/v1/models', { secret })).statusCode).toBe(200);
    await send(test, '/console/session', null, { headers, method: 'DELETE' });
    expect(codeOf(await send(test, '/v1/models', { secret }))).toBe('invalid_api_key');
  });

  it('is what every route of the console wants, and a key is none', async () => {
    const test = openTestApp();
    for (const path of ['state', 'keys', 'usage', 'requests', 'events', 'packs', 'settings']) {
      expect((await send(test, `/console/${path}`, test.key())).statusCode, path).toBe(401);
    }
    expect(codeOf(await send(test, '/v1/models', null, { headers: test.session() }))).toBe('missing_api_key');
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another port of this machine', { origin: 'http://localhost:9999' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port, as the browser tells', { 'sec-fetch-site': 'same-site' }],
  ])('does not serve %s', async (_name, headers) => {
    const test = openTestApp();
    const sent = { headers: { ...test.session(), ...headers } };
    expect(codeOf(await send(test, '/console/state', null, sent))).toBe('session_required');
    const token = test.services.sessions.issueToken();
    const stolen = await send(test, '/console/session', null, { body: { token }, headers });
    expect(codeOf(stolen)).toBe('session_required');
  });

  it('serves its own pages', async () => {
    const test = openTestApp();
    const headers = {
      ...test.session(),
      host: 'localhost:80',
      origin: 'http://localhost:80',
      'sec-fetch-site': 'same-origin',
    };
    expect((await send(test, '/console/state', null, { headers })).statusCode).toBe(200);
  });
});

describe('the first run', () => {
  it('makes a live and a test key, once', async () => {
    const test = openTestApp();
    expect((await ask(test, '/console/state')).json()).toMatchObject({
      first_run: true,
      base_url: 'http://localhost/v1',
    });
    const keys = await ask(test, '/console/first-keys', { method: 'POST' });
    expect(keys.statusCode).toBe(201);
    const { live, test: sandbox } = keys.json();
    expect([live.class, live.plan, sandbox.class]).toEqual(['live', 'enterprise', 'test']);
    expect((await send(test, '/v1/models', live)).json().data).toHaveLength(6);
    expect((await ask(test, '/console/state')).json().first_run).toBe(false);
    expect(codeOf(await ask(test, '/console/first-keys', { method: 'POST' }))).toBe('conflict');
  });

  it('gives the playground a key that is nobody’s', async () => {
    const test = openTestApp({ methods: { moderation: { classify: () => calmAnswer } } });
    const { secret, expires } = (await ask(test, '/console/playground-key', { method: 'POST' })).json();
    expect(expires).toBe(test.clock.seconds + 3_600);
    expect((await send(test, '/v1/moderations', { secret }, { body: moderation })).statusCode).toBe(200);
    expect((await ask(test, '/console/keys')).json().data).toEqual([]);
    expect((await ask(test, '/console/state')).json().first_run).toBe(true);
    expect((await ask(test, '/console/usage')).json().data).toMatchObject([{ key_name: 'Playground' }]);
    test.clock.advance(3_600_000);
    expect(codeOf(await send(test, '/v1/models', { secret }))).toBe('expired_api_key');
  });
});

describe('managing keys', () => {
  it('creates, changes, rotates and revokes', async () => {
    const test = openTestApp();
    const created = await ask(test, '/console/keys', {
      body: { name: 'a', plan: 'professional', allowed_cidrs: ['10.9.8.7/8'] },
    });
    expect([created.statusCode, created.json().allowed_cidrs]).toEqual([201, ['10.0.0.0/8']]);
    const path = `/console/keys/${created.json().id}`;
    const changed = await ask(test, path, { method: 'PATCH', body: { name: 'b', allowed_cidrs: [] } });
    expect(changed.json()).toMatchObject({ name: 'b', allowed_cidrs: [] });
    const rotated = await ask(test, `${path}/rotate`, { body: { overlap_seconds: 60 } });
    expect([rotated.statusCode, rotated.json().name]).toEqual([201, 'b']);
    const revoked = await ask(test, path, { method: 'DELETE' });
    expect(revoked.json().status).toBe('revoked');
    expect((await ask(test, '/console/keys')).json().data).toHaveLength(2);
    expect(codeOf(await ask(test, '/console/keys/key_0', { method: 'DELETE' }))).toBe('not_found');
  });

  it('refuses a change of nothing and a class that changes', async () => {
    const test = openTestApp();
    const path = `/console/keys/${test.key().id}`;
    expect(codeOf(await ask(test, path, { method: 'PATCH', body: {} }))).toBe('invalid_value');
    expect(codeOf(await ask(test, path, { method: 'PATCH', body: { class: 'test' } }))).toBe(
      'unknown_parameter',
    );
  });
});

describe('activity', () => {
  it('lists requests under way before the finished ones', async () => {
    const answer = Promise.withResolvers<typeof calmAnswer>();
    const asked = Promise.withResolvers<void>();
    const classify = () => {
      asked.resolve();
      return answer.promise;
    };
    const test = openTestApp({ methods: { moderation: { classify: classify } } });
    const sent = send(test, '/v1/moderations', test.key(), { body: moderation });
    await asked.promise;
    const list = async () => (await ask(test, '/console/requests')).json().data;
    expect(await list()).toMatchObject([{ path: '/v1/moderations', status: null }]);
    answer.resolve(calmAnswer);
    await sent;
    expect(await list()).toMatchObject([{ path: '/v1/moderations', status: 200 }]);
  });

  it('shows requests without payloads, and clears them', async () => {
    const test = openTestApp({ methods: { moderation: { classify: () => calmAnswer } } });
    await send(test, '/v1/moderations?secret=1', test.key({ name: 'K' }), { body: moderation });
    await send(test, '/v1/nothing', null);
    await ask(test, '/console/state');
    const { data } = (await ask(test, '/console/requests')).json();
    expect(data).toMatchObject([
      { method: 'POST', path: '/v1/moderations', key_name: 'K', model: 'svc-shield-base', status: 200 },
    ]);
    expect(JSON.stringify(data)).not.toContain(moderation.input);
    expect((await ask(test, '/console/requests', { method: 'DELETE' })).json()).toEqual({ ok: true });
    expect((await ask(test, '/console/requests')).json().data).toEqual([]);
  });

  it('tells several texts, the name of a model that is none, and what was streamed', async () => {
    const test = openTestApp({ methods: { moderation: { classify: () => calmAnswer } } });
    const key = test.key({ name: 'K' });
    await send(test, '/v1/moderations', key, { body: { ...moderation, input: ['a', 'b', 'c'] } });
    await send(test, '/v1/embeddings', key, { body: { model: 'gpt-4o', input: 'x' } });
    const [asked, several] = (await ask(test, '/console/requests')).json().data;
    expect(asked).toMatchObject({ status: 404, code: 'model_not_found', asked: 'gpt-4o' });
    expect(several).toMatchObject({ status: 200, inputs: 3 });
    expect(several).not.toHaveProperty('streamed');
    expect(several).not.toHaveProperty('load_ms');
  });

  it('tells of requests as they start and end', async () => {
    const test = openTestApp();
    const stop = new AbortController();
    const reader = test.services.events.subscribe(stop.signal)[Symbol.asyncIterator]();
    const first = reader.next();
    await send(test, '/v1/models', test.key());
    expect((await first).value).toMatchObject({
      type: 'request',
      entry: { path: '/v1/models', status: null },
    });
    expect((await reader.next()).value).toMatchObject({
      entry: { status: 200, duration_ms: expect.any(Number) },
    });
    stop.abort();
  });
});

describe('settings', () => {
  it('act at once', async () => {
    const test = openTestApp();
    const { limits } = (await ask(test, '/console/settings')).json();
    const tight = { ...limits, enterprise: { ...limits.enterprise, requests_per_minute: 1 } };
    expect(
      (await ask(test, '/console/settings', { method: 'PATCH', body: { limits: tight } })).statusCode,
    ).toBe(200);
    const key = test.key();
    await send(test, '/v1/models', key);
    expect((await send(test, '/v1/models', key)).statusCode).toBe(429);
  });

  it.each([
    [{ max_queue: -1 }, 'invalid_value'],
    [{ cors_origins: ['*'] }, 'invalid_value'],
    [{ telemetry: true }, 'unknown_parameter'],
  ])('refuse %j', async (body, code) => {
    expect(codeOf(await ask(openTestApp(), '/console/settings', { method: 'PATCH', body }))).toBe(code);
  });
});

describe('packs', () => {
  it('pass refusals on', async () => {
    const refuse = () => {
      throw new ApiError('invalid_value', 'No.', { param: 'pack' });
    };
    const test = openTestApp({ packs: { bind: refuse, import: async () => refuse() } });
    const bind = await ask(test, '/console/packs/bind', { body: { role: 'svc-embed-base', pack: 'x' } });
    expect([bind.statusCode, bind.json().error.param]).toEqual([400, 'pack']);
    expect((await ask(test, '/console/packs/import', { body: { path: '/x' } })).statusCode).toBe(400);
    expect((await ask(test, '/console/packs')).json()).toEqual({ roles: [], packs: [] });
  });
});
