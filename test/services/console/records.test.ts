import { describe, expect, it } from 'vitest';
import type { ConsoleEvent, RequestEntry } from '../../../server/api/console/console.ts';
import { emptyMeter } from '../../../server/services/caller.ts';
import { createEventBus } from '../../../server/services/console/events.ts';
import { openTestApp } from '../../support/app/test-app.ts';
import { makeCaller } from '../../support/caller.ts';

const used = (promptTokens: number) => ({ ...emptyMeter(), model: 'svc-embed-base' as const, promptTokens });

describe('usage', () => {
  it('adds up per key, model and UTC day, across flushes', () => {
    const { services, clock } = openTestApp();
    const { principal } = makeCaller();
    clock.ms = Date.parse('2030-01-01T23:59:59Z');
    services.usage.record(principal, used(1));
    services.usage.flush();
    services.usage.record(principal, used(2));
    clock.advance(1_000);
    services.usage.record(principal, used(4));
    expect(services.usage.report(30)).toMatchObject([
      { day: '2030-01-01', key_name: 'test caller', requests: 2, prompt_tokens: 3 },
      { day: '2030-01-02', requests: 1, prompt_tokens: 4 },
    ]);
  });

  it('is for live keys and for work with a model', () => {
    const { services } = openTestApp();
    services.usage.record(makeCaller({ class: 'test' }).principal, used(1));
    services.usage.record(makeCaller().principal, emptyMeter());
    expect(services.usage.report(30)).toEqual([]);
  });

  it('reports so many days, today included', () => {
    const { services, clock } = openTestApp();
    const { principal } = makeCaller();
    for (let day = 0; day < 4; day++) {
      services.usage.record(principal, used(1));
      clock.advance(86_400_000);
    }
    services.usage.record(principal, used(1));
    expect(services.usage.report(2)).toHaveLength(2);
  });
});

const entry = (id: string) => ({ id }) as RequestEntry;

describe('the request log', () => {
  it('keeps as many as the settings say, newest first', () => {
    const { services } = openTestApp({ settings: { request_log_rows: 3 } });
    for (const id of ['a', 'b', 'c', 'd']) services.requestLog.add(entry(id));
    expect(services.requestLog.latest(10).map(({ id }) => id)).toEqual(['d', 'c', 'b']);
    services.requestLog.add(entry('e'));
    expect(services.requestLog.latest(2).map(({ id }) => id)).toEqual(['e', 'd']);
    services.requestLog.clear();
    expect(services.requestLog.latest(10)).toEqual([]);
  });

  it('keeps none where none is wanted', () => {
    const { services } = openTestApp({ settings: { request_log_rows: 0 } });
    services.requestLog.add(entry('a'));
    expect(services.requestLog.latest(10)).toEqual([]);
  });

  it('keeps the last thousand of a burst', () => {
    const { services } = openTestApp();
    for (let count = 0; count < 5_000; count++) services.requestLog.add(entry(String(count)));
    const kept = services.requestLog.latest(10_000);
    expect(kept[0]?.id).toBe('4999');
    expect(kept.length).toBeGreaterThanOrEqual(1_000);
  });
});

describe('the event bus', () => {
  const event = (page: number): ConsoleEvent => ({ type: 'progress', request_id: 'r', page, pages: 9 });

  it('gives each reader what comes after it, and forgets it when it leaves', async () => {
    const bus = createEventBus();
    bus.publish(event(0));
    const stop = new AbortController();
    const reader = bus.subscribe(stop.signal)[Symbol.asyncIterator]();
    const first = reader.next();
    bus.publish(event(1));
    expect((await first).value).toEqual(event(1));
    expect(bus.observed).toBe(true);
    const end = reader.next();
    stop.abort();
    expect((await end).done).toBe(true);
    expect(bus.observed).toBe(false);
  });

  it('drops the oldest for a reader that falls behind', async () => {
    const bus = createEventBus();
    const reader = bus.subscribe(new AbortController().signal)[Symbol.asyncIterator]();
    const first = reader.next();
    for (let page = 0; page < 1_500; page++) bus.publish(event(page));
    expect((await first).value).toEqual(event(500));
    await reader.return?.();
  });
});

describe('settings', () => {
  it('last, and fall back to the defaults when a stored value no longer fits', () => {
    const first = openTestApp();
    first.services.settings.update({ max_queue: 7 });
    expect(openTestApp({ file: first.file }).services.settings.get().max_queue).toBe(7);
    first.stores.settings.set({ max_queue: 'many' });
    expect(openTestApp({ file: first.file }).services.settings.get().max_queue).toBe(64);
  });
});

describe('console sessions', () => {
  const refusal = expect.objectContaining({ code: 'session_required' });

  it('come from a token that works once, within an hour', () => {
    const { services, clock } = openTestApp();
    const { sessions } = services;
    const token = sessions.issueToken();
    const session = sessions.exchange(token);
    expect(sessions.admit(session)).toBe(session.id);
    expect(() => sessions.exchange(token)).toThrow(refusal);
    const late = sessions.issueToken();
    clock.advance(3_600_000);
    expect(() => sessions.exchange(late)).toThrow(refusal);
  });

  it('need both secrets, of one session', () => {
    const { sessions } = openTestApp().services;
    const [one, other] = [sessions.exchange(sessions.issueToken()), sessions.exchange(sessions.issueToken())];
    const { cookie, secret } = one;
    expect(sessions.admit({ cookie, secret: undefined })).toBe(null);
    expect(sessions.admit({ cookie, secret: other.secret })).toBe(null);
    expect(sessions.admit({ cookie: undefined, secret })).toBe(null);
    expect(sessions.admit({ cookie: secret, secret: cookie })).toBe(null);
    expect(sessions.admit({ cookie, secret })).toBe(one.id);
  });

  it('end after twelve idle hours, and are swept', () => {
    const { services, clock, db } = openTestApp();
    const session = services.sessions.exchange(services.sessions.issueToken());
    clock.advance(11 * 3_600_000);
    expect(services.sessions.admit(session)).toBe(session.id);
    clock.advance(11 * 3_600_000);
    expect(services.sessions.admit(session)).toBe(session.id);
    clock.advance(12 * 3_600_000);
    expect(services.sessions.admit(session)).toBe(null);
    expect(services.sessions.list()).toEqual([]);
    const ended: string[] = [];
    services.sessions.onEnded((id) => ended.push(id));
    services.deleteExpired();
    expect(ended).toEqual([session.id]);
    expect(db.prepare('SELECT count(*) FROM console_sessions').pluck().get()).toBe(0);
  });

  it('keep hashes alone, and outlive a restart', () => {
    const first = openTestApp();
    const session = first.services.sessions.exchange(first.services.sessions.issueToken());
    const stored = JSON.stringify(first.db.prepare('SELECT * FROM console_sessions').all());
    expect(stored).not.toContain(session.cookie);
    expect(stored).not.toContain(session.secret);
    const again = openTestApp({ file: first.file });
    expect(again.services.sessions.admit(session)).toBe(session.id);
  });

  it('in one browser replace one another', () => {
    const { sessions } = openTestApp().services;
    const old = sessions.exchange(sessions.issueToken());
    const next = sessions.exchange(sessions.issueToken(), { agent: 'b', cookie: old.cookie });
    expect(sessions.admit(old)).toBe(null);
    expect(sessions.list().map(({ id, agent }) => [id, agent])).toEqual([[next.id, 'b']]);
  });

  it('that another process ended are told of', () => {
    const { services, stores } = openTestApp();
    const session = services.sessions.exchange(services.sessions.issueToken());
    const ended: string[] = [];
    services.sessions.onEnded((id) => ended.push(id));
    stores.consoleSessions.clear();
    services.sessions.renew();
    expect(ended).toEqual([session.id]);
  });
});
