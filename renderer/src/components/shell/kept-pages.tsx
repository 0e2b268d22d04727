/** The page at the right. Playgrounds that were visited stay as they are while another page is shown: their work goes on. */
import { Activity, type ReactNode, useRef } from 'react';
import { useLocation, useOutlet } from 'react-router';
import { playgrounds } from './nav-items.tsx';

const keeps = new Set(playgrounds.map(({ to }) => to));

/**
 * Hidden pages keep their state and the requests they wait for; their effects rest (listeners on the document, timers), so an
 * effect's clean-up must not end work.
 */
export function KeptPages() {
  const outlet = useOutlet();
  const { pathname } = useLocation();
  const kept = useRef(new Map<string, ReactNode>());
  if (keeps.has(pathname)) kept.current.set(pathname, outlet);
  return (
    <>
      {[...kept.current].map(([path, page]) => (
        <Activity key={path} mode={path === pathname ? 'visible' : 'hidden'}>
          {page}
        </Activity>
      ))}
      {!keeps.has(pathname) && outlet}
    </>
  );
}
