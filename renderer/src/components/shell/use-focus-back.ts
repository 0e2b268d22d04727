/** The keyboard's place: where a dialog was opened from, or the new page, once what had the focus is gone. */
import { type RefObject, useEffect, useRef } from 'react';

/** The focus of what left the screen goes to the body, a moment later. */
const settleMs = 80;

/**
 * Dialogs here are mounted when they are opened and unmounted when closed, which the library's own return of focus misses; and a
 * button may take itself away, as one does that starts what then fills the page.
 */
export function useFocusBack(main: RefObject<HTMLElement | null>, pathname: string): void {
  useEffect(() => {
    let outside: HTMLElement | null = null;
    let watched: Element | null = null;
    const observer = new MutationObserver(() => {
      if (watched?.isConnected) return;
      const isClosed = watched !== null;
      watched = null;
      if (document.activeElement !== document.body) return;
      if (!isClosed && (outside === null || outside.isConnected)) return;
      const target = outside?.isConnected && outside.checkVisibility() ? outside : main.current;
      outside = null;
      target?.focus({ preventScroll: true });
    });
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      const dialog = target.closest('[role=dialog]');
      if (!dialog) {
        if (!target.closest('[role=menu]')) outside = target;
        return;
      }
      watched = dialog;
    };
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', onFocus);
    return () => {
      document.removeEventListener('focusin', onFocus);
      observer.disconnect();
    };
  }, [main]);

  // The first page took nobody's focus: Tab begins at its top, with the way past the navigation.
  const known = useRef(pathname);
  useEffect(() => {
    if (known.current === pathname) return;
    known.current = pathname;
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
    }, settleMs);
    return () => clearTimeout(timer);
  }, [main, pathname]);
}
