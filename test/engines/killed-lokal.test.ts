/** Lokals behind a Lokal that are killed without warning, as processes of their own: before an answer, within one, and back again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EngineList, RemoteEngine } from '../../server/api/console/engines.ts';
import { createSecret } from '../../server/services/keys/secret.ts';
import { temporaryFolder } from '../support/app/folder.ts';
import { openTestApp, type TestApp } from '../support/app/test-app.ts';

const cli = fileURLToPath(new URL('../../server/cli.ts', import.meta.url));

/** One process with a data folder of its own, on one port for good. */
class Back {
  readonly secret = createSecret('live');
  readonly #home = temporaryFolder();
  url = '';
  #child: ChildProcess | null = null;

  async start(): Promise<this> {
    const env = {
      ...process.env,
      LOKAL_HOME: this.#home,
      LOKAL_BOOTSTRAP_KEY: this.secret,
      LOKAL_LOG: 'silent',
      NODE_OPTIONS: '',
    };
    const port = this.url === '' ? '0' : new URL(this.url).port;
    const child = spawn(process.execPath, [cli, 'serve', '--port', port, '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    this.url = (JSON.parse(line) as { url: string }).url;
    return this;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}

const backs = { first: new Back(), second: new Back() };
let front: TestApp;
let key: string;
let url: string;

// Its tests share the front, whose own clean-up would close it behind the first.
beforeAll(async () => {
  await Promise.all([backs.first.start(), backs.second.start()]);
}, 120_000);
afterAll(async () => {
  await Promise.all([backs.first.kill(), backs.second.kill()]);
});

const roles = ['svc-lingua-7b', 'svc-shield-base'] as const;

async function openFront(): Promise<void> {
  front = openTestApp();
  await front.app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(front.app.server.address() as AddressInfo).port}`;
  const add = async ([name, back]: [string, Back]) => {
    const answer = await front.app.inject({
      method: 'POST',
      url: '/console/engines',
      headers: front.session(),
      payload: {
        name,
        kind: 'lokal',
        base_url: back.url,
        secret: back.secret,
        models: roles.map((role) => ({ role, model: role })),
      },
    });
    expect(answer.json<RemoteEngine>().trial).toMatchObject({ passed: true });
  };
  await Promise.all(Object.entries(backs).map(add));
  for (const role of roles)
    await front.app.inject({
      method: 'PUT',
      url: '/console/engine-routes',
      headers: front.session(),
      payload: { role, mode: 'order', targets: ['first', 'second'], spill_over: null },
    });
  key = front.key({ scopes: ['chat', 'moderations', 'upstream'] }).secret;
}

const ask = (path: string, body: object) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const moderate = async () => {
  const answer = await ask('/v1/moderations', { input: 'A fine day.' });
  return [answer.status, answer.headers.get('x-lokal-upstream')];
};

/** Its schema wants more than it may write, so that it is under way for long. */
const long = {
  model: 'svc-lingua-7b',
  messages: [{ role: 'user', content: 'Write long lines.' }],
  max_tokens: 250,
  response_format: {
    type: 'json_schema',
    json_schema: {
      name: 'lines',
      schema: { type: 'array', items: { type: 'string', minLength: 60 }, minItems: 100 },
    },
  },
};

async function stateOf(name: string) {
  const answer = await front.app.inject({ url: '/console/engines', headers: front.session() });
  return answer.json<EngineList>().data.find((engine) => engine.name === name)!.health;
}

/** Health checks and pauses pass as on a clock; the front's own stands still. */
async function isBack(name: string): Promise<boolean> {
  front.clock.advance(61_000);
  front.services.remoteEngines.sweep();
  await sleep(500);
  return (await stateOf(name)).state === 'healthy';
}

it('is not missed by its callers, and comes back', { timeout: 400_000 }, async () => {
  await openFront();
  expect(await moderate()).toEqual([200, 'first']);

  // Before an answer: nobody hears of it.
  await backs.first.kill();
  for (let asked = 0; asked < 10; asked += 1) expect(await moderate()).toEqual([200, 'second']);
  expect((await stateOf('first')).state).toBe('ailing');
  expect(await isBack('first')).toBe(false);
  expect((await stateOf('first')).state).toBe('out');

  // Started again: a check of the engine that is out finds it, and it is asked as before.
  await backs.first.start();
  await expect.poll(() => isBack('first'), { timeout: 60_000, interval: 100 }).toBe(true);
  expect(await moderate()).toEqual([200, 'first']);

  // Within a stream: told by name, with no end marker, and the next is answered.
  const streamed = await ask('/v1/chat/completions', { ...long, stream: true });
  expect([streamed.status, streamed.headers.get('x-lokal-upstream')]).toEqual([200, 'first']);
  let text = '';
  let killed: Promise<void> | null = null;
  for await (const part of streamed.body!.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.split('"content":"').length > 4) killed ??= backs.first.kill();
  }
  await killed;
  expect(killed).not.toBeNull();
  expect(text).not.toContain('[DONE]');
  const last = text.trim().split('\n\n').at(-1)!;
  expect(JSON.parse(last.slice('data: '.length)).error).toMatchObject({ code: 'upstream_error' });
  expect(await moderate()).toEqual([200, 'second']);

  // Within an answer that is wanted whole: the other one gives it.
  await backs.first.start();
  await expect.poll(() => isBack('first'), { timeout: 60_000, interval: 100 }).toBe(true);
  const whole = ask('/v1/chat/completions', long);
  await expect.poll(async () => (await stateOf('first')).running, { timeout: 10_000 }).toBe(1);
  await sleep(300);
  await backs.first.kill();
  const answer = await whole;
  expect([answer.status, answer.headers.get('x-lokal-upstream')]).toEqual([200, 'second']);
  expect(answer.headers.get('x-lokal-attempts')).toBe('2');
  const { choices, usage } = (await answer.json()) as {
    choices: { message: { content: string } }[];
    usage: { completion_tokens: number };
  };
  expect(choices[0]!.message.content).toMatch(/^\s*\[/);
  const chats = front.services.usage.report(1).filter(({ model }) => model === 'svc-lingua-7b');
  expect(chats.map(({ upstream, requests }) => [upstream, requests])).toEqual([
    ['first', 1],
    ['second', 1],
  ]);
  expect(chats[1]!.completion_tokens).toBe(usage.completion_tokens);
});
