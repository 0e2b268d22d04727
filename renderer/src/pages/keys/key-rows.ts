/** Keys in the order and selection the table shows, and their use by day. */
import type { UsageDay } from '../../../../server/api/console/console.ts';
import type { ApiKey } from '../../../../server/api/keys.ts';
import { lastDays } from '../../format/time.ts';

export const sparklineDays = 30;

/** Working keys first, newest first. */
export function filterKeys(keys: ApiKey[], filter: string): ApiKey[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return keys
    .filter((key) => {
      const text = [key.name, key.prefix, key.last_four, key.class, key.plan, key.status, ...key.scopes]
        .join(' ')
        .toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .sort((a, b) => Number(isEnded(a)) - Number(isEnded(b)) || b.created - a.created);
}

/** A key told from others of its name. */
export const shownKey = ({ prefix, last_four: last }: Pick<ApiKey, 'prefix' | 'last_four'>): string =>
  `${prefix}…${last}`;

export const isEnded = (key: ApiKey): boolean => key.status === 'revoked' || key.status === 'expired';

/** Requests of the last days for each key id, oldest day first. */
export function requestsByDay(usage: UsageDay[], nowMs = Date.now()): Map<string, number[]> {
  const days = new Map(lastDays(sparklineDays, nowMs).map((day, index) => [day, index]));
  const byKey = new Map<string, number[]>();
  for (const { key_id, day, requests } of usage) {
    const index = days.get(day);
    if (index === undefined) continue;
    const row = byKey.get(key_id) ?? new Array<number>(sparklineDays).fill(0);
    row[index] = (row[index] ?? 0) + requests;
    byKey.set(key_id, row);
  }
  return byKey;
}
