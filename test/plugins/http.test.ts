import { describe, expect, it } from 'vitest';
import { calmAnswer, codeOf, moderation, openTestApp, send } from '../support/app/test-app.ts';

const json = { 'content-type': 'application/json' };
const calm = { moderation: { classify: () => calmAnswer } };

describe('routes', () => {
  it.each([
    ['GET', '/v1/nothing', 404, undefined],
    ['GET', '/', 404, undefined],
    ['PUT', '/v1/models', 405, 'GET, HEAD'],
    ['GET', '/v1/moderations', 405, 'POST'],
    ['PUT', '/v1/keys/key_1', 405, 'GET, HEAD, PATCH, DELETE'],
    ['OPTIONS', '/v1/models', 405, 'GET, HEAD'],
    ['POST', '/healthz', 405, 'GET, HEAD'],
    ['DELETE', '/openapi.json', 405, 'GET, HEAD'],
    ['GET', '/v1/%zz', 404, undefined],
    ['GET', `/v1/keys/${'x'.repeat(300)}`, 404, undefined],
  ] as const)('%s %s is %i', async (method, path, status, allow) => {
    const answer = await send(openTestApp(), path, null, { method });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers.allow).toBe(allow);
    expect(answer.json().error).toEqual({
      message: expect.any(String),
      type: 'invalid_request_error',
      param: null,
      code: status === 404 ? 'not_found' : 'method_not_allowed',
    });
    expect(answer.headers['x-request-id']).toBeTruthy();
  });

  it('answer HEAD like GET, without the body', async () => {
    const test = openTestApp();
    const answer = await send(test, '/v1/models', test.key(), { method: 'HEAD' });
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
  });
});

describe('nesting', () => {
  const ask = async (input: string) => {
    const test = openTestApp();
    const body = `{"model":"svc-shield-base","input":${input}}`;
    return codeOf(await send(test, '/v1/moderations', test.key(), { headers: json, body }));
  };
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

  it.each([200, 500_000])('%i levels deep is refused', async (levels) => {
    expect(await ask(nested(levels))).toBe('invalid_json');
  });

  it('is not what brackets inside strings are', async () => {
    const text = JSON.stringify(`a \\" quoted [{ and ${'['.repeat(100_000)}`);
    // Long, but no deeper than the body itself: refused for its length alone.
    expect(await ask(text)).toBe('input_too_long');
  });
});

describe('media types', () => {
  it.each([
    ['text/html', 406],
    ['application/json;q=0', 406],
    ['text/event-stream', 406],
    ['application/json', 200],
    ['text/html, */*;q=0.1', 200],
    ['application/*', 200],
  ])('Accept: %s is %i', async (accept, status) => {
    const test = openTestApp();
    expect((await send(test, '/v1/models', test.key(), { headers: { accept } })).statusCode).toBe(status);
  });

  it.each([
    ['text/plain', 415],
    ['application/json; charset=latin1', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/json; charset=UTF-8', 200],
    ['APPLICATION/JSON', 200],
  ])('Content-Type: %s is %i', async (type, status) => {
    const test = openTestApp({ methods: calm });
    const body = JSON.stringify(moderation);
    const answer = await send(test, '/v1/moderations', test.key(), {
      body,
      headers: { 'content-type': type },
    });
    expect(answer.statusCode).toBe(status);
  });

  it('refuses a compressed body and one without a type', async () => {
    const test = openTestApp();
    const body = JSON.stringify(moderation);
    const gzip = await send(test, '/v1/moderations', test.key(), {
      body,
      headers: { ...json, 'content-encoding': 'gzip' },
    });
    expect(codeOf(gzip)).toBe('unsupported_media_type');
    const bare = await test.app.inject({
      method: 'POST',
      url: '/v1/moderations',
      headers: { authorization: `Bearer ${test.key().secret}`, 'content-length': '2' },
      payload: Buffer.from('{}'),
    });
    expect(codeOf(bare)).toBe('unsupported_media_type');
  });
});

describe('bodies', () => {
  const post = (body: string | Buffer) => {
    const test = openTestApp({ methods: calm, settings: { body_limit_mb: 1 } });
    return send(test, '/v1/moderations', test.key(), { body, headers: json });
  };

  it.each([
    ['nothing', ''],
    ['broken', '{"model":'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['a poisoned prototype', '{"__proto__":{"a":1}}'],
    ['bottomless', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['bottomless inside', `{"model":${'[['.repeat(100)}${']]'.repeat(100)}}`],
  ])('%s are invalid_json', async (_name, body) => {
    const answer = await post(body);
    expect([answer.statusCode, codeOf(answer)]).toEqual([400, 'invalid_json']);
  });

  it('say what is wrong with a poisoned prototype: it is JSON', async () => {
    const answer = await post('{"model":{"__proto__":{"a":1}}}');
    expect(answer.json()).toMatchObject({
      error: { message: 'The body holds a property called __proto__.' },
    });
  });

  it.each(['[]', 'null', '"text"', '7'])('%s is an invalid value', async (body) => {
    expect(codeOf(await post(body))).toBe('invalid_value');
  });

  it('above the limit are 413, announced or not', async () => {
    const body = JSON.stringify({ ...moderation, input: 'x'.repeat(1024 * 1024) });
    const announced = await post(body);
    expect([announced.statusCode, codeOf(announced)]).toEqual([413, 'payload_too_large']);
    const test = openTestApp({ settings: { body_limit_mb: 1 } });
    const url = await test.app.listen({ port: 0 });
    const chunked = new ReadableStream({
      pull(controller) {
        controller.enqueue(Buffer.alloc(256 * 1024, 0x20));
      },
    });
    const answer = await fetch(`${url}/v1/moderations`, {
      method: 'POST',
      body: chunked,
      duplex: 'half',
      headers: { ...json, authorization: `Bearer ${test.key().secret}` },
    } as RequestInit);
    expect(answer.status).toBe(413);
  });

  it('of key management are small', async () => {
    const test = openTestApp();
    const key = test.key({ scopes: ['keys'] });
    const answer = await send(test, '/v1/keys', key, { body: { name: 'x'.repeat(1024 * 1024) } });
    expect(answer.statusCode).toBe(413);
  });

  it('may be left out where nothing in them is required', async () => {
    const test = openTestApp();
    const key = test.key({ scopes: ['keys', 'chat'] });
    const target = test.key({ scopes: ['chat'] });
    const answer = await send(test, `/v1/keys/${target.id}/rotate`, key, { method: 'POST' });
    expect([answer.statusCode, answer.json().replaces]).toEqual([201, target.id]);
  });
});

describe('the Host header', () => {
  it.each([
    ['localhost', 401],
    ['LOCALHOST:1234', 401],
    ['127.0.0.1:8787', 401],
    ['[::1]:8787', 401],
    ['lokal.example', 401],
    ['evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['192.168.0.1', 403],
    ['localhost:80:80', 403],
  ])('%j is %i', async (host, status) => {
    expect((await send(openTestApp(), '/v1/models', null, { headers: { host } })).statusCode).toBe(status);
  });
});

describe('request ids', () => {
  it('are the client’s where valid', async () => {
    const test = openTestApp();
    const idFor = async (id: string) =>
      (await send(test, '/healthz', null, { headers: { 'x-request-id': id } })).headers['x-request-id'];
    expect(await idFor('my id 1')).toBe('my id 1');
    expect(await idFor('x'.repeat(128))).toHaveLength(128);
    for (const bad of ['x'.repeat(129), 'ü', ' ']) expect(await idFor(bad)).toMatch(/^req_/);
  });
});

describe('CORS', () => {
  const origin = 'https://app.example';
  const ask = (settings: object, method: 'GET' | 'OPTIONS' = 'GET') => {
    const test = openTestApp({ settings });
    const preflight = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    return send(test, '/v1/models', method === 'GET' ? test.key() : null, {
      method,
      headers: { origin, ...(method === 'OPTIONS' ? preflight : {}) },
    });
  };

  it('is off', async () => {
    expect((await ask({})).headers).not.toHaveProperty('access-control-allow-origin');
    expect((await ask({}, 'OPTIONS')).statusCode).toBe(405);
  });

  it('allows the origins of the settings by name, without credentials', async () => {
    const settings = { cors_origins: [origin] };
    const answer = await ask(settings);
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' });
    const preflight = await ask(settings, 'OPTIONS');
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-headers': 'authorization',
    });
    expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
    expect((await ask({ cors_origins: ['https://other.example'] })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
  });
});

describe('defects', () => {
  it('are internal_error, and neither answer nor log quotes the payload', async () => {
    const secretText = 'a very private sentence';
    const methods = {
      moderation: {
        classify: ({ text }: { text: string }) => {
          throw new TypeError(`cannot read ${text}`);
        },
      },
    };
    const test = openTestApp({ methods });
    const answer = await send(test, '/v1/moderations', test.key(), {
      body: { ...moderation, input: secretText },
    });
    expect([answer.statusCode, codeOf(answer)]).toEqual([500, 'internal_error']);
    expect(answer.body).not.toContain('private');
    expect(answer.body).not.toMatch(/\.ts|node_modules/);
    const log = test.log.join('');
    expect(log).toContain('TypeError');
    expect(log).toContain(String(answer.headers['x-request-id']));
    expect(log).not.toContain('private');
  });
});

describe('what is open and what is not', () => {
  it('answers /healthz to all, without details', async () => {
    const answer = await send(openTestApp(), '/healthz', null);
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }]);
  });

  it.each(['/metrics', '/openapi.json', '/docs'])('%s wants a key or a session', async (path) => {
    const test = openTestApp();
    expect((await send(test, path, null)).statusCode).toBe(401);
    expect((await send(test, path, test.key())).statusCode).toBe(200);
    expect((await send(test, path, null, { headers: test.session() })).statusCode).toBe(200);
    const foreign = { ...test.session(), 'sec-fetch-site': 'cross-site' };
    expect((await send(test, path, null, { headers: foreign })).statusCode).toBe(401);
  });

  it('gives /docs the rules of a page without scripts', async () => {
    const test = openTestApp();
    const { headers } = await send(test, '/docs', test.key());
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'self';/);
  });

  it('counts in /metrics', async () => {
    const test = openTestApp();
    await send(test, '/v1/models', test.key());
    const { body } = await send(test, '/metrics', test.key());
    expect(body).toContain('lokal_request_duration_seconds_count{operation="GET /v1/models",status="200"} 1');
  });
});
