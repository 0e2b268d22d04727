/** Engines at their limit: requests wait in order for a place, no more and no longer than they may. */
import { describe, expect, it } from 'vitest';
import { EngineSlots, mostWaiting } from '../../server/engines/slots.ts';
import { openTestApp, send, type TestApp } from '../support/app/test-app.ts';
import { chunk, event, openStream, startScriptedEngine } from '../support/engines/scripted-engine.ts';

const a = { name: 'a', concurrency: 1 };
const b = { name: 'b', concurrency: 1 };
const patient = { signal: new AbortController().signal, ms: 60_000 };

describe('places at engines', () => {
  it('are taken in the order of the targets, and given to those who wait first', async () => {
    const slots = new EngineSlots();
    expect([slots.take([a, b]), slots.take([a, b]), slots.take([a, b])]).toEqual([a, b, undefined]);
    const order: string[] = [];
    const first = slots.wait([b], patient).then((target) => order.push(`first ${target?.name}`));
    const second = slots.wait([a, b], patient).then((target) => order.push(`second ${target?.name}`));
    slots.leave('a');
    slots.leave('b');
    await Promise.all([first, second]);
    expect(order.sort()).toEqual(['first b', 'second a']);
    // Nobody barges in between.
    expect(slots.take([a, b])).toBeUndefined();
    slots.leave('a');
    expect(slots.take([a, b])).toBe(a);
  });

  it('are not lost by who gives up', async () => {
    const slots = new EngineSlots();
    slots.take([a]);
    const gone = new AbortController();
    const left = slots.wait([a], { signal: gone.signal, ms: 60_000 });
    expect(await slots.wait([a], { ...patient, ms: 5 })).toBeUndefined();
    gone.abort(new Error('gone'));
    slots.leave('a');
    await expect(left).rejects.toThrow('gone');
    expect(slots.take([a])).toBe(a);
    expect(slots.waiting).toBe(0);
  });

  it('are waited for by so many and no more', async () => {
    const slots = new EngineSlots();
    slots.take([a]);
    const gone = new AbortController();
    const all = Array.from({ length: mostWaiting }, () =>
      slots.wait([a], { signal: gone.signal, ms: 60_000 }).catch(() => 'gone'),
    );
    expect(await slots.wait([a], patient)).toBeUndefined();
    gone.abort();
    expect(new Set(await Promise.all(all))).toEqual(new Set(['gone']));
  });
});

async function open(seconds: number) {
  const test = openTestApp({ settings: { engine_queue_seconds: seconds } });
  const engine = await startScriptedEngine();
  const held: (() => void)[] = [];
  await test.app.inject({
    method: 'POST',
    url: '/console/engines',
    headers: test.session(),
    payload: {
      name: 'one',
      kind: 'openai',
      base_url: engine.url,
      concurrency: 1,
      models: [{ role: 'svc-lingua-7b', model: 'tiny' }],
    },
  });
  let most = 0;
  engine.behave(async (_, response) => {
    most = Math.max(most, engine.running());
    openStream(response);
    response.write(event(chunk({ content: 'Hi' })));
    await new Promise<void>((resolve) => held.push(resolve));
    response.write(event(chunk({}, 'stop')));
    response.end('data: [DONE]\n\n');
    return true;
  });
  const key = test.key({ scopes: ['chat', 'upstream'] });
  return { test, key, held, most: () => most };
}

const ask = (test: TestApp, key: { secret: string }) =>
  send(test, '/v1/chat/completions', key, {
    body: { model: 'svc-lingua-7b', messages: [{ role: 'user', content: 'Hi' }] },
  });

describe('an engine that takes one request at a time', () => {
  it('gets the others one after another', async () => {
    const { test, key, held, most } = await open(30);
    const answers = [ask(test, key), ask(test, key), ask(test, key)];
    for (let done = 0; done < answers.length; done += 1) {
      await expect.poll(() => held.length, { timeout: 10_000 }).toBe(1);
      held.pop()!();
    }
    expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(most()).toBe(1);
  });

  it('is waited for as long as the setting says, then 503 with Retry-After', async () => {
    const { test, key, held } = await open(1);
    const first = ask(test, key);
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(1);
    const second = await ask(test, key);
    expect(second.statusCode).toBe(503);
    expect(second.json().error).toMatchObject({ code: 'upstream_unavailable' });
    expect(second.headers['retry-after']).toBe('2');
    held.pop()!();
    expect((await first).statusCode).toBe(200);
    const third = ask(test, key);
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(1);
    held.pop()!();
    expect((await third).statusCode).toBe(200);
  });
});
