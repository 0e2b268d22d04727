/**
 * The work of the playgrounds, held above their pages: one session a document, conversation or log. What a page shows lies in
 * the page itself (kept alive while hidden); here is what the frame knows of it: title, state, progress, how to cancel.
 */

export const workKinds = ['documents', 'moderation', 'threats', 'embeddings', 'chat', 'images'] as const;
export type WorkKind = (typeof workKinds)[number];

/** `empty`: nothing is on the page yet. `done` and `failed`: ended while another page was shown, and not seen since. */
export type WorkState = 'empty' | 'open' | 'running' | 'done' | 'failed';

/** Things dropped or pasted elsewhere that belong to this session. */
export type Delivery = { files: File[] } | { text: string };

export interface Session {
  id: string;
  kind: WorkKind;
  /** Null: the page has nothing to name it by. */
  title: string | null;
  /** A title of the person's own is not overwritten. */
  renamed: boolean;
  pinned: boolean;
  state: WorkState;
  /** Why its work failed: what was thrown; null where that is not known. */
  failure: unknown;
  updatedMs: number;
  progress: { done: number; total: number } | null;
  delivery: Delivery | null;
  /** Content that an earlier run of the app kept; the page begins with it. */
  restored: unknown;
  /** Removed, and brought back while the notice says so. */
  removed: boolean;
  /** Counts pages opened for it: kept content begins on a fresh one. */
  generation: number;
}

export interface Work {
  sessions: readonly Session[];
  /** The session that each playground shows. */
  shown: Partial<Record<WorkKind, string>>;
  /** The playground on screen; null: another page is. */
  place: WorkKind | null;
  /** Removed work that no page holds. */
  forgotten: readonly string[];
}

export interface RunningJob {
  progress(done: number, total: number): void;
  /** @param problem why it failed */
  end(state: 'done' | 'failed' | 'cancelled', problem?: unknown): void;
}

export interface JobOptions {
  cancel?: () => void;
  /** Progress events of the server that name it count for this job. */
  requestId?: string;
}

/** Pages beyond are closed, the longest untouched first: each holds its files in memory. */
const mostSessions = 24;

export function createWorkStore({ now = Date.now, id = () => crypto.randomUUID() as string } = {}) {
  let work: Work = { sessions: [], shown: {}, place: null, forgotten: [] };
  const listeners = new Set<() => void>();
  const endListeners = new Set<(session: Session) => void>();
  const jobs = new Map<string, { session: string; options: JobOptions }>();

  function show(next: Work): void {
    work = next;
    for (const listener of listeners) listener();
  }

  function change(session: string, step: (session: Session) => Partial<Session>): void {
    const sessions = work.sessions.map((each) => (each.id === session ? { ...each, ...step(each) } : each));
    show({ ...work, sessions });
  }

  const find = (session: string | undefined) => work.sessions.find((each) => each.id === session);
  const live = (kind: WorkKind) => {
    const session = find(work.shown[kind]);
    return session && !session.removed ? session : undefined;
  };
  const isOnScreen = ({ kind, id: session }: Session) => work.place === kind && work.shown[kind] === session;
  const jobsOf = (session: string) => [...jobs.values()].filter((job) => job.session === session);

  function add(kind: WorkKind, fields: Partial<Session>): string {
    const session: Session = {
      id: id(),
      kind,
      title: null,
      renamed: false,
      pinned: false,
      state: 'empty',
      failure: null,
      updatedMs: now(),
      progress: null,
      delivery: null,
      restored: null,
      removed: false,
      generation: 0,
      ...fields,
    };
    const sessions = withRoom([session, ...work.sessions]);
    show({ ...work, sessions, shown: { ...work.shown, [kind]: session.id } });
    return session.id;
  }

  function withRoom(sessions: Session[]): Session[] {
    const shown = new Set(Object.values(work.shown));
    const idle = sessions
      .filter((each, index) => index > 0 && !each.pinned && each.state !== 'running' && !shown.has(each.id))
      .toSorted((a, b) => a.updatedMs - b.updatedMs);
    const leaving = new Set(
      idle.slice(0, Math.max(0, sessions.length - mostSessions)).map((each) => each.id),
    );
    return sessions.filter((each) => !leaving.has(each.id));
  }

  /** An empty page is used before another is opened. */
  function begin(kind: WorkKind, fields: Partial<Session> = {}): string {
    const current = live(kind);
    if (current?.state !== 'empty' || fields.id) return add(kind, fields);
    change(current.id, () => fields);
    return current.id;
  }

  function seen(session: Session): Partial<Session> {
    return session.state === 'done' || session.state === 'failed' ? { state: 'open' } : {};
  }

  return {
    get: () => work,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Called with each session whose running work ended while another page was shown. */
    onEnd(listener: (session: Session) => void): () => void {
      endListeners.add(listener);
      return () => endListeners.delete(listener);
    },

    /** The frame says which page is on screen; a playground without a session gets one. */
    visit(kind: WorkKind | null): void {
      if (kind && !live(kind)) add(kind, {});
      if (work.place !== kind) show({ ...work, place: kind });
      const session = kind && live(kind);
      if (session) change(session.id, seen);
    },
    begin,
    /** @returns the session that takes it */
    deliver: (kind: WorkKind, delivery: Delivery): string => begin(kind, { delivery }),
    taken: (session: string): void => change(session, () => ({ delivery: null })),
    /** Opens again what an earlier run of the app kept. */
    restore(kind: WorkKind, kept: { id: string; title: string; content: unknown }): void {
      const known = find(kept.id);
      if (known && known.state !== 'empty') {
        show({ ...work, shown: { ...work.shown, [kind]: kept.id } });
        return;
      }
      const sessions = work.sessions.filter((each) => each.id !== kept.id);
      show({ ...work, sessions });
      const generation = (known?.generation ?? 0) + 1;
      add(kind, { id: kept.id, title: kept.title, restored: kept.content, state: 'open', generation });
    },
    open(session: string): void {
      const found = find(session);
      if (!found) return;
      show({ ...work, shown: { ...work.shown, [found.kind]: session } });
    },

    /** The page's own name for what it holds; null: it holds nothing. */
    setTitle(session: string, title: string | null): void {
      const found = find(session);
      if (!found) return;
      const state = title === null ? 'empty' : found.state === 'empty' ? 'open' : found.state;
      const name = found.renamed ? found.title : title;
      if (found.title === name && found.state === state) return;
      change(session, () => ({ title: name, state, updatedMs: now() }));
    },
    rename: (session: string, title: string): void => change(session, () => ({ title, renamed: true })),
    pin: (session: string, pinned: boolean): void => change(session, () => ({ pinned })),

    start(session: string, options: JobOptions = {}): RunningJob {
      const job = id();
      jobs.set(job, { session, options });
      change(session, () => ({ state: 'running', failure: null, progress: null, updatedMs: now() }));
      return {
        progress: (done, total) => {
          if (jobs.has(job)) change(session, () => ({ progress: { done, total } }));
        },
        end(state, problem) {
          if (!jobs.delete(job) || jobsOf(session).length > 0) return;
          const found = find(session);
          if (!found) return;
          const unseen = state !== 'cancelled' && !isOnScreen(found);
          const failure = state === 'failed' ? (problem ?? null) : null;
          change(session, () => ({
            state: unseen ? state : 'open',
            failure,
            progress: null,
            updatedMs: now(),
          }));
          const after = find(session);
          if (unseen && after && !after.removed) for (const listener of endListeners) listener(after);
        },
      };
    },
    /** A progress event of the server. */
    progress(requestId: string, done: number, total: number): void {
      for (const { session, options } of jobs.values())
        if (options.requestId === requestId) change(session, () => ({ progress: { done, total } }));
    },
    cancel(session: string): void {
      for (const { options } of jobsOf(session)) options.cancel?.();
    },

    /** Takes it off the list; its page stays until `forget`, so that it can come back whole. */
    remove(session: string): void {
      if (!find(session)) {
        show({ ...work, forgotten: [...work.forgotten, session] });
        return;
      }
      this.cancel(session);
      change(session, () => ({ removed: true }));
      const kind = find(session)?.kind;
      if (kind && work.shown[kind] === session) {
        const { [kind]: _, ...shown } = work.shown;
        show({ ...work, shown });
        if (work.place === kind) this.visit(kind);
      }
    },
    bringBack(session: string): void {
      const kind = find(session)?.kind;
      if (!kind) {
        show({ ...work, forgotten: work.forgotten.filter((each) => each !== session) });
        return;
      }
      change(session, () => ({ removed: false }));
      show({ ...work, shown: { ...work.shown, [kind]: session } });
    },
    forget(session: string): void {
      if (find(session)?.removed)
        show({ ...work, sessions: work.sessions.filter((each) => each.id !== session) });
    },
  };
}

/** The list of recent work: named sessions, pinned ones first, then the newest. */
export const recents = ({ sessions }: Work): Session[] =>
  sessions
    .filter(({ removed, state, title }) => !removed && state !== 'empty' && title !== null)
    .toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || b.updatedMs - a.updatedMs);
