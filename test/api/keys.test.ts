import { describe, expect, it } from 'vitest';
import { codeOf, openTestApp, send } from '../support/app/test-app.ts';

describe('a key’s name', () => {
  it.each(['a\u001b[2Jb', 'two\nlines', 'a\u0000', '\u009b31m'])(
    'holds no control characters: %j',
    async (name) => {
      const test = openTestApp();
      const answer = await send(test, '/v1/keys', test.key({ scopes: ['keys', 'chat'] }), {
        body: { name, scopes: ['chat'] },
      });
      expect([answer.statusCode, codeOf(answer)]).toEqual([400, 'invalid_value']);
    },
  );

  it.each(['', ' ', '\u3000 '])('is not blank: %j', async (name) => {
    const test = openTestApp();
    const answer = await send(test, '/v1/keys', test.key({ scopes: ['keys'] }), { body: { name } });
    expect(answer.json().error).toMatchObject({ code: 'invalid_value', param: 'name' });
  });

  it.each(['Laporan 報告 🔑', "Robert'); DROP TABLE keys;--"])('may be in any script: %s', async (name) => {
    const test = openTestApp();
    const answer = await send(test, '/v1/keys', test.key({ scopes: ['keys', 'chat'] }), {
      body: { name, scopes: ['chat'] },
    });
    expect(answer.json()).toMatchObject({ name });
  });
});

describe('a key’s expiry', () => {
  it.each([-1, 1.5, 253_402_300_800, 1e300])('is a time up to the year 9999, not %d', async (expires) => {
    const test = openTestApp();
    const answer = await send(test, '/v1/keys', test.key({ scopes: ['keys'] }), {
      body: { name: 'a', expires },
    });
    expect(answer.json().error).toMatchObject({ code: 'invalid_value', param: 'expires' });
  });
});

describe('an empty list', () => {
  it.each(['scopes', 'models'])('of %s is refused: it would widen or shut out', async (field) => {
    const test = openTestApp();
    const manager = test.key({ scopes: ['keys', 'chat'] });
    const narrow = test.key({ scopes: ['chat'] });
    const change = { body: { [field]: [] } };
    const changed = await send(test, `/v1/keys/${narrow.id}`, manager, { method: 'PATCH', ...change });
    expect(changed.json().error).toMatchObject({ code: 'invalid_value', param: field });
    const made = await send(test, '/v1/keys', manager, { body: { name: 'a', ...change.body } });
    expect(made.json().error).toMatchObject({ code: 'invalid_value', param: field });
  });
});
