/** The frame around every page: navigation at the left, the page at the right, and the gate before both. */
import { Loader } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigation } from 'react-router';
import { hasCode } from '../../api/problem.ts';
import { useRead } from '../../api/queries.ts';
import { t } from '../../strings/t.ts';
import { OfflinePage } from '../feedback/offline-page.tsx';
import { SignInPage } from '../feedback/sign-in-page.tsx';
import { KeptPages } from './kept-pages.tsx';
import { LiveEvents } from './live-events.tsx';
import { LostBanner } from './lost-banner.tsx';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';

export function Shell() {
  const state = useRead('GET /console/state');
  if (state.isPending) return <Waiting />;
  if (hasCode(state.error, 'session_required')) return <SignInPage />;
  // Once a page has been shown it stays, whatever becomes of the server: work lies on it.
  if (state.error && !state.data)
    return <OfflinePage error={state.error} onRetry={() => void state.refetch()} busy={state.isFetching} />;
  return (
    <LiveEvents>
      <Frame />
    </LiveEvents>
  );
}

/** A file that misses every drop zone would be opened by the browser in the app's place. */
function useStrayDrops(): void {
  useEffect(() => {
    const refuse = (event: DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    };
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, []);
}

function Frame() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const loading = useNavigation().state === 'loading';
  useStrayDrops();

  // Newer Chromiums return a promise from scrollTo, which an effect must not return.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page starts at its top
  useEffect(() => {
    void main.current?.scrollTo(0, 0);
  }, [pathname]);

  return (
    <div className={classes.frame}>
      <button type="button" className="lk-skip" onClick={() => main.current?.focus()}>
        {t('shell.skip')}
      </button>
      <Navigation />
      <main className={classes.main} id="main" ref={main} tabIndex={-1} aria-busy={loading}>
        <LostBanner />
        <KeptPages />
      </main>
    </div>
  );
}

function Waiting() {
  return (
    <div className={classes.waiting}>
      <Loader size="sm" aria-label={t('shell.loading')} />
    </div>
  );
}
