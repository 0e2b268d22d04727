/** Keys that work on every page; those of one letter rest while something is typed. */
import { useEffect, useRef } from 'react';

/** After `g`, by page. */
export const goKeys: Record<string, string> = {
  '/documents': 'd',
  '/moderation': 'm',
  '/threats': 't',
  '/embeddings': 'e',
  '/chat': 'c',
  '/images': 'i',
  '/requests': 'r',
  '/usage': 'u',
  '/batches': 'b',
  '/keys': 'k',
  '/packs': 'p',
  '/engines': 'o',
  '/network': 'n',
  '/audit': 'a',
  '/diagnostics': 'x',
  '/settings': 's',
};

export interface ShortcutActions {
  palette: () => void;
  sheet: () => void;
  fresh: () => void;
  /** False: there is nothing to take back. */
  undo: () => boolean;
  go: (to: string) => void;
}

const withinMs = 1_200;

/** Letters are the field's or the dialog's own there. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable], [role=dialog], [role=menu]') !== null;

export function useShortcuts(actions: ShortcutActions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    let goSince = Number.NEGATIVE_INFINITY;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const { palette, sheet, fresh, undo, go } = latest.current;
      const run = (action: () => void) => {
        event.preventDefault();
        action();
      };
      const isCommand = event.ctrlKey || event.metaKey;
      if (isCommand && event.key.toLowerCase() === 'k') return run(palette);
      const isUndo = isCommand && !event.shiftKey && event.key.toLowerCase() === 'z';
      if (isUndo && !isTyping(event.target)) {
        if (undo()) event.preventDefault();
        return;
      }
      if (isCommand || event.altKey || isTyping(event.target)) return;
      const page = Object.keys(goKeys).find((to) => goKeys[to] === event.key);
      const going = event.timeStamp - goSince < withinMs;
      goSince = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (going && page) run(() => go(page));
      else if (event.key === '?') run(sheet);
      else if (event.key === 'n') run(fresh);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
