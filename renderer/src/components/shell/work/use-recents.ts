/** Recent work of this run and of earlier ones that was kept, as one list. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useClient } from '../../../api/api-context.tsx';
import { useRead } from '../../../api/queries.ts';
import { t } from '../../../strings/t.ts';
import { recents, type WorkKind, type WorkState } from '../../../work/store.ts';
import { useAllWork, work } from '../../../work/work-context.ts';
import { notifyProblem } from '../../feedback/notify.ts';
import { notifyUndo } from '../../feedback/notify-undo.tsx';
import { playgroundOf } from '../nav-items.tsx';

export interface RecentItem {
  id: string;
  kind: WorkKind;
  title: string;
  pinned: boolean;
  state: WorkState;
  updatedMs: number;
  /** On a page of this run; else only kept. */
  live: boolean;
}

/** The page of removed work is closed once its notice is gone. */
const undoMs = 16_000;

export function useRecents() {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const all = useAllWork();
  const keeps = (useRead('GET /console/settings').data?.work_history_days ?? 0) > 0;
  const kept = useRead('GET /console/work').data?.data ?? [];
  const live = recents(all).map(
    ({ id, kind, title, pinned, state, updatedMs }): RecentItem => ({
      id,
      kind,
      title: title ?? '',
      pinned,
      state,
      updatedMs,
      live: true,
    }),
  );
  const hidden = new Set([
    ...live.map(({ id }) => id),
    ...all.sessions.filter(({ removed }) => removed).map(({ id }) => id),
    ...all.forgotten,
  ]);
  const items = [
    ...live,
    ...kept
      .filter(({ id }) => !hidden.has(id))
      .map(
        ({ updated, ...head }): RecentItem => ({
          ...head,
          state: 'open',
          updatedMs: updated * 1000,
          live: false,
        }),
      ),
  ].toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || b.updatedMs - a.updatedMs);

  const refresh = () => queries.invalidateQueries({ queryKey: ['GET /console/work'] });
  const isKept = (id: string) => kept.some((each) => each.id === id);

  async function open({ id, kind, title, live: onPage }: RecentItem): Promise<void> {
    try {
      if (onPage) work.open(id);
      else {
        const { data } = await client.call('GET /console/work/{id}', { params: { id } });
        work.restore(kind, { id, title, content: JSON.parse(data.content) });
      }
      await navigate(playgroundOf(kind).to);
    } catch (error) {
      notifyProblem(error);
    }
  }

  function patch({ id, live: onPage }: RecentItem, change: { title?: string; pinned?: boolean }): void {
    if (onPage && change.title !== undefined) work.rename(id, change.title);
    if (onPage && change.pinned !== undefined) work.pin(id, change.pinned);
    if (isKept(id))
      client.call('PATCH /console/work/{id}', { params: { id }, body: change }).then(refresh, notifyProblem);
  }

  function remove({ id, title }: RecentItem): void {
    work.remove(id);
    const timer = setTimeout(() => {
      work.forget(id);
      if (isKept(id))
        client.call('DELETE /console/work/{id}', { params: { id } }).then(refresh, notifyProblem);
    }, undoMs);
    notifyUndo(t('work.removed', { name: title }), () => {
      clearTimeout(timer);
      work.bringBack(id);
    });
  }

  return { items, keeps, place: all.place, shown: all.shown, open, patch, remove };
}
