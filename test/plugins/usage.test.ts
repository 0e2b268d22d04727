import { describe, expect, it } from 'vitest';
import type { GenerateEvent } from '../../server/engine/chat/types.ts';
import { calmAnswer, moderation, openTestApp, send } from '../support/app/test-app.ts';

const methods = { moderation: { classify: () => calmAnswer } };
const day = '2030-01-01';

describe('usage', () => {
  it('is in the database when the answer is out, without a flush', async () => {
    const test = openTestApp({ methods });
    expect((await send(test, '/v1/moderations', test.key(), { body: moderation })).statusCode).toBe(200);
    expect(test.stores.usage.since(day)).toMatchObject([{ model: 'svc-shield-base', requests: 1 }]);
  });

  it('of a stream is there with its last event, once', async () => {
    const events = async function* (): AsyncGenerator<GenerateEvent> {
      yield { kind: 'prompt', tokens: 3 };
      yield { kind: 'text', choice: 0, text: 'Hi' };
      yield { kind: 'finish', choice: 0, reason: 'stop', tokens: 1 };
    };
    const test = openTestApp({ methods: { chat: { generate: events } } });
    const body = { model: 'svc-lingua-7b', stream: true, messages: [{ role: 'user', content: 'x' }] };
    const answer = await send(test, '/v1/chat/completions', test.key(), { body });
    expect(answer.body).toContain('[DONE]');
    expect(test.stores.usage.since(day)).toMatchObject([
      { requests: 1, prompt_tokens: 3, completion_tokens: 1 },
    ]);
  });

  it('waits in memory while the disk is full, and is not counted twice', async () => {
    const test = openTestApp({ methods });
    const key = test.key();
    test.db.exec("CREATE TRIGGER full BEFORE INSERT ON usage BEGIN SELECT RAISE(ABORT, 'full'); END");
    for (let sent = 0; sent < 2; sent += 1) await send(test, '/v1/moderations', key, { body: moderation });
    test.db.exec('DROP TRIGGER full');
    await send(test, '/v1/moderations', key, { body: moderation });
    expect(test.services.usage.report(1)).toMatchObject([{ requests: 3 }]);
    expect(test.services.usage.report(1)).toMatchObject([{ requests: 3 }]);
  });
});
