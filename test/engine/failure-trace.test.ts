import { expect, it } from 'vitest';
import { traceOf } from '../../server/engine/failure-trace.ts';

it('holds class, code and place, and of the message a hash alone', () => {
  const error = Object.assign(new RangeError('secret payload at C:\\Users\\siti\\x.ts:1:1'), {
    code: 'E_RANGE',
  });
  const trace = traceOf(error);
  expect(trace).toMatchObject({
    class: 'RangeError',
    code: 'E_RANGE',
    hash: expect.stringMatching(/^[0-9a-f]{8}$/),
  });
  expect(trace.place[0]).toMatch(/^failure-trace\.test\.ts:\d+:\d+$/);
  expect(JSON.stringify(trace)).not.toMatch(/secret|siti|home|work/);
});

it('keeps nothing that a message or a name could bring in', () => {
  const error = new Error('a\n    at secret (/home/siti/secret.ts:1:1)');
  error.name = 'my secret';
  error.stack = `Error: a\n    at secret words (/home/siti/server/engine/x.ts:3:4)\n    at <anonymous>`;
  expect(traceOf(error)).toMatchObject({ class: 'Error', code: null, place: ['server/engine/x.ts:3:4'] });
  expect(traceOf('secret')).toEqual({ class: 'string', code: null, place: [], hash: null });
});
