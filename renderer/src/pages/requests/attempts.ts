/** A try at an engine, in words. */
import type { RequestEntry } from '../../../../server/api/console/console.ts';
import { milliseconds } from '../../format/numbers.ts';
import { t, tn } from '../../strings/t.ts';

type Attempt = NonNullable<RequestEntry['attempts']>[number];

export function toAttempt({ ms, outcome, pseudonyms, target }: Attempt): string {
  const facts = [
    milliseconds(ms),
    ...(pseudonyms === undefined ? [] : [tn('requests.pseudonyms', pseudonyms)]),
  ];
  return `${target}: ${outcome === 'answered' ? t('requests.answered') : outcome} (${facts.join(', ')})`;
}
