import { expect, it, vi } from 'vitest';
import { createAttempt } from '../server/app.ts';

it('says once that the database takes nothing, and once that it does again', () => {
  const log = { error: vi.fn(), info: vi.fn() };
  const attempt = createAttempt(log);
  let full = true;
  const write = () => {
    if (full) throw Object.assign(new Error('private'), { code: 'SQLITE_FULL' });
  };
  attempt(write);
  attempt(write);
  expect(log.error.mock.calls).toEqual([[{ code: 'SQLITE_FULL' }, 'the database could not be written']]);
  full = false;
  attempt(write);
  attempt(write);
  expect(log.info.mock.calls).toEqual([['the database is written again']]);
});
