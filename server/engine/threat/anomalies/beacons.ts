/** The same pair of hosts talking at even intervals: what implants do and people do not. */
import { isIP } from 'node:net';
import { addressScope } from '../indicators/address.ts';
import type { LogEvent } from '../readers/event.ts';
import { firstField } from '../readers/event.ts';
import type { Anomaly } from './anomaly.ts';

const MIN_CONTACTS = 8;
const MIN_INTERVAL_MS = 5_000;
/** Jitter: standard deviation of the intervals over their mean. */
const MAX_JITTER = 0.1;

export function findBeacons(events: readonly LogEvent[]): Anomaly[] {
  const pairs = new Map<string, LogEvent[]>();
  for (const event of events) {
    if (event.timeMs === null) continue;
    const from = firstField(event, 'src_ip', 'sourceip', 'srcip', 'id.orig_h', 'src', 'computer');
    const to = firstField(
      event,
      'dst_ip',
      'destinationip',
      'dstip',
      'id.resp_h',
      'dst',
      'queryname',
      'query',
      'destinationhostname',
    );
    const target = to ?? /^https?:\/\/([^/:?#]{3,255})/u.exec(firstField(event, 'c-uri') ?? '')?.[1];
    if (from === undefined || target === undefined || isInside(target)) continue;
    const key = `${from}\u0000${target}`;
    const held = pairs.get(key);
    if (held === undefined) pairs.set(key, [event]);
    else held.push(event);
  }
  const regular = [...pairs.values()].filter(isRegular);
  return regular.map((list) => ({
    ruleId: 'anomaly-beacon',
    title: 'Contact with an outside host at even intervals',
    level: 'medium',
    ttps: ['T1071', 'T1029'],
    events: list,
  }));
}

const isInside = (to: string) => isIP(to) !== 0 && !['public', 'documentation'].includes(addressScope(to));

function isRegular(list: readonly LogEvent[]): boolean {
  if (list.length < MIN_CONTACTS) return false;
  const times = list.map((event) => event.timeMs as number).toSorted((a, b) => a - b);
  const gaps = times.slice(1).map((time, i) => time - (times[i] as number));
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  if (mean < MIN_INTERVAL_MS) return false;
  const deviation = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length);
  return deviation <= mean * MAX_JITTER;
}
