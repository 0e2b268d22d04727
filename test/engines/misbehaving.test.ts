/** Engines that fall silent or send other than they promise: what the caller sees, the tries, the meter, and the secret nowhere. */
import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, openTestApp, send, type TestApp } from '../support/app/test-app.ts';
import {
  type Behaviour,
  chunk,
  embeddings,
  event,
  openStream,
  startScriptedEngine,
} from '../support/engines/scripted-engine.ts';

const secret = 'sk-their-own-secret-0001';
const tests: TestApp[] = [];
afterEach(() => {
  for (const test of tests.splice(0)) expect(test.log.join('\n')).not.toContain(secret);
});

async function withEngine() {
  const test = openTestApp();
  tests.push(test);
  const engine = await startScriptedEngine({ secret });
  const added = await test.app.inject({
    method: 'POST',
    url: '/console/engines',
    headers: test.session(),
    payload: {
      name: 'e1',
      kind: 'openai',
      base_url: engine.url,
      secret,
      timeouts: { silence_ms: 1_000 },
      models: [
        { role: 'svc-lingua-7b', model: 'tiny' },
        { role: 'svc-embed-base', model: 'tiny' },
      ],
    },
  });
  expect(added.json().trial.passed).toBe(true);
  engine.requests.length = 0;
  const key = test.key({ scopes: ['chat', 'embeddings', 'upstream'] });
  return {
    test,
    engine,
    chat: (stream: boolean) =>
      send(test, '/v1/chat/completions', key, {
        body: { model: 'svc-lingua-7b', messages: [{ role: 'user', content: 'Hi' }], stream },
      }),
    embed: (input: string) => send(test, '/v1/embeddings', key, { body: { model: 'svc-embed-base', input } }),
    usage: () => test.services.usage.report(1).map(({ completion_tokens: tokens }) => tokens),
  };
}

describe('silence in the middle of an answer', () => {
  const fallSilent: Behaviour = (_, response) => {
    openStream(response);
    response.write(event(chunk({ content: 'Hel' })));
    return true;
  };

  it('ends a stream with its error, metered as far as it came, and frees the engine', async () => {
    const { engine, chat, usage } = await withEngine();
    engine.behave(fallSilent);
    const { body, headers } = await chat(true);
    const last = body.trimEnd().split('\n\n').at(-1)!.slice(6);
    expect(JSON.parse(last).error.code).toBe('upstream_timeout');
    expect(headers['x-lokal-attempts']).toBe('1');
    expect(engine.requests.length).toBe(1);
    expect(usage()).toEqual([1]);
    for (let waited = 0; engine.running() > 0 && waited < 100; waited += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(engine.running()).toBe(0);
  });

  it('is 504 where the answer is wanted whole', async () => {
    const { engine, chat } = await withEngine();
    engine.behave(fallSilent);
    const answer = await chat(false);
    expect([answer.statusCode, codeOf(answer)]).toEqual([504, 'upstream_timeout']);
    expect(engine.requests.length).toBe(1);
  });
});

describe('a body that is not as long as promised', () => {
  const vectors =
    (extra: number): Behaviour =>
    ({ body }, response) => {
      const text = JSON.stringify(embeddings(body.input, 1024));
      response.strictContentLength = false;
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length + extra });
      response.write(text);
      if (extra > 0) setTimeout(() => response.destroy(), 30);
      else response.end();
      return true;
    };

  it.each([
    ['shorter', 100, 'upstream_error'],
    ['longer', -100, 'upstream_invalid_output'],
  ])('%s is an error, and never half an answer', async (_, extra, code) => {
    const { engine, embed } = await withEngine();
    engine.behave(vectors(extra));
    const answer = await embed('one');
    expect([answer.statusCode, codeOf(answer)]).toEqual([502, code]);
    engine.behave(null);
    expect((await embed('one')).statusCode).toBe(200);
  });

  it('does not pass the surplus off as the next answer', async () => {
    const { engine, embed } = await withEngine();
    engine.behave(({ body }, response) => {
      const text = JSON.stringify(embeddings(body.input, 1024));
      const forged = JSON.stringify({
        ...embeddings(['x'], 1024),
        usage: { prompt_tokens: 9, total_tokens: 9 },
      });
      const head = (length: number) =>
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
      const { socket } = response;
      socket!.write(head(text.length) + text);
      setTimeout(() => socket!.write(head(forged.length) + forged), 20);
      return true;
    });
    expect((await embed('one')).statusCode).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 100));
    engine.behave(null);
    const next = await embed('one');
    expect([next.statusCode, next.json().usage.prompt_tokens]).toEqual([200, 3]);
    expect(engine.requests.length).toBe(2);
  });
});
