/** The frame around every page: navigation at the left, the page at the right, and the gate before both. */
import { Loader } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Outlet, useLocation, useNavigate, useNavigation } from 'react-router';
import { hasCode } from '../../api/problem.ts';
import { useRead } from '../../api/queries.ts';
import { t } from '../../strings/t.ts';
import { OfflinePage } from '../feedback/offline-page.tsx';
import { SignInPage } from '../feedback/sign-in-page.tsx';
import { LiveEvents } from './live-events.tsx';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';

export function Shell() {
  const state = useRead('GET /console/state');
  if (state.isPending) return <Waiting />;
  if (hasCode(state.error, 'session_required')) return <SignInPage />;
  if (state.error)
    return <OfflinePage error={state.error} onRetry={() => void state.refetch()} busy={state.isFetching} />;
  return (
    <LiveEvents>
      <Frame firstRun={state.data?.first_run ?? false} />
    </LiveEvents>
  );
}

function Frame({ firstRun }: { firstRun: boolean }) {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const loading = useNavigation().state === 'loading';
  const welcomed = useRef(false);

  useEffect(() => {
    if (firstRun && !welcomed.current) void navigate('/welcome', { replace: true });
    welcomed.current = true;
  }, [firstRun, navigate]);

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
        <Outlet />
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
