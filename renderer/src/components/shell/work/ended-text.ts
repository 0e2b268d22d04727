/** Words for work that has ended unseen. */
import { t } from '../../../strings/t.ts';
import type { Session } from '../../../work/store.ts';
import { toMessage } from '../../feedback/problem-note.tsx';
import { playgroundOf } from '../nav-items.tsx';

/** That the work has ended, or that it failed and why. */
export function endedText({ state, title, kind, failure }: Session): string {
  const name = title ?? t(playgroundOf(kind).label);
  if (state !== 'failed') return t('work.ended', { name });
  const failed = t('work.ended_badly', { name });
  return failure === null ? failed : `${failed} ${toMessage(failure)}`;
}
