/**
 * An account that appears from a second address right at the end of a log full of one address. Only where the log is long
 * enough to have a habit: ten log-ons of the same account from one address before the first from elsewhere.
 */

import type { LogEvent } from '../readers/event.ts';
import { firstField } from '../readers/event.ts';
import type { Anomaly } from './anomaly.ts';

const HABIT = 10;

export function findFirstSeen(events: readonly LogEvent[]): Anomaly[] {
  const habits = new Map<string, Map<string, number>>();
  const odd: LogEvent[] = [];
  for (const event of events) {
    if (firstField(event, 'outcome') !== 'success' && firstField(event, 'eventid') !== '4624') continue;
    const user = firstField(event, 'targetusername', 'user');
    const address = firstField(event, 'src_ip', 'ipaddress');
    if (user === undefined || address === undefined || address === '-' || user.endsWith('$')) continue;
    const seen = habits.get(user) ?? new Map<string, number>();
    habits.set(user, seen);
    const before = [...seen.values()];
    if (!seen.has(address) && before.length === 1 && (before[0] as number) >= HABIT) odd.push(event);
    seen.set(address, (seen.get(address) ?? 0) + 1);
  }
  return odd.length === 0
    ? []
    : [
        {
          ruleId: 'anomaly-first-seen-source',
          title: 'Account logs in from an address it never used before',
          level: 'low',
          ttps: ['T1078'],
          events: odd,
        },
      ];
}
