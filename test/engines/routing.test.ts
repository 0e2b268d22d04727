import { afterEach, describe, expect, it } from 'vitest';
import type { CreateKeyRequest } from '../../server/api/keys.ts';
import { codeOf, openTestApp, send, type TestApp } from '../support/app/test-app.ts';
import {
  type Behaviour,
  chunk,
  embeddings,
  event,
  openStream,
  type ScriptedEngine,
  type ScriptedOptions,
  sendJson,
  startScriptedEngine,
} from '../support/engines/scripted-engine.ts';
import type { FakeMethods } from '../support/fake-engines.ts';

const secret = 'sk-their-own-secret-0001';
const scopes: CreateKeyRequest['scopes'] = ['chat', 'embeddings', 'upstream'];

const localChat: FakeMethods = {
  chat: {
    *generate() {
      yield { kind: 'prompt', tokens: 3 };
      yield { kind: 'text', choice: 0, text: 'from here' };
      yield { kind: 'finish', choice: 0, reason: 'stop', tokens: 2 };
    },
  },
};

const tests: TestApp[] = [];
afterEach(() => {
  // Whatever went wrong, the engine's secret is in no line of the log.
  for (const test of tests.splice(0)) expect(test.log.join('\n')).not.toContain(secret);
});

function open(settings = {}): TestApp {
  const test = openTestApp({ methods: localChat, settings });
  tests.push(test);
  return test;
}

async function addEngine(test: TestApp, engine: ScriptedEngine, name: string, more: object = {}) {
  const answer = await test.app.inject({
    method: 'POST',
    url: '/console/engines',
    headers: test.session(),
    payload: {
      name,
      kind: 'openai',
      base_url: engine.url,
      secret,
      models: [
        { role: 'svc-lingua-7b', model: 'tiny' },
        { role: 'svc-embed-base', model: 'tiny' },
      ],
      ...more,
    },
  });
  expect(answer.json().trial).toMatchObject({ passed: true });
  engine.requests.length = 0;
  return answer.json();
}

const setRoute = (test: TestApp, targets: string[], more: object = {}) =>
  test.app.inject({
    method: 'PUT',
    url: '/console/engine-routes',
    headers: test.session(),
    payload: { role: 'svc-lingua-7b', mode: 'order', targets, spill_over: null, ...more },
  });

async function withEngines(count: number, options: ScriptedOptions = {}) {
  const test = open();
  const engines: ScriptedEngine[] = [];
  for (let index = 0; index < count; index += 1) {
    const engine = await startScriptedEngine({ secret, ...options });
    await addEngine(test, engine, `e${index + 1}`);
    engines.push(engine);
  }
  if (count > 1)
    await setRoute(
      test,
      engines.map((_, index) => `e${index + 1}`),
    );
  return { test, engines, key: test.key({ scopes }) };
}

const question = { model: 'svc-lingua-7b', messages: [{ role: 'user', content: 'Hi' }] };
const chat = (test: TestApp, key: { secret: string }, body = {}, headers = {}) =>
  send(test, '/v1/chat/completions', key, { body: { ...question, ...body }, headers });

const dataOf = (body: string): string[] =>
  body
    .split('\n\n')
    .filter((each) => each.startsWith('data: '))
    .map((each) => each.slice(6));

const usageOf = (test: TestApp) =>
  test.services.usage.report(1).map(({ requests, completion_tokens: c }) => [requests, c]);

describe('a chat that a remote engine answers', () => {
  it('says who answered, and counts once what they counted', async () => {
    const { test, engines, key } = await withEngines(1);
    const answer = await chat(test, key, {}, { 'x-session-id': 'mine' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json().choices[0]).toMatchObject({
      message: { content: 'Hello there.' },
      finish_reason: 'stop',
    });
    expect(answer.json().usage).toEqual({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 });
    expect(answer.headers).toMatchObject({
      'x-lokal-upstream': 'e1',
      'x-lokal-attempts': '1',
      'x-model-pack': 'e1/tiny',
    });
    const asked = engines[0]!.requests[0]!;
    expect(asked.headers.authorization).toBe(`Bearer ${secret}`);
    expect(asked.headers['x-session-id']).toMatch(/^[\w-]{43}$/);
    expect(asked.body).toMatchObject({
      model: 'tiny',
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(usageOf(test)).toEqual([[1, 3]]);
    const [entry] = test.services.requestLog.latest(1);
    expect(entry).toMatchObject({
      upstream: 'e1',
      attempts: [{ target: 'e1', outcome: 'answered', added_ms: expect.any(Number) }],
    });
    expect(entry?.estimated).toBeUndefined();
    const [health] = test.services.remoteEngines.list().data.map((each) => each.health);
    const { added_ms: added } = entry!.attempts![0]!;
    expect(health!.added_ms).toBe(added);
    expect(added).toBeGreaterThan(0);
    const metrics = await send(test, '/metrics', test.key());
    expect(metrics.body).toContain('lokal_upstream_added_ms{upstream="e1"}');
  });

  it('is metered apart from what this machine answers, and says where tokens are estimates', async () => {
    const { test, engines, key } = await withEngines(1);
    await chat(test, key);
    await chat(test, key, {}, { 'x-lokal-local-only': 'true' });
    engines[0]!.behave((_, response) => {
      openStream(response);
      response.write(event(chunk({ content: 'Hi' })));
      response.write(event(chunk({}, 'stop')));
      const usage = { prompt_tokens: 1_000_000, completion_tokens: 5, total_tokens: 5 };
      response.write(event({ ...chunk({}), choices: [], usage }));
      response.end('data: [DONE]\n\n');
      return true;
    });
    await chat(test, key);
    engines[0]!.behave(({ body }, response) => {
      const { usage: _, ...counted } = embeddings(body.input, 1024);
      return sendJson(response, counted);
    });
    await send(test, '/v1/embeddings', key, { body: { model: 'svc-embed-base', input: 'one' } });
    const rows = test.services.usage.report(1);
    expect(
      rows.map(({ model, upstream, requests, estimated }) => [model, upstream, requests, estimated]),
    ).toEqual([
      ['svc-embed-base', 'e1', 1, 1],
      ['svc-lingua-7b', null, 1, 0],
      ['svc-lingua-7b', 'e1', 2, 1],
    ]);
    expect(test.services.requestLog.latest(2).map(({ estimated }) => estimated)).toEqual([true, true]);
  });

  it('streams as it comes', async () => {
    const { test, key } = await withEngines(1);
    const answer = await chat(test, key, { stream: true, stream_options: { include_usage: true } });
    const data = dataOf(answer.body);
    expect(data.at(-1)).toBe('[DONE]');
    expect(JSON.parse(data.at(-2)!).usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 3 });
    expect(answer.headers['x-lokal-upstream']).toBe('e1');
  });

  it('passes nothing of the caller’s headers on', async () => {
    const { test, engines, key } = await withEngines(1);
    await chat(test, key, {}, { cookie: 'a=b', 'x-evil': '1', 'x-forwarded-for': '10.0.0.1' });
    const names = Object.keys(engines[0]!.requests[0]!.headers).sort();
    expect(names).toEqual([
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
      'x-session-id',
    ]);
  });

  it('gives vectors of length 1', async () => {
    const { test, key } = await withEngines(1);
    const answer = await send(test, '/v1/embeddings', key, {
      body: { model: 'svc-embed-base', input: ['a', 'b'] },
    });
    const [first] = answer.json().data;
    const length = Math.hypot(...first.embedding);
    expect(length).toBeCloseTo(1, 5);
    expect(answer.json().usage.prompt_tokens).toBe(6);
  });
});

describe('who may leave this machine', () => {
  it('is a key with the scope upstream; others are answered here', async () => {
    const { test, engines } = await withEngines(1);
    const answer = await chat(test, test.key());
    expect(answer.json().choices[0].message.content).toBe('from here');
    expect(answer.headers['x-lokal-upstream']).toBeUndefined();
    expect(engines[0]!.requests).toEqual([]);
  });

  it('can be narrowed by a header, and never a test key', async () => {
    const { test, engines, key } = await withEngines(1);
    const here = await chat(test, key, {}, { 'x-lokal-local-only': 'true' });
    expect(here.json().choices[0].message.content).toBe('from here');
    await chat(test, test.key({ class: 'test', scopes }));
    expect(engines[0]!.requests).toEqual([]);
    const wrong = await chat(test, key, {}, { 'x-lokal-local-only': 'maybe' });
    expect(wrong.json().error).toMatchObject({ code: 'invalid_value', param: 'X-Lokal-Local-Only' });
  });
});

describe('regions', () => {
  it('lead to their own engines and nowhere else', async () => {
    const test = open({ machine_regions: ['my'] });
    const engine = await startScriptedEngine({ secret });
    const { id } = await addEngine(test, engine, 'sg-1', { region: 'sg' });
    await setRoute(test, ['local', 'sg-1']);
    const key = test.key({ scopes });
    const from = async (region: string) => {
      const answer = await chat(test, key, {}, { 'x-service-region': region });
      return [answer.statusCode, codeOf(answer) ?? answer.json().choices[0].message.content];
    };
    expect(await from('sg')).toEqual([200, 'Hello there.']);
    expect(await from('my')).toEqual([200, 'from here']);
    expect(await from('id')).toEqual([503, 'region_unavailable']);
    await engine.kill();
    expect(await from('sg')).toEqual([503, 'region_unavailable']);
    const down = await chat(test, key, {}, { 'x-service-region': 'sg' });
    expect(Number(down.headers['retry-after'])).toBeGreaterThan(0);
    await test.app.inject({ method: 'DELETE', url: `/console/engines/${id}`, headers: test.session() });
    expect(await from('sg')).toEqual([503, 'region_unavailable']);
  });

  it('of remote engines alone are closed to keys that stay here', async () => {
    const test = open({ machine_regions: [] });
    await addEngine(test, await startScriptedEngine({ secret }), 'sg-1', { region: 'sg' });
    const answer = await chat(test, test.key(), {}, { 'x-service-region': 'sg' });
    expect([answer.statusCode, codeOf(answer)]).toEqual([403, 'local_only']);
  });
});

describe('a target that fails before its first byte', () => {
  const failures: [string, Behaviour][] = [
    ['500', (_, response) => sendJson(response, {}, 500)],
    ['429 with a time', (_, response) => sendJson(response, {}, 429, { 'retry-after': '3' })],
    ['503 with a time', (_, response) => sendJson(response, {}, 503, { 'retry-after': '3' })],
    ['a broken connection', (_, response) => Boolean(response.destroy())],
    [
      'a redirect to a metadata address',
      (_, response) => {
        response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' });
        response.end();
        return true;
      },
    ],
    [
      'an error chunk',
      (_, response) => {
        openStream(response);
        response.end(event({ error: { message: 'out of memory' } }));
        return true;
      },
    ],
    ['no stream', (_, response) => sendJson(response, { choices: [] })],
    [
      'an unknown tool',
      (_, response) => {
        openStream(response);
        const call = { index: 0, id: 'c', type: 'function', function: { name: 'rm', arguments: '{}' } };
        response.end(`${event(chunk({ tool_calls: [call] }, 'tool_calls'))}data: [DONE]\n\n`);
        return true;
      },
    ],
  ];

  it.each(failures)('%s: the next one answers, streamed too', async (_, behaviour) => {
    const { test, engines, key } = await withEngines(2);
    engines[0]!.behave(behaviour);
    const streamed = await chat(test, key, { stream: true });
    expect(streamed.statusCode).toBe(200);
    expect(dataOf(streamed.body).at(-1)).toBe('[DONE]');
    expect(streamed.headers).toMatchObject({ 'x-lokal-upstream': 'e2', 'x-lokal-attempts': '2' });
    // A kept connection that broke is tried anew once, on a fresh one.
    expect(engines[0]!.requests.length).toBeLessThanOrEqual(2);
    expect(engines[1]!.requests.length).toBe(1);
    expect(usageOf(test)).toEqual([[1, 3]]);
  });

  it('cools down for the time it names', async () => {
    const { test, engines, key } = await withEngines(2);
    engines[0]!.behave((_, response) => sendJson(response, {}, 429, { 'retry-after': '30' }));
    await chat(test, key);
    await chat(test, key);
    expect(engines.map(({ requests }) => requests.length)).toEqual([1, 2]);
    test.clock.advance(31_000);
    engines[0]!.behave(null);
    expect((await chat(test, key)).headers['x-lokal-upstream']).toBe('e1');
  });

  it.each([400, 404, 413])('%i is the request’s own and goes no further', async (status) => {
    const { test, engines, key } = await withEngines(2);
    engines[0]!.behave((_, response) => sendJson(response, { error: { message: `echo ${secret}` } }, status));
    const answer = await chat(test, key);
    expect([answer.statusCode, codeOf(answer)]).toEqual([400, 'invalid_value']);
    expect(answer.body).not.toContain(secret);
    expect(engines[1]!.requests).toEqual([]);
  });

  it('401 marks it misconfigured, and alone is our 502', async () => {
    const { test, engines, key } = await withEngines(1);
    engines[0]!.behave((_, response) => sendJson(response, {}, 401));
    const answers = [await chat(test, key), await chat(test, key)];
    expect(answers.map((answer) => [answer.statusCode, codeOf(answer)])).toEqual([
      [502, 'upstream_error'],
      [502, 'upstream_error'],
    ]);
    expect(engines[0]!.requests.length).toBe(1);
    expect(test.services.remoteEngines.list().data[0]!.health.state).toBe('misconfigured');
  });

  it('and is alone is 503 with the time of its next trial; back, it answers', async () => {
    const { test, engines, key } = await withEngines(1);
    await engines[0]!.kill();
    for (let index = 0; index < 3; index += 1) {
      const answer = await chat(test, key);
      expect([answer.statusCode, codeOf(answer)]).toEqual([503, 'upstream_unavailable']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    await engines[0]!.restart();
    test.clock.advance(61_000);
    expect((await chat(test, key)).statusCode).toBe(200);
  });

  it('by silence is 504', async () => {
    const test = open();
    const engine = await startScriptedEngine({ secret });
    await addEngine(test, engine, 'slow', { timeouts: { first_byte_ms: 1_000 } });
    engine.behave(() => new Promise(() => {}));
    const answer = await chat(test, test.key({ scopes }));
    expect([answer.statusCode, codeOf(answer)]).toEqual([504, 'upstream_timeout']);
  });
});

describe('an answer that breaks off', () => {
  const begin = (response: Parameters<Behaviour>[1]) => {
    openStream(response);
    response.write(event(chunk({ content: 'Hel' })));
  };
  const beginAndEnd = (response: Parameters<Behaviour>[1], text: string) => {
    begin(response);
    response.end(text);
    return true;
  };
  const breaks: [string, Behaviour, string][] = [
    [
      'a cut body',
      (_, response) => {
        begin(response);
        setTimeout(() => response.destroy(), 30);
        return true;
      },
      'upstream_error',
    ],
    ['no end marker', (_, response) => beginAndEnd(response, event(chunk({}, 'stop'))), 'upstream_error'],
    [
      'no finish reason',
      (_, response) => beginAndEnd(response, 'data: [DONE]\n\n'),
      'upstream_invalid_output',
    ],
    ['an error chunk', (_, response) => beginAndEnd(response, event({ error: {} })), 'upstream_error'],
    [
      'half a character',
      (_, response) => {
        begin(response);
        response.end(Buffer.from([0x64, 0x61, 0xe4, 0xb8]));
        return true;
      },
      'upstream_invalid_output',
    ],
    [
      'an endless line',
      (_, response) => {
        begin(response);
        response.end(`data: ${'x'.repeat(5 * 1024 * 1024)}`);
        return true;
      },
      'upstream_invalid_output',
    ],
    [
      '10,000 chunks',
      (_, response) => {
        begin(response);
        response.end(event(chunk({ content: 'x' })).repeat(10_000));
        return true;
      },
      'upstream_invalid_output',
    ],
  ];

  it.each(breaks)(
    '%s ends the stream with a named error, metered as far as it came',
    async (_, behaviour, code) => {
      const { test, engines, key } = await withEngines(2);
      engines[0]!.behave(behaviour);
      const answer = await chat(test, key, { stream: true });
      const data = dataOf(answer.body);
      expect(JSON.parse(data.at(-1)!).error?.code).toBe(code);
      expect(engines[1]!.requests).toEqual([]);
      expect(usageOf(test)[0]![1]).toBeGreaterThan(0);
    },
  );

  it.each(breaks)('%s: wanted whole, another engine takes over', async (_, behaviour) => {
    const { test, engines, key } = await withEngines(2);
    engines[0]!.behave(behaviour);
    const answer = await chat(test, key);
    expect(answer.json().choices?.[0].message.content).toBe('Hello there.');
    expect(usageOf(test)).toEqual([[1, 3]]);
  });
});

describe('answers are held to what was asked', () => {
  const schema = { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] };
  const response_format = { type: 'json_schema', json_schema: { name: 'a', schema } };
  const say =
    (text: string, finish = 'stop'): Behaviour =>
    (_, response) => {
      openStream(response);
      response.end(`${event(chunk({ content: text }))}${event(chunk({}, finish))}data: [DONE]\n\n`);
      return true;
    };

  it.each(['{"no":1}', 'Sure! {"yes":true}', '{"yes"   '])('%s is refused', async (text) => {
    const { test, engines, key } = await withEngines(1);
    engines[0]!.behave(say(text));
    const answer = await chat(test, key, { response_format });
    expect([answer.statusCode, codeOf(answer)]).toEqual([502, 'upstream_invalid_output']);
  });

  it('one that was cut by its budget is as it is', async () => {
    const { test, engines, key } = await withEngines(1);
    engines[0]!.behave(say('{"ye', 'length'));
    const answer = await chat(test, key, { response_format });
    expect(answer.json().choices[0]).toMatchObject({ finish_reason: 'length', message: { content: '{"ye' } });
  });

  it('usage that cannot be true is counted here', async () => {
    const { test, engines, key } = await withEngines(1);
    engines[0]!.behave((_, response) => {
      openStream(response);
      response.write(event(chunk({ content: 'a' })) + event(chunk({}, 'stop')));
      const usage = { prompt_tokens: 9_000_000, completion_tokens: 12, total_tokens: 1 };
      response.end(`${event({ ...chunk({}), choices: [], usage })}data: [DONE]\n\n`);
      return true;
    });
    const { usage } = (await chat(test, key)).json();
    expect(usage.completion_tokens).toBe(1);
    expect(usage.prompt_tokens).toBeLessThan(100);
  });

  it('vectors of 768 numbers are refused', async () => {
    const { test, engines, key } = await withEngines(1);
    engines[0]!.behave(({ body }, response) => sendJson(response, embeddings(body.input, 768)));
    const answer = await send(test, '/v1/embeddings', key, { body: { model: 'svc-embed-base', input: 'a' } });
    expect([answer.statusCode, codeOf(answer)]).toEqual([502, 'upstream_invalid_output']);
  });
});

describe('a prompt beyond the window', () => {
  it('is refused with the numbers before it is sent', async () => {
    const { test, engines, key } = await withEngines(1, { window: 512 });
    const content = 'word '.repeat(4_000);
    const answer = await chat(test, key, { messages: [{ role: 'user', content }] });
    expect([answer.statusCode, codeOf(answer)]).toEqual([400, 'context_length_exceeded']);
    expect(answer.json().error.message).toContain('512');
    expect(engines[0]!.requests).toEqual([]);
  });

  it('is refused with theirs where they count better', async () => {
    const { test, engines, key } = await withEngines(1);
    engines[0]!.behave((_, response) => {
      const message =
        "This model's maximum context length is 256 tokens. However, you requested 300 tokens (44 in the messages)";
      return sendJson(response, { object: 'error', message, code: 400 }, 400);
    });
    const answer = await chat(test, key);
    expect(answer.json().error).toMatchObject({ code: 'context_length_exceeded', param: 'messages' });
    expect(answer.json().error.message).toMatch(/256 tokens.*44/);
  });
});

describe('load', () => {
  it('spills from this machine to the engines behind it', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const test = openTestApp({
      methods: {
        chat: {
          async *generate() {
            yield { kind: 'prompt', tokens: 1 };
            await held;
            yield { kind: 'finish', choice: 0, reason: 'stop', tokens: 0 };
          },
        },
      },
    });
    await addEngine(test, await startScriptedEngine({ secret }), 'e1');
    await setRoute(test, ['local', 'e1'], { spill_over: 1 });
    const key = test.key({ scopes });
    const first = chat(test, key);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const second = await chat(test, key);
    expect(second.headers['x-lokal-upstream']).toBe('e1');
    release();
    expect((await first).headers['x-lokal-upstream']).toBeUndefined();
  });
});

describe('metrics', () => {
  it('tell of each engine by its name', async () => {
    const { test, key } = await withEngines(1);
    await chat(test, key);
    const { body } = await send(test, '/metrics', key);
    expect(body).toContain('lokal_upstream_tries{upstream="e1"} 1');
    expect(body).toContain('lokal_upstream_state{upstream="e1",state="healthy"} 1');
  });
});
