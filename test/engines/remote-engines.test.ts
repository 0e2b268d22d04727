import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { EngineList, RemoteEngine } from '../../server/api/console/engines.ts';
import { codeOf, openTestApp, type TestApp } from '../support/app/test-app.ts';
import { sendJson, startScriptedEngine } from '../support/engines/scripted-engine.ts';

const secret = 'sk-their-own-secret-0001';

const ask = (
  test: TestApp,
  url: string,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT',
  body?: object,
) => test.app.inject({ method, url, headers: test.session(), ...(body ? { payload: body } : {}) });

const chatOf = (url: string) => ({
  name: 'gpu-1',
  kind: 'openai',
  base_url: url,
  secret,
  models: [
    { role: 'svc-lingua-7b', model: 'tiny' },
    { role: 'svc-embed-base', model: 'tiny' },
  ],
});

describe('an engine that is added', () => {
  it('is tried at once, and shows what it can do', async () => {
    const engine = await startScriptedEngine({ secret, window: 512 });
    const test = openTestApp();
    const answer = await ask(test, '/console/engines', 'POST', chatOf(engine.url));
    expect(answer.statusCode).toBe(201);
    const made = answer.json<RemoteEngine>();
    expect(made).toMatchObject({
      name: 'gpu-1',
      has_secret: true,
      health: { state: 'healthy', reason: null },
      trial: { passed: true, found: ['tiny'] },
    });
    expect(made.trial?.models).toMatchObject([
      {
        role: 'svc-lingua-7b',
        usable: true,
        stream: true,
        usage: true,
        tools: true,
        tool_choice: true,
        json_schema: true,
        logprobs: true,
        choices: true,
        context: 512,
      },
      { role: 'svc-embed-base', usable: true, dimensions: 1024 },
    ]);
    expect(made.trial?.checks.find(({ name }) => name === 'open')?.outcome).toBe('passed');
  });

  it.each([
    [1, true, 'healthy'],
    [2, false, 'untried'],
  ])('whose first %i chats are answered with 500: passed %s', async (failures, passed, state) => {
    const engine = await startScriptedEngine({ secret });
    let left = failures;
    engine.behave(({ path }, response) => {
      if (path !== '/v1/chat/completions' || left === 0) return undefined;
      left -= 1;
      return sendJson(response, {}, 500);
    });
    const models = [{ role: 'svc-lingua-7b', model: 'tiny' }];
    const made = await ask(openTestApp(), '/console/engines', 'POST', { ...chatOf(engine.url), models });
    expect(made.json()).toMatchObject({ trial: { passed }, health: { state } });
  });

  it('keeps its secret to itself: sealed in the database, in no answer, audit line, log or ledger', async () => {
    const engine = await startScriptedEngine({ secret });
    const test = openTestApp();
    await ask(test, '/console/engines', 'POST', chatOf(engine.url));
    const shown = await Promise.all(
      ['/console/engines', '/console/audit', '/console/connections', '/console/diagnostics'].map((url) =>
        ask(test, url, 'GET'),
      ),
    );
    expect(shown.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    expect(shown.map(({ body }) => body).join() + test.log.join()).not.toContain(secret);
    expect(shown[2]!.body).toContain(`engine gpu-1`);
    test.db.pragma('wal_checkpoint(TRUNCATE)');
    const files = [test.file, `${test.file}-wal`].filter((file) => existsSync(file));
    expect(files.some((file) => readFileSync(file).includes(secret))).toBe(false);
  });

  it('is misconfigured where it refuses our secret, and untried where nothing listens', async () => {
    const engine = await startScriptedEngine({ secret: 'another' });
    const test = openTestApp();
    const denied = await ask(test, '/console/engines', 'POST', chatOf(engine.url));
    expect(denied.json().health).toMatchObject({ state: 'misconfigured' });
    expect(denied.body).not.toContain(secret);
    await engine.kill();
    const gone = await ask(test, '/console/engines', 'POST', { ...chatOf(engine.url), name: 'gpu-2' });
    expect(gone.json().health).toMatchObject({ state: 'untried', reason: 'live: nothing listens there' });
  });

  it('survives a restart with its trial', async () => {
    const engine = await startScriptedEngine({ secret });
    const installKey = Buffer.alloc(32, 7);
    const test = openTestApp({ installKey });
    await ask(test, '/console/engines', 'POST', chatOf(engine.url));
    const again = openTestApp({ installKey, file: test.file });
    const { data } = (await ask(again, '/console/engines', 'GET')).json<EngineList>();
    expect(data).toMatchObject([{ name: 'gpu-1', has_secret: true, health: { state: 'healthy' } }]);
    const tried = await ask(again, `/console/engines/${data[0]!.id}/trial`, 'POST');
    expect(tried.json().trial.passed).toBe(true);
  });
});

describe('an address', () => {
  it.each([
    ['http://gpu.example:8000', 'plain http'],
    ['https://169.254.169.254', 'never dialled'],
    ['https://[fe80::1]', 'never dialled'],
    ['https://user:pw@gpu.example', 'credentials'],
    ['ftp://gpu.example', 'must begin'],
    ['https://gpu.example/?a=1', 'query'],
  ])('%s is refused', async (base_url, why) => {
    const test = openTestApp();
    const answer = await ask(test, '/console/engines', 'POST', { name: 'a', kind: 'openai', base_url });
    expect([answer.statusCode, codeOf(answer)]).toEqual([400, 'invalid_value']);
    expect(answer.json().error.message).toContain(why);
  });

  it('beyond this machine is kept and not dialled while Lokal is sealed', async () => {
    const test = openTestApp();
    const answer = await ask(test, '/console/engines', 'POST', {
      name: 'far',
      kind: 'openai',
      base_url: 'https://gpu.example',
    });
    expect(answer.json().health).toMatchObject({ state: 'untried', reason: 'Lokal is sealed' });
    expect((await ask(test, '/console/connections', 'GET')).json().data).toEqual([]);
  });
});

describe('changes', () => {
  it('of weight, region and draining need no trial; a new address does; names are unique', async () => {
    const engine = await startScriptedEngine({ secret });
    const test = openTestApp();
    const { id } = (await ask(test, '/console/engines', 'POST', chatOf(engine.url))).json();
    const asked = engine.requests.length;
    const drained = await ask(test, `/console/engines/${id}`, 'PATCH', {
      draining: true,
      region: 'sg',
      weight: 3,
    });
    expect(drained.json()).toMatchObject({ region: 'sg', weight: 3, health: { state: 'draining' } });
    expect(engine.requests.length).toBe(asked);
    const moved = await ask(test, `/console/engines/${id}`, 'PATCH', {
      base_url: 'http://127.0.0.1:9',
      draining: false,
    });
    expect(moved.json().health.state).toBe('untried');
    const twice = await ask(test, '/console/engines', 'POST', chatOf(engine.url));
    expect(codeOf(twice)).toBe('conflict');
    await ask(test, `/console/engines/${id}`, 'DELETE');
    expect((await ask(test, '/console/engines', 'GET')).json().data).toEqual([]);
  });

  it('of a route are checked by name and can be taken back', async () => {
    const engine = await startScriptedEngine({ secret });
    const test = openTestApp();
    await ask(test, '/console/engines', 'POST', chatOf(engine.url));
    const route = { role: 'svc-lingua-7b', mode: 'order', targets: ['gpu-1', 'local'], spill_over: null };
    const set = await ask(test, '/console/engine-routes', 'PUT', route);
    expect(set.json()).toEqual({ ...route, set: true, from_file: false, serving: ['gpu-1', 'local'] });
    const wrong = await ask(test, '/console/engine-routes', 'PUT', { ...route, targets: ['nobody'] });
    expect(wrong.json().error.param).toBe('targets[0]');
    const back = await ask(test, '/console/engine-routes/svc-lingua-7b', 'DELETE');
    expect(back.json()).toMatchObject({ set: false, serving: ['gpu-1'] });
  });
});
