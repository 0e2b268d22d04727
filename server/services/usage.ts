/** Metering of live keys, rolled up per key, model and UTC day. Sums are kept in memory and written by `flush`. */
import type { UsageDay } from '../api/console.ts';
import type { UsageStore } from '../db/usage.ts';
import type { Meter, Principal } from './caller.ts';

export interface UsageService {
  /** One executed request. Test keys are never metered. */
  record(principal: Principal, meter: Meter): void;
  flush(): void;
  /** The last `days` days, today included, oldest first. */
  report(days: number): UsageDay[];
}

const dayMs = 86_400_000;
const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

export function createUsageService(store: UsageStore, now: () => number): UsageService {
  const pending = new Map<string, UsageDay>();

  function flush(): void {
    if (pending.size === 0) return;
    store.add([...pending.values()]);
    pending.clear();
  }

  return {
    record(principal, meter) {
      const { model } = meter;
      if (principal.class === 'test' || model === null) return;
      const day = toDay(now());
      const id = `${day} ${principal.keyId} ${model}`;
      const row = pending.get(id) ?? emptyRow(day, principal, model);
      row.requests += 1;
      row.prompt_tokens += meter.promptTokens;
      row.completion_tokens += meter.completionTokens;
      row.images += meter.images;
      row.frames += meter.frames;
      row.pages += meter.pages;
      pending.set(id, row);
    },
    flush,
    report(days) {
      flush();
      return store.since(toDay(now() - (days - 1) * dayMs));
    },
  };
}

const emptyRow = (day: string, principal: Principal, model: string): UsageDay => ({
  day,
  key_id: principal.keyId,
  key_name: principal.name,
  model,
  requests: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  images: 0,
  frames: 0,
  pages: 0,
});
