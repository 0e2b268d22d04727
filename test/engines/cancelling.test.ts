import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openTestApp } from '../support/app/test-app.ts';
import { startScriptedEngine } from '../support/engines/scripted-engine.ts';

const endless = Array.from({ length: 2_000 }, () => 'x');

async function openFront() {
  const engine = await startScriptedEngine({ text: endless, pauseMs: 20 });
  const test = openTestApp();
  const quick = (path: string, method: 'POST', payload: object) =>
    test.app.inject({ method, url: path, headers: test.session(), payload });
  // Its own trial would wait for the whole text.
  engine.behave(({ body }, response) => {
    if (body.max_tokens === 64 || body.max_tokens <= 16) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        'data: {"choices":[{"index":0,"delta":{"content":"y"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      );
      return true;
    }
    return undefined;
  });
  const models = [{ role: 'svc-lingua-7b', model: 'tiny' }];
  const added = await quick('/console/engines', 'POST', {
    name: 'e1',
    kind: 'openai',
    base_url: engine.url,
    models,
  });
  expect(added.json().trial.passed).toBe(true);
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = test.app.server.address() as AddressInfo;
  const { secret } = test.key({ scopes: ['chat', 'upstream'] });
  const ask = (body: object, signal: AbortSignal, headers = {}) =>
    fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        model: 'svc-lingua-7b',
        max_tokens: 2_000,
        messages: [{ role: 'user', content: 'Hi' }],
        ...body,
      }),
      signal,
    });
  const quiet = async () => {
    const until = Date.now() + 5_000;
    while (engine.running() > 0 && Date.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 20));
    return engine.running();
  };
  return { engine, test, ask, quiet };
}

describe('a client that leaves', () => {
  it('ends the engine’s work, streamed or not', async () => {
    const { engine, ask, quiet } = await openFront();
    const leave = new AbortController();
    const answer = await ask({ stream: true }, leave.signal);
    await answer.body!.getReader().read();
    expect(engine.running()).toBe(1);
    leave.abort();
    expect(await quiet()).toBe(0);
    const leaveWhole = new AbortController();
    const whole = ask({}, leaveWhole.signal).catch(() => null);
    while (engine.running() === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    leaveWhole.abort();
    await whole;
    expect(await quiet()).toBe(0);
  });

  it('with an Idempotency-Key and a whole answer leaves it running', async () => {
    const { engine, ask } = await openFront();
    const leave = new AbortController();
    const whole = ask({}, leave.signal, { 'idempotency-key': 'k1' }).catch(() => null);
    while (engine.running() === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    leave.abort();
    await whole;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(engine.running()).toBe(1);
  });
});
