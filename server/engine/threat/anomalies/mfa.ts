/** Second factors refused again and again for one account: prompts sent until somebody gives in. */
import type { LogEvent } from '../readers/event.ts';
import { firstField } from '../readers/event.ts';
import type { Anomaly } from './anomaly.ts';

const MIN_REFUSALS = 3;
const PROMPT =
  /mfa|multi-?factor|second factor|\bpush\b|okta[ _]verify|authenticator|\bduo\b|50012[01]|factor/iu;
const REFUSED =
  /deny|denied|reject|fraud|declin|refus|"(?:result|outcome)" ?: ?"?fail|result":\s?"?fail|no[_ ]response|timed?[_ -]?out|500121|failure/iu;
const APPROVED =
  /"result" ?: ?"?(?:success|allow|approved)|\bapproved\b|\ballow(?:ed)?\b|errorcode" ?: ?"?0\b|=success/iu;

export function findRefusedFactors(events: readonly LogEvent[]): Anomaly[] {
  const byUser = new Map<string, { refused: LogEvent[]; approved: LogEvent | null }>();
  for (const event of events) {
    if (event.raw.length > 16_384 || !PROMPT.test(event.raw)) continue;
    const user =
      firstField(
        event,
        'actor.alternateid',
        'userprincipalname',
        'user',
        'username',
        'user.name',
        'userid',
      ) ?? '';
    const held = byUser.get(user) ?? { refused: [], approved: null };
    byUser.set(user, held);
    if (REFUSED.test(event.raw)) held.refused.push(event);
    else if (held.refused.length >= MIN_REFUSALS && APPROVED.test(event.raw)) held.approved ??= event;
  }
  return [...byUser.values()]
    .filter(({ refused }) => refused.length >= MIN_REFUSALS)
    .map(({ refused, approved }) => ({
      ruleId: 'anomaly-mfa-fatigue',
      title: 'Second factor refused again and again for one account',
      level: approved === null ? 'medium' : 'high',
      ttps: ['T1621'],
      events: approved === null ? refused : [...refused, approved],
    }));
}
