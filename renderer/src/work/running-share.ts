/** Running work as one bar: what the taskbar shows of it. */
import type { Session } from './store.ts';

type Running = Pick<Session, 'state' | 'removed' | 'progress'>;

/** Of running work together, 0 to 1; null: nothing runs. @param imported share of a pack's import; null: there is none */
export function runningShare(sessions: readonly Running[], imported: number | null): number | null {
  const shares = sessions
    .filter(({ state, removed }) => state === 'running' && !removed)
    .map(({ progress }) => (progress ? progress.done / Math.max(1, progress.total) : 0));
  if (imported !== null) shares.push(imported);
  return shares.length === 0 ? null : shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
