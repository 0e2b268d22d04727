/** Work of the playgrounds that is kept across restarts. */
import { describe, expect, test } from 'vitest';
import { codeOf, openTestApp, send, type TestApp } from '../support/app/test-app.ts';

const record = {
  kind: 'documents',
  title: 'Rent of March',
  pinned: false,
  content: JSON.stringify({ said: 'Rahsia: 740505-10-5051' }),
};

const ask = (app: TestApp, method: string, path: string, body?: object) =>
  send(app, path, null, { method, headers: app.session(), ...(body && { body }) });

describe('kept work', () => {
  test('is off until the person switches it on', async () => {
    const app = openTestApp();
    expect(codeOf(await ask(app, 'PUT', '/console/work/one', record))).toBe('conflict');
    expect((await ask(app, 'GET', '/console/work')).json().data).toEqual([]);
  });

  test('comes back as it was, newest first, and is sealed in the database, title and kind too', async () => {
    const app = openTestApp({ settings: { work_history_days: 30 } });
    await ask(app, 'PUT', '/console/work/one', record);
    app.clock.advance(2_000);
    await ask(app, 'PUT', '/console/work/two', { ...record, kind: 'threats', title: 'Later' });
    const { data } = (await ask(app, 'GET', '/console/work')).json();
    expect(data).toMatchObject([
      { id: 'two', kind: 'threats', title: 'Later' },
      { id: 'one', kind: 'documents', title: 'Rent of March' },
    ]);
    expect((await ask(app, 'GET', '/console/work/one')).json()).toMatchObject(record);
    for (const row of app.db.prepare('SELECT * FROM sealed_records').all() as {
      head: Buffer;
      content: Buffer;
    }[])
      expect(Buffer.concat([row.head, row.content]).toString('latin1')).not.toMatch(/Rahsia|Rent|documents/);
  });

  test('is renamed and pinned without its content', async () => {
    const app = openTestApp({ settings: { work_history_days: 30 } });
    await ask(app, 'PUT', '/console/work/one', record);
    await ask(app, 'PATCH', '/console/work/one', { title: 'Rent', pinned: true });
    expect((await ask(app, 'GET', '/console/work/one')).json()).toMatchObject({
      ...record,
      title: 'Rent',
      pinned: true,
    });
    expect(codeOf(await ask(app, 'PATCH', '/console/work/none', { title: 'Rent' }))).toBe('not_found');
    expect(codeOf(await ask(app, 'PATCH', '/console/work/one', { title: '' }))).toBe('invalid_value');
  });

  test('cannot be moved to another id', async () => {
    const app = openTestApp({ settings: { work_history_days: 30 } });
    await ask(app, 'PUT', '/console/work/one', record);
    app.db.prepare("UPDATE sealed_records SET id = 'moved'").run();
    expect((await ask(app, 'GET', '/console/work')).json().data).toEqual([]);
    expect((await ask(app, 'GET', '/console/work/moved')).statusCode).toBe(404);
  });

  test('goes after its days, by one, all at once, and when switched off', async () => {
    const app = openTestApp({ settings: { work_history_days: 2 } });
    const ids = async () =>
      (await ask(app, 'GET', '/console/work')).json().data.map(({ id }: { id: string }) => id);
    await ask(app, 'PUT', '/console/work/old', record);
    app.clock.advance(3 * 86_400_000);
    for (const id of ['a', 'b', 'c']) await ask(app, 'PUT', `/console/work/${id}`, record);
    app.services.deleteExpired();
    expect((await ids()).toSorted()).toEqual(['a', 'b', 'c']);
    await ask(app, 'DELETE', '/console/work/a');
    expect((await ids()).toSorted()).toEqual(['b', 'c']);
    expect(codeOf(await ask(app, 'DELETE', '/console/work/a'))).toBe('not_found');
    await ask(app, 'PATCH', '/console/settings', { work_history_days: 0 });
    app.clock.advance(1);
    app.services.deleteExpired();
    expect(await ids()).toEqual([]);
    await ask(app, 'PATCH', '/console/settings', { work_history_days: 2 });
    await ask(app, 'PUT', '/console/work/d', record);
    await ask(app, 'DELETE', '/console/work');
    expect(await ids()).toEqual([]);
  });
});
