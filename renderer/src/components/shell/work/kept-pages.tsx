/**
 * The page at the right. Every session of a playground is a page of its own, which stays as it is while another is shown: its
 * work goes on.
 */
import { Activity, type ReactNode, useLayoutEffect, useRef } from 'react';
import { useLocation, useOutlet } from 'react-router';
import { type WorkKind, workKinds } from '../../../work/store.ts';
import { SessionContext, useAllWork, work } from '../../../work/work-context.ts';

export const toKind = (pathname: string): WorkKind | null =>
  workKinds.find((kind) => pathname === `/${kind}`) ?? null;

/**
 * Hidden pages keep their state and the requests they wait for; their effects rest (listeners on the document, timers), so an
 * effect's clean-up must not end work.
 */
export function KeptPages() {
  const outlet = useOutlet();
  const { pathname } = useLocation();
  const kind = toKind(pathname);
  const { sessions, shown } = useAllWork();
  const pages = useRef(new Map<WorkKind, ReactNode>());
  if (kind) pages.current.set(kind, outlet);
  useLayoutEffect(() => work.visit(kind), [kind]);
  return (
    <>
      {sessions.toReversed().map((session) => (
        <Activity
          key={`${session.id} ${session.generation}`}
          mode={session.kind === kind && shown[kind] === session.id ? 'visible' : 'hidden'}
        >
          <SessionContext value={session.id}>{pages.current.get(session.kind)}</SessionContext>
        </Activity>
      ))}
      {!kind && outlet}
    </>
  );
}
