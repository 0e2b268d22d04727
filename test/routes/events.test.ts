import { describe, expect, it } from 'vitest';
import { ApiError } from '../../server/errors.ts';
import { Exchange } from '../../server/plugins/exchange.ts';
import { openEvents, untilCancelled } from '../../server/routes/events.ts';

const gone = new ApiError('client_closed_request', 'gone');
const revoked = new ApiError('revoked_api_key', 'revoked');
const open = () => new Exchange('r', 0);

async function* tokens(...items: (string | Error)[]) {
  for (const item of items) {
    if (item instanceof Error) throw item;
    yield item;
  }
}

async function collect(events: AsyncIterator<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let next = await events.next(); !next.done; next = await events.next()) all.push(next.value);
  return all;
}

describe('untilCancelled', () => {
  it('settles as the work does', async () => {
    expect(await untilCancelled(Promise.resolve(1), open())).toBe(1);
    await expect(untilCancelled(Promise.reject(new Error('no')), open())).rejects.toThrow('no');
  });

  it('ends with the first reason, whether or not the work notices', async () => {
    const exchange = open();
    const work = untilCancelled(new Promise(() => {}), exchange);
    exchange.cancel(gone);
    exchange.cancel(revoked);
    await expect(work).rejects.toBe(gone);
    await expect(untilCancelled(Promise.resolve(1), exchange)).rejects.toBe(gone);
  });
});

describe('openEvents', () => {
  it('gives all events in order', async () => {
    expect(await collect((await openEvents(tokens('a', 'b'), open())).events)).toEqual(['a', 'b']);
    expect(await collect((await openEvents(tokens(), open())).events)).toEqual([]);
  });

  it('throws before the headers what the first event throws', async () => {
    await expect(openEvents(tokens(revoked), open())).rejects.toBe(revoked);
  });

  it('says when the first event is late, and gives it all the same', async () => {
    const ready = Promise.withResolvers<string>();
    const late = (async function* () {
      yield await ready.promise;
    })();
    const { events, isLate } = await openEvents(late, open(), 1);
    expect(isLate).toBe(true);
    ready.resolve('a');
    expect(await collect(events)).toEqual(['a']);
    expect((await openEvents(tokens('a'), open())).isLate).toBe(false);
  });

  it('throws later what comes later', async () => {
    const { events } = await openEvents(tokens('a', revoked), open());
    await expect(collect(events)).rejects.toBe(revoked);
  });

  it('ends a silent stream when the exchange is cancelled', async () => {
    const exchange = open();
    async function* silent() {
      yield 'a';
      await new Promise(() => {});
    }
    const { events } = await openEvents(silent(), exchange);
    const all = collect(events);
    setImmediate(() => exchange.cancel(revoked));
    await expect(all).rejects.toBe(revoked);
  });
});
