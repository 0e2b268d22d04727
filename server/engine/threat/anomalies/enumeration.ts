/** Counting: records read by their number, one after another, and codes tried so. No word tells of either. */
import type { LogEvent } from '../readers/event.ts';
import { firstField } from '../readers/event.ts';
import type { Anomaly } from './anomaly.ts';
import type { AnomalyWords } from './anomaly-words.ts';

/** People page through lists by small numbers; records have larger ones. */
const RECORD = /^(.{1,200}\/(?:[A-Z]{1,5}-?)?)(\d{3,15})\/?$/u;
const LEAST_IN_A_ROW = 4;

const clientOf = (event: LogEvent): string =>
  firstField(event, 'src_ip', 'c-ip', 'sourceip', 'srcip', 'src', 'id.orig_h') ?? '';

/** Whoever asks first where he may look and says that he is a crawler reads the pages that everybody sees. */
export function findEnumeration(events: readonly LogEvent[], { record, crawler }: AnomalyWords): Anomaly[] {
  const read = new Map<string, { number: number; event: LogEvent }[]>();
  const crawlers = new Set<string>();
  // Lines that name no client are all of one, and any of them may tell its name.
  const isOfCrawler = events.some(({ raw }) => crawler.test(raw));
  const isNamed = (event: LogEvent, client: string) =>
    client === '' ? isOfCrawler : crawler.test(firstField(event, 'c-useragent') ?? '');
  for (const event of events) {
    const path = firstField(event, 'cs-uri-stem', 'c-uri');
    const client = clientOf(event);
    if (path === '/robots.txt' && isNamed(event, client)) crawlers.add(client);
    const uri = firstField(event, 'c-uri') ?? '';
    const [, folder, number] = RECORD.exec(path ?? '') ?? record.exec(uri) ?? [];
    const status = firstField(event, 'sc-status', 'status_code', 'status');
    if (folder === undefined || (status !== undefined && !status.startsWith('2'))) continue;
    if (crawlers.has(client)) continue;
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

const LEAST_CODES = 3;

/** Codes that rise by one from try to try: somebody counts until one fits. */
export function findCountedCodes(events: readonly LogEvent[], { asksCode, code }: AnomalyWords): Anomaly[] {
  const tries = new Map<string, { number: number; event: LogEvent }[]>();
  for (const event of events) {
    if (!asksCode.test(event.raw)) continue;
    for (const [, before = '', number = ''] of event.raw.matchAll(code)) {
      const key = `${before} ${number.length}`;
      const held = tries.get(key) ?? [];
      tries.set(key, held);
      held.push({ number: Number(number), event });
    }
  }
  return [...tries.values()].flatMap((list) => {
    const row = longestRow(list);
    if (row.length < LEAST_CODES) return [];
    return [
      {
        ruleId: 'anomaly-counted-codes',
        title: 'Codes are tried one after another',
        level: 'high',
        ttps: ['T1110.001'],
        events: [...new Set(row.map(({ event }) => event))],
      },
    ];
  });
}
