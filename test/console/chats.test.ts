/** Kept conversations and presets of the chat playground, and the pack that the playground may name. */
import { describe, expect, test } from 'vitest';
import type { GenerateEvent } from '../../server/engine/chat/types.ts';
import { issuePlaygroundKey } from '../../server/services/keys/playground.ts';
import { codeOf, openTestApp, send, type TestApp } from '../support/app/test-app.ts';

const secret = 'Rahsia: 740505-10-5051';
const record = { title: 'A title', content: JSON.stringify({ said: secret }) };

const put = (app: TestApp, path: string, body: object = record) =>
  send(app, path, null, { method: 'PUT', headers: app.session(), body });
const get = (app: TestApp, path: string) => send(app, path, null, { headers: app.session() });
const remove = (app: TestApp, path: string) =>
  send(app, path, null, { method: 'DELETE', headers: app.session() });

describe('kept conversations', () => {
  test('are off until the person switches them on', async () => {
    const app = openTestApp();
    const response = await put(app, '/console/chats/one');
    expect(response.statusCode).toBe(409);
    expect((await get(app, '/console/chats')).json().data).toEqual([]);
  });

  test('come back as they were, newest first, and are sealed in the database', async () => {
    const app = openTestApp({ settings: { chat_history_days: 30 } });
    await put(app, '/console/chats/one');
    app.clock.advance(2_000);
    await put(app, '/console/chats/two', { ...record, title: 'Later' });
    const { data } = (await get(app, '/console/chats')).json();
    expect(data.map(({ id, title }: { id: string; title: string }) => [id, title])).toEqual([
      ['two', 'Later'],
      ['one', 'A title'],
    ]);
    expect((await get(app, '/console/chats/one')).json()).toMatchObject(record);
    const rows = app.db.prepare('SELECT * FROM sealed_records').all();
    expect(JSON.stringify(rows)).not.toContain('Rahsia');
    for (const row of rows as { head: Buffer; content: Buffer }[])
      expect(Buffer.concat([row.head, row.content]).includes('title')).toBe(false);
  });

  test('cannot be read under another key, nor moved to another id', async () => {
    const app = openTestApp({ settings: { chat_history_days: 30 } });
    await put(app, '/console/chats/one');
    app.db.prepare("UPDATE sealed_records SET id = 'moved'").run();
    expect((await get(app, '/console/chats')).json().data).toEqual([]);
    expect((await get(app, '/console/chats/moved')).statusCode).toBe(404);
  });

  test('go after their days, by one, all at once, and when switched off', async () => {
    const app = openTestApp({ settings: { chat_history_days: 2 } });
    const ids = async () =>
      (await get(app, '/console/chats')).json().data.map(({ id }: { id: string }) => id);
    await put(app, '/console/chats/old');
    app.clock.advance(3 * 86_400_000);
    for (const id of ['a', 'b', 'c']) await put(app, `/console/chats/${id}`);
    app.services.deleteExpired();
    expect((await ids()).toSorted()).toEqual(['a', 'b', 'c']);
    await remove(app, '/console/chats/a');
    expect(codeOf(await remove(app, '/console/chats/a'))).toBe('not_found');
    await remove(app, '/console/chats');
    expect(await ids()).toEqual([]);
    await put(app, '/console/chats/d');
    app.services.settings.update({ chat_history_days: 0 });
    app.clock.advance(1);
    app.services.deleteExpired();
    expect(await ids()).toEqual([]);
  });

  test('need a console session, and an id that is one', async () => {
    const app = openTestApp({ settings: { chat_history_days: 1 } });
    expect((await send(app, '/console/chats', null)).statusCode).toBe(401);
    expect(codeOf(await put(app, '/console/chats/no%20such%2F..'))).toBe('invalid_value');
  });
});

test('presets are kept whatever the history says', async () => {
  const app = openTestApp();
  await put(app, '/console/chat-presets/p');
  app.services.deleteExpired();
  expect((await get(app, '/console/chat-presets/p')).json()).toMatchObject(record);
  expect((await get(app, '/console/chats/p')).statusCode).toBe(404);
  await remove(app, '/console/chat-presets/p');
  expect((await get(app, '/console/chat-presets')).json().data).toEqual([]);
});

describe('X-Model-Pack', () => {
  const chat = { model: 'svc-lingua-7b', messages: [{ role: 'user', content: 'Hi' }] };

  function appThatNotes(): { app: TestApp; asked: unknown[] } {
    const asked: unknown[] = [];
    async function* answer(
      _params: unknown,
      { pack }: { pack?: string | null },
    ): AsyncGenerator<GenerateEvent> {
      asked.push(pack);
      yield { kind: 'prompt', tokens: 1 };
      yield { kind: 'finish', choice: 0, reason: 'stop', tokens: 0 };
    }
    return { app: openTestApp({ methods: { chat: { generate: answer } } }), asked };
  }

  test('names another pack for the playground’s key', async () => {
    const { app, asked } = appThatNotes();
    const key = issuePlaygroundKey(app.services.keyDirectory, 'ses_0', app.clock.ms);
    await send(app, '/v1/chat/completions', key, { body: chat, headers: { 'x-model-pack': 'other@2' } });
    await send(app, '/v1/chat/completions', key, { body: chat });
    expect(asked).toEqual(['other@2', null]);
  });

  test('is refused with any other key', async () => {
    const { app, asked } = appThatNotes();
    const response = await send(app, '/v1/chat/completions', app.key(), {
      body: chat,
      headers: { 'x-model-pack': 'other@2' },
    });
    expect([response.statusCode, codeOf(response)]).toEqual([403, 'insufficient_scope']);
    expect(asked).toEqual([]);
  });
});
