/** Passwords in requests that were kept whole: one for many accounts, or many for one. */
import type { LogEvent } from '../readers/event.ts';
import type { Anomaly } from './anomaly.ts';
import type { AnomalyWords } from './anomaly-words.ts';

const LEAST_TRIES = 3;

/** Values of the other side by those of one side of the pairs. */
function grouped(pairs: readonly Try[], from: 'user' | 'password', to: 'user' | 'password'): Try[][] {
  const groups = new Map<string, Map<string, Try>>();
  for (const pair of pairs) {
    const held = groups.get(pair[from]) ?? new Map<string, Try>();
    groups.set(pair[from], held);
    if (!held.has(pair[to])) held.set(pair[to], pair);
  }
  return [...groups.values()]
    .map((group) => [...group.values()])
    .filter((group) => group.length >= LEAST_TRIES);
}

interface Try {
  user: string;
  password: string;
  event: LogEvent;
}

export function findTriedPasswords(events: readonly LogEvent[], { login, hidden }: AnomalyWords): Anomaly[] {
  const tries: Try[] = [];
  for (const event of events) {
    if (!event.format.startsWith('http')) continue;
    for (const [, user = '', password = ''] of event.raw.matchAll(login))
      if (!hidden.test(password)) tries.push({ user, password, event });
  }
  if (tries.length < LEAST_TRIES) return [];
  const toAnomaly = (group: Try[], level: 'high' | 'medium', technique: string): Anomaly => ({
    ruleId: 'anomaly-tried-passwords',
    title: 'Passwords are tried in one request after another',
    level,
    ttps: [technique],
    events: [...new Set(group.map(({ event }) => event))],
  });
  return [
    ...grouped(tries, 'password', 'user').map((group) => toAnomaly(group, 'high', 'T1110.003')),
    ...grouped(tries, 'user', 'password').map((group) => toAnomaly(group, 'medium', 'T1110.001')),
  ];
}
