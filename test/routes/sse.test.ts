import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../server/errors.ts';
import { toEventStream } from '../../server/routes/sse.ts';

async function* events(...values: unknown[]) {
  for (const value of values) {
    if (value instanceof Error) throw value;
    if (typeof value === 'number') await sleep(value);
    else yield value;
  }
}

describe('toEventStream', () => {
  it('sends each event and [DONE]', async () => {
    const onComplete = vi.fn();
    expect(await text(toEventStream(events({ a: 1 }, { b: '行\n' }), { onComplete }))).toBe(
      'data: {"a":1}\n\ndata: {"b":"行\\n"}\n\ndata: [DONE]\n\n',
    );
    expect(onComplete).toHaveBeenCalledOnce();
  });

  it('pings through a silence without losing the event', async () => {
    const sent = await text(toEventStream(events(120, { a: 1 }), { pingMs: 20 }));
    expect(sent).toMatch(/^(: ping\n\n)+data: \{"a":1\}\n\ndata: \[DONE\]\n\n$/);
  });

  it('ends with the error and no [DONE] when the work fails', async () => {
    const onComplete = vi.fn();
    const sent = await text(
      toEventStream(events({ a: 1 }, new ApiError('engine_crashed', 'It ended.')), { onComplete }),
    );
    expect(sent).toBe(
      'data: {"a":1}\n\ndata: {"error":{"message":"It ended.","type":"service_unavailable_error","param":null,"code":"engine_crashed"}}\n\n',
    );
    expect(onComplete).not.toHaveBeenCalled();
  });

  it('keeps the words of a defect to itself', async () => {
    const onFailure = vi.fn();
    const sent = await text(toEventStream(events(new Error('secret prompt')), { onFailure }));
    expect(sent).not.toMatch(/secret/);
    expect(sent).toMatch(/internal_error/);
    expect(onFailure).toHaveBeenCalledExactlyOnceWith(new Error('secret prompt'));
  });

  it('ends the work when the reader goes away', async () => {
    const ended = vi.fn();
    async function* forever() {
      try {
        for (;;) {
          yield { tick: true };
          await sleep(1);
        }
      } finally {
        ended();
      }
    }
    const stream = toEventStream(forever());
    stream.once('data', () => stream.destroy());
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
  });
});
