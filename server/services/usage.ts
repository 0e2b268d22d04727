/**
 * Metering of live keys, rolled up per key, model, who answered and UTC day. Written at once, so that a kill loses nothing; sums that a full
 * disk refuses wait in memory for `flush`.
 */
import type { UsageDay } from '../api/console/console.ts';
import type { UsageStore } from '../db/journal/usage.ts';
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
      const id = `${day} ${principal.keyId} ${model} ${meter.upstream ?? ''}`;
      const row = toRow(day, principal, { ...meter, model });
      try {
        store.add([row]);
      } catch {
        pending.set(id, sum(pending.get(id), row));
      }
    },
    flush,
    report(days) {
      flush();
      return store.since(toDay(now() - (days - 1) * dayMs));
    },
  };
}

const toRow = (day: string, principal: Principal, meter: Meter & { model: string }): UsageDay => ({
  day,
  key_id: principal.keyId,
  key_name: principal.name,
  model: meter.model,
  upstream: meter.upstream,
  requests: 1,
  estimated: meter.estimated ? 1 : 0,
  prompt_tokens: meter.promptTokens,
  completion_tokens: meter.completionTokens,
  images: meter.images,
  frames: meter.frames,
  pages: meter.pages,
});

const sum = (before: UsageDay | undefined, row: UsageDay): UsageDay => ({
  ...row,
  requests: row.requests + (before?.requests ?? 0),
  estimated: row.estimated + (before?.estimated ?? 0),
  prompt_tokens: row.prompt_tokens + (before?.prompt_tokens ?? 0),
  completion_tokens: row.completion_tokens + (before?.completion_tokens ?? 0),
  images: row.images + (before?.images ?? 0),
  frames: row.frames + (before?.frames ?? 0),
  pages: row.pages + (before?.pages ?? 0),
});
