/**
 * Ties boxes on the page to their rows in the results: pointing at or focusing one lights both. Elements carry
 * `data-mark`; lighting sets `data-lit` on them directly, since a table has thousands of cells and a pointer crosses
 * dozens a second.
 */
import { type FocusEvent, type MouseEvent, type PointerEvent, useCallback, useEffect, useRef } from 'react';

export function useLinkedMarks(onPage: (page: number) => void) {
  const root = useRef<HTMLDivElement>(null);
  const lit = useRef<string | null>(null);

  const paint = useCallback(() => {
    for (const element of root.current?.querySelectorAll('[data-lit]') ?? [])
      element.removeAttribute('data-lit');
    if (lit.current === null) return;
    for (const element of root.current?.querySelectorAll(`[data-mark="${CSS.escape(lit.current)}"]`) ?? []) {
      element.setAttribute('data-lit', '');
    }
  }, []);

  const light = useCallback(
    (id: string | null) => {
      if (lit.current === id) return;
      lit.current = id;
      paint();
    },
    [paint],
  );

  // A page turned to brings new boxes, which must be lit as their rows are.
  useEffect(paint);

  const turnTo = (element: HTMLElement | SVGElement) => {
    if (element.dataset.page) onPage(Number(element.dataset.page));
  };

  return {
    ref: root,
    onPointerOver: (event: PointerEvent) => light(markOf(event.target)?.dataset.mark ?? null),
    onPointerLeave: () => light(null),
    onFocus: (event: FocusEvent) => {
      const element = markOf(event.target);
      light(element?.dataset.mark ?? null);
      if (element) turnTo(element);
    },
    onClick: (event: MouseEvent) => {
      const element = markOf(event.target);
      if (!element) return;
      if (!(element instanceof SVGElement)) return turnTo(element);
      const row = root.current?.querySelector(
        `:not(rect)[data-mark="${CSS.escape(element.dataset.mark ?? '')}"]`,
      );
      row?.scrollIntoView({ block: 'nearest' });
    },
  };
}

function markOf(target: EventTarget): HTMLElement | SVGElement | null {
  return target instanceof Element ? target.closest<HTMLElement | SVGElement>('[data-mark]') : null;
}
