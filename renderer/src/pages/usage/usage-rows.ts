/** Metered use, added up by key, model, who answered or day, and as a file. */
import type { UsageDay } from '../../../../server/api/console/console.ts';
import { toCsv } from '../../export/csv.ts';
import { lastDays } from '../../format/time.ts';

export const usageDays = 30;
export const groupings = ['key', 'model', 'engine', 'day'] as const;
export type Grouping = (typeof groupings)[number];

export const amounts = [
  'requests',
  'estimated',
  'prompt_tokens',
  'completion_tokens',
  'images',
  'frames',
  'pages',
] as const;
export type Amounts = Record<(typeof amounts)[number], number>;

export interface UsageRow extends Amounts {
  id: string;
  /** A key's latest label, a model's id, an engine's name (empty: this machine) or a day. */
  label: string;
  /** Requests of the last 30 days, oldest first. */
  days: number[];
}

const idOf: Record<Grouping, (day: UsageDay) => string> = {
  key: ({ key_id }) => key_id,
  model: ({ model }) => model,
  engine: ({ upstream }) => upstream ?? '',
  day: ({ day }) => day,
};

/** The busiest first; days newest first. */
export function groupUsage(usage: UsageDay[], by: Grouping, nowMs = Date.now()): UsageRow[] {
  const places = new Map(lastDays(usageDays, nowMs).map((day, index) => [day, index]));
  const rows = new Map<string, UsageRow>();
  for (const each of usage) {
    const id = idOf[by](each);
    const row = rows.get(id) ?? { ...sumOf([]), id, label: id, days: new Array<number>(usageDays).fill(0) };
    for (const amount of amounts) row[amount] += each[amount];
    const place = places.get(each.day);
    if (place !== undefined) row.days[place] = (row.days[place] ?? 0) + each.requests;
    if (by === 'key') row.label = each.key_name;
    rows.set(id, row);
  }
  return [...rows.values()].sort((a, b) =>
    by === 'day' ? b.id.localeCompare(a.id) : b.requests - a.requests || a.label.localeCompare(b.label),
  );
}

export function sumOf(rows: readonly Amounts[]): Amounts {
  const sum = Object.fromEntries(amounts.map((amount) => [amount, 0])) as Amounts;
  for (const row of rows) for (const amount of amounts) sum[amount] += row[amount];
  return sum;
}

/** Everything, a line for each key, model, engine and day. */
export const usageCsv = (usage: UsageDay[]): string =>
  toCsv([
    ['day', 'key_id', 'key', 'model', 'engine', ...amounts],
    ...usage.map((row) => [
      row.day,
      row.key_id,
      row.key_name,
      row.model,
      row.upstream ?? 'local',
      ...amounts.map((amount) => row[amount]),
    ]),
  ]);
