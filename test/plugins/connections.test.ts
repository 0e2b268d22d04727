/** What only a real socket shows: clients that leave, and a server that stops. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { calmAnswer, moderation, openTestApp, type TestApp } from '../support/app/test-app.ts';
import type { FakeMethods } from '../support/fake-engines.ts';

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
};

/** An engine whose calls last until told, and that notes who cancelled. */
function slowEngine() {
  const calls: { finish: () => void; cancelled: string | null }[] = [];
  const methods: FakeMethods = {
    moderation: {
      classify: (_params, { signal }) =>
        new Promise((resolve) => {
          const call = { finish: () => resolve(calmAnswer), cancelled: null as string | null };
          signal.addEventListener('abort', () => {
            call.cancelled = signal.reason.code;
          });
          calls.push(call);
        }),
    },
  };
  return { calls, methods };
}

/** A chat engine that gives one token and then waits for its end, deaf to its signal. */
const oneToken: FakeMethods = {
  chat: {
    generate: () =>
      (async function* () {
        yield { kind: 'prompt', tokens: 3 };
        yield { kind: 'text', choice: 0, text: 'Hi' };
        await new Promise(() => {});
      })(),
  },
};
const chat = { model: 'svc-lingua-7b', stream: true, messages: [{ role: 'user', content: 'x' }] };

async function listen(test: TestApp, key = test.key()) {
  const url = await test.app.listen({ port: 0, host: '127.0.0.1' });
  const post = (path: string, body: object, init: RequestInit = {}) =>
    fetch(url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key.secret}` },
      ...init,
    });
  return { url, post, port: Number(new URL(url).port) };
}

describe('a client that leaves', () => {
  it('ends its running request, and frees its slot', async () => {
    const { calls, methods } = slowEngine();
    const each = { requests_per_minute: 100, tokens_per_minute: 100, concurrent: 1 };
    const test = openTestApp({
      methods,
      settings: { limits: { free: each, professional: each, enterprise: each, test: each } },
    });
    const { post } = await listen(test);
    const leave = new AbortController();
    const gone = post('/v1/moderations', moderation, { signal: leave.signal }).catch(() => 'gone');
    await until(() => calls.length === 1);
    leave.abort();
    expect(await gone).toBe('gone');
    await until(() => calls[0]!.cancelled !== null);
    expect(calls[0]!.cancelled).toBe('client_closed_request');
    const next = post('/v1/moderations', moderation);
    await until(() => calls.length === 2);
    calls[1]!.finish();
    expect((await next).status).toBe(200);
    const statuses = test.services.requestLog.latest(2).map(({ status, code }) => [status, code]);
    expect(statuses).toEqual([
      [200, null],
      [499, 'client_closed_request'],
    ]);
  });

  it('leaves the queue and is never admitted', async () => {
    const { calls, methods } = slowEngine();
    const each = { requests_per_minute: 100, tokens_per_minute: 100, concurrent: 1 };
    const test = openTestApp({
      methods,
      settings: { limits: { free: each, professional: each, enterprise: each, test: each } },
    });
    const { post } = await listen(test);
    const first = post('/v1/moderations', moderation);
    await until(() => calls.length === 1);
    const leave = new AbortController();
    const waiting = post('/v1/moderations', moderation, { signal: leave.signal }).catch(() => 'gone');
    await new Promise((resolve) => setTimeout(resolve, 100));
    leave.abort();
    await waiting;
    await until(() => test.services.requestLog.latest(5).some(({ status }) => status === 499));
    calls[0]!.finish();
    expect((await first).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(calls).toHaveLength(1);
  });

  it('leaves a request with an Idempotency-Key running, whose repeat finds the answer', async () => {
    const { calls, methods } = slowEngine();
    const test = openTestApp({ methods });
    const key = test.key();
    const { post } = await listen(test, key);
    const gone = once(test.app.server, 'connection').then(([socket]) => once(socket, 'close'));
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${key.secret}`,
      'idempotency-key': 'lost',
    };
    const leave = new AbortController();
    const lost = post('/v1/moderations', moderation, { headers, signal: leave.signal });
    await until(() => calls.length === 1);
    leave.abort();
    await expect(lost).rejects.toThrow();
    await gone;
    expect((await post('/v1/moderations', moderation, { headers })).status).toBe(409);
    expect(calls[0]!.cancelled).toBeNull();
    calls[0]!.finish();
    await until(() => test.services.requestLog.latest(2).length === 2);
    const repeat = await post('/v1/moderations', moderation, { headers });
    expect([repeat.status, repeat.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(calls).toHaveLength(1);
    expect(test.services.usage.report(1)).toMatchObject([{ requests: 1 }]);
  });

  it('leaves nothing running once its key is revoked, Idempotency-Key or not', async () => {
    const { calls, methods } = slowEngine();
    const test = openTestApp({ methods });
    const key = test.key();
    const { post } = await listen(test, key);
    const leave = new AbortController();
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${key.secret}`,
      'idempotency-key': 'lost',
    };
    const lost = post('/v1/moderations', moderation, { headers, signal: leave.signal });
    await until(() => calls.length === 1);
    leave.abort();
    await expect(lost).rejects.toThrow();
    test.services.keys.revoke(key.id, 'owner');
    await until(() => calls[0]!.cancelled !== null);
    expect(calls[0]!.cancelled).toBe('revoked_api_key');
    await until(() => test.services.requestLog.latest(1).length === 1);
  });

  it('does not cancel a request whose body was read', async () => {
    const { calls, methods } = slowEngine();
    const { post } = await listen(openTestApp({ methods }));
    const answer = post('/v1/moderations', moderation);
    await until(() => calls.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(calls[0]!.cancelled).toBeNull();
    calls[0]!.finish();
    expect((await answer).status).toBe(200);
  });
});

describe('a body without end', () => {
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  it.each([
    ['too large', 'application/json', 413],
    ['of a kind that is not read', 'text/plain', 415],
  ])('is not read for ever: %s', async (_name, type, status) => {
    const test = openTestApp({ settings: { body_limit_mb: 1 } });
    const { port } = await listen(test);
    vi.useFakeTimers({ toFake: ['setTimeout'], shouldAdvanceTime: true, advanceTimeDelta: 20 });
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(
      `POST /v1/moderations HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${test.key().secret}\r\n` +
        `Content-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const pour = () => socket.destroyed || socket.write(chunk, () => setImmediate(pour));
    pour();
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const closed = once(socket, 'close');
    vi.advanceTimersByTime(2_000);
    await closed;
    vi.useRealTimers();
  });
});

describe('what is not HTTP', () => {
  it.each([
    ['nonsense', 'NONSENSE\r\n\r\n', 'The request is not valid HTTP.'],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      'The headers of the request are too large.',
    ],
  ])('is answered with the envelope: %s', async (_name, bytes, message) => {
    const { port } = await listen(openTestApp());
    const socket = connect(port, '127.0.0.1');
    socket.write(bytes);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    const answer = chunk.toString();
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/x-request-id: req_/);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
      error: { code: 'invalid_value', message },
    });
  });
});

describe('a server that stops', () => {
  it('lets running requests finish and refuses new ones', async () => {
    const { calls, methods } = slowEngine();
    const test = openTestApp({ methods, graceMs: 5_000 });
    const { post, port } = await listen(test);
    const running = post('/v1/moderations', moderation);
    await until(() => calls.length === 1);
    // A connection from before: new ones are refused by the system.
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const closing = test.app.close();
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [refusal] = (await once(socket, 'data')) as [Buffer];
    expect(refusal.toString()).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 5[\s\S]*"code":"shutting_down"/i);
    calls[0]!.finish();
    const answer = await running;
    expect([answer.status, (await answer.json()).model]).toEqual([200, 'svc-shield-base']);
    await closing;
  });

  it('ends what does not finish with 503', async () => {
    const { calls, methods } = slowEngine();
    const test = openTestApp({ methods, graceMs: 50 });
    const { post } = await listen(test);
    const running = post('/v1/moderations', moderation);
    await until(() => calls.length === 1);
    await test.app.close();
    const answer = await running;
    expect([answer.status, (await answer.json()).error.code]).toEqual([503, 'shutting_down']);
    expect(calls[0]!.cancelled).toBe('shutting_down');
  });

  it('ends a stream with an error event and no [DONE]', async () => {
    const test = openTestApp({ methods: oneToken, graceMs: 50 });
    const { post } = await listen(test);
    const answer = await post('/v1/chat/completions', chat);
    expect(answer.status).toBe(200);
    const text = answer.text();
    await test.app.close();
    expect(await text).toMatch(
      /"content":"Hi"[\s\S]*data: \{"error":\{[^\n]*"code":"shutting_down"\}\}\n\n$/,
    );
  });

  it('writes what it has gathered', async () => {
    const test = openTestApp();
    const key = test.key();
    const { url } = await listen(test, key);
    await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key.secret}` } });
    await test.app.close();
    const again = openTestApp({ file: test.file });
    expect(again.services.requestLog.latest(5)).toHaveLength(1);
    expect(again.services.keys.list('owner')[0]!.last_used).not.toBeNull();
  });
});

describe('streams', () => {
  it('end with the reason when their key is revoked, and are logged with it', async () => {
    const test = openTestApp({ methods: oneToken });
    const key = test.key();
    const { post } = await listen(test, key);
    const answer = await post('/v1/chat/completions', chat);
    const text = answer.text();
    test.services.keys.revoke(key.id, 'owner');
    expect(await text).toMatch(/"code":"revoked_api_key"\}\}\n\n$/);
    await until(() => test.services.requestLog.latest(1).length === 1);
    expect(test.services.requestLog.latest(1)).toMatchObject([{ status: 200, code: 'revoked_api_key' }]);
  });

  it('of the console say at once that they are open, and end with the server', async () => {
    const test = openTestApp({ graceMs: 5_000 });
    const { url, port } = await listen(test);
    const { cookie, secret } = test.services.sessions.exchange(test.services.sessions.issueToken());
    const headers = { cookie: `lokal_session_${port}=${cookie}`, 'x-console-secret': secret };
    const answer = await fetch(`${url}/console/events`, { headers });
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe(': open\n\n');
    test.services.events.publish({ type: 'progress', request_id: 'r', page: 1, pages: 2 });
    expect((await reader.read()).value).toBe(
      'data: {"type":"progress","request_id":"r","page":1,"pages":2}\n\n',
    );
    await test.app.close();
    let rest = '';
    for (let next = await reader.read(); !next.done; next = await reader.read()) rest += next.value;
    expect(rest).not.toContain('[DONE]');
  });

  it('of the console end with their session', async () => {
    const test = openTestApp();
    const { url, port } = await listen(test);
    const { id, cookie, secret } = test.services.sessions.exchange(test.services.sessions.issueToken());
    const headers = { cookie: `lokal_session_${port}=${cookie}`, 'x-console-secret': secret };
    const answer = await fetch(`${url}/console/events`, { headers });
    const text = answer.text();
    test.services.sessions.end(id);
    test.services.events.publish({ type: 'progress', request_id: 'r', page: 1, pages: 2 });
    expect(await text).not.toContain('progress');
    expect((await fetch(`${url}/console/events`, { headers })).status).toBe(401);
  });
});
