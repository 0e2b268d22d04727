/** The frame around every page: navigation at the left, the page at the right, and the gate before both. */
import { Loader } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router';
import { hasCode } from '../../api/problem.ts';
import { useRead } from '../../api/queries.ts';
import { useLanguage } from '../../strings/language.ts';
import { t } from '../../strings/t.ts';
import { useWorkKeeper } from '../../work/keep.ts';
import { work } from '../../work/work-context.ts';
import { undoLatest } from '../feedback/last-undo.ts';
import { OfflinePage } from '../feedback/offline-page.tsx';
import { SignInPage } from '../feedback/sign-in-page.tsx';
import { LiveEvents } from './connection/live-events.tsx';
import { LostBanner } from './connection/lost-banner.tsx';
import { StartWarnings } from './connection/start-warnings.tsx';
import { DesktopLink } from './desktop-link.tsx';
import { focusMainField } from './focus-field.ts';
import { Navigation } from './navigation.tsx';
import { Palette } from './palette/palette.tsx';
import { ShortcutSheet } from './palette/shortcut-sheet.tsx';
import { useShortcuts } from './palette/shortcuts.ts';
import classes from './shell.module.css';
import { useFocusBack } from './use-focus-back.ts';
import { DropAnywhere } from './work/drop-anywhere.tsx';
import { KeptPages, toKind } from './work/kept-pages.tsx';

export function Shell() {
  useLanguage();
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

function Frame() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const loading = useNavigation().state === 'loading';
  const navigate = useNavigate();
  const [overlay, setOverlay] = useState<'palette' | 'sheet' | null>(null);
  const showSheet = useCallback(() => setOverlay('sheet'), []);
  useShortcuts({
    palette: () => setOverlay('palette'),
    sheet: showSheet,
    fresh: () => {
      const kind = toKind(pathname);
      if (!kind) return;
      work.begin(kind);
      focusMainField(main.current);
    },
    undo: undoLatest,
    go: (to) => void navigate(to),
  });

  useWorkKeeper();
  useFocusBack(main, pathname);

  const scrolledFor = useRef(pathname);
  useEffect(() => {
    // The first page is at its top already, and scrolling would have it laid out once more.
    if (scrolledFor.current === pathname) return;
    scrolledFor.current = pathname;
    // Newer Chromiums return a promise from scrollTo, which an effect must not return.
    void main.current?.scrollTo(0, 0);
  }, [pathname]);

  return (
    <div className={classes.frame}>
      <button type="button" className="lk-skip" onClick={() => main.current?.focus()}>
        {t('shell.skip')}
      </button>
      <Navigation onSearch={() => setOverlay('palette')} />
      <main className={classes.main} id="main" ref={main} tabIndex={-1} aria-busy={loading}>
        <LostBanner />
        <StartWarnings />
        <KeptPages />
      </main>
      <DropAnywhere />
      <DesktopLink />
      {overlay === 'palette' && (
        <Palette
          onClose={() => setOverlay(null)}
          onShortcuts={showSheet}
          onFresh={() => focusMainField(main.current)}
        />
      )}
      {overlay === 'sheet' && <ShortcutSheet onClose={() => setOverlay(null)} />}
    </div>
  );
}

function Waiting() {
  return (
    <div className={classes.waiting}>
      <Loader size="sm" role="img" aria-label={t('shell.loading')} />
    </div>
  );
}
