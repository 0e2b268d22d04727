/** One client reading records by their number, one after another: it takes what it was not given, without a word that tells. */
import type { LogEvent } from '../readers/event.ts';
import { firstField } from '../readers/event.ts';
import type { Anomaly } from './anomaly.ts';

/** People page through lists by small numbers; records have larger ones. */
const RECORD = /^(.{1,200}\/)(\d{3,15})\/?$/u;
const LEAST_IN_A_ROW = 4;

export function findEnumeration(events: readonly LogEvent[]): Anomaly[] {
  const read = new Map<string, { number: number; event: LogEvent }[]>();
  for (const event of events) {
    const path = firstField(event, 'cs-uri-stem', 'c-uri');
    const [, folder, number] = RECORD.exec(path ?? '') ?? [];
    const status = firstField(event, 'sc-status', 'status_code', 'status');
    if (folder === undefined || (status !== undefined && !status.startsWith('2'))) continue;
    const client = firstField(event, 'src_ip', 'c-ip', 'sourceip', 'srcip', 'src', 'id.orig_h') ?? '';
    const key = `${client} ${folder}`;
    const held = read.get(key) ?? [];
    read.set(key, held);
    held.push({ number: Number(number), event });
  }
  return [...read.values()].flatMap((list) => {
    const row = longestRow(list);
    if (row.length < LEAST_IN_A_ROW) return [];
    return [
      {
        ruleId: 'anomaly-numbered-records',
        title: 'One client reads numbered records one after another',
        level: 'medium',
        ttps: ['T1213'],
        events: row.map(({ event }) => event),
      },
    ];
  });
}

/** The longest run whose numbers rise by one. */
function longestRow<Row extends { number: number }>(list: readonly Row[]): Row[] {
  let [longest, length, start] = [0, 0, 0];
  list.forEach(({ number }, at) => {
    if (list[at - 1]?.number !== number - 1) start = at;
    if (at - start + 1 > length) [longest, length] = [start, at - start + 1];
  });
  return list.slice(longest, longest + length);
}
