/** Responses that are kept: gone on with, read, forgotten, and nobody else's. */
import { describe, expect, it } from 'vitest';
import type { GenerateEvent, GenerateParams } from '../../server/engine/chat/types.ts';
import { openTestApp, send } from '../support/app/test-app.ts';

const path = '/v1/responses';
const model = 'svc-lingua-7b';
const secretWords = 'the code of the safe';

function setUp(days: number) {
  const asked: GenerateParams[] = [];
  const generate = function* (params: GenerateParams): Generator<GenerateEvent> {
    asked.push(params);
    yield { kind: 'prompt', tokens: 5 };
    yield { kind: 'text', choice: 0, text: 'noted' };
    yield { kind: 'tool', choice: 0, call: 0, id: 'call_1', name: 'look' };
    yield { kind: 'arguments', choice: 0, call: 0, text: '{}' };
    yield { kind: 'finish', choice: 0, reason: 'tool_calls', tokens: 4 };
  };
  const app = openTestApp({ methods: { chat: { generate } }, settings: { responses_days: days } });
  return { app, asked, key: app.key() };
}

describe('a kept response', () => {
  it('is gone on with, without its instructions', async () => {
    const { app, asked, key } = setUp(1);
    const first = (
      await send(app, path, key, { body: { model, instructions: 'Be brief.', input: secretWords } })
    ).json();
    expect(first.store).toBe(true);
    const input = [{ type: 'function_call_output', call_id: 'call_1', output: '42' }];
    const streamed = await send(app, path, key, {
      body: { model, input, previous_response_id: first.id, stream: true },
    });
    const second = JSON.parse(streamed.body.trim().split('\n').at(-1)!.slice('data: '.length)).response;
    expect(second.previous_response_id).toBe(first.id);
    await send(app, path, key, { body: { model, input: 'And now?', previous_response_id: second.id } });
    expect(asked[2]?.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', secretWords],
      ['assistant', 'noted'],
      ['tool', '42'],
      ['assistant', 'noted'],
      ['user', 'And now?'],
    ]);
    expect(asked[2]?.messages[1]?.tool_calls).toHaveLength(1);
  });

  it('is the key’s that replaces the one it was made with', async () => {
    const { app, asked, key } = setUp(1);
    const { id } = (await send(app, path, key, { body: { model, input: secretWords } })).json();
    const replacement = app.services.keys.rotate(key.id, 0, 'owner');
    const body = { model, input: 'And now?', previous_response_id: id };
    expect((await send(app, path, replacement, { body })).statusCode).toBe(200);
    expect(asked[1]?.messages[0]?.content).toBe(secretWords);
    expect((await send(app, path, app.key(), { body })).statusCode).toBe(404);
  });

  it('is read and forgotten by its key alone, and lies sealed', async () => {
    const { app, key } = setUp(1);
    const { id } = (await send(app, path, key, { body: { model, input: secretWords } })).json();
    const own = await send(app, `${path}/${id}`, key);
    expect(own.json()).toMatchObject({
      id,
      status: 'completed',
      output: [{ type: 'message' }, { type: 'function_call' }],
    });
    const other = app.key();
    expect((await send(app, `${path}/${id}`, other)).statusCode).toBe(404);
    expect((await send(app, `${path}/${id}`, other, { method: 'DELETE' })).statusCode).toBe(404);
    const rows = app.db.prepare('SELECT content FROM sealed_records').pluck().all() as Buffer[];
    expect(rows).toHaveLength(1);
    expect(rows[0]!.includes(secretWords)).toBe(false);
    const forgotten = await send(app, `${path}/${id}`, key, { method: 'DELETE' });
    expect(forgotten.json()).toEqual({ id, object: 'response', deleted: true });
    expect((await send(app, `${path}/${id}`, key)).statusCode).toBe(404);
  });

  it('goes when its days are over, and none is kept that asks not to be', async () => {
    const { app, key } = setUp(1);
    const { id } = (await send(app, path, key, { body: { model, input: 'a' } })).json();
    const { id: unkept, store } = (
      await send(app, path, key, { body: { model, input: 'a', store: false } })
    ).json();
    expect(store).toBe(false);
    expect((await send(app, `${path}/${unkept}`, key)).statusCode).toBe(404);
    app.services.deleteExpired();
    expect((await send(app, `${path}/${id}`, key)).statusCode).toBe(200);
    app.clock.advance(2 * 86_400_000);
    app.services.deleteExpired();
    expect((await send(app, `${path}/${id}`, key)).statusCode).toBe(404);
  });

  it('is none while the setting is off', async () => {
    const { app, key } = setUp(0);
    const refusal = async (url: string, body?: object) => {
      const { error } = (await send(app, url, key, body ? { body } : {})).json();
      return [error.code, error.param];
    };
    expect(await refusal(path, { model, input: 'a', store: true })).toEqual(['invalid_value', 'store']);
    expect(await refusal(path, { model, input: 'a', previous_response_id: 'resp_1' })).toEqual([
      'invalid_value',
      'previous_response_id',
    ]);
    expect(await refusal(`${path}/resp_1`)).toEqual(['invalid_value', 'id']);
    expect((await send(app, path, key, { body: { model, input: 'a' } })).json().store).toBe(false);
  });
});
