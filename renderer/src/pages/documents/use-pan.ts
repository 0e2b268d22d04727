/** Dragging a page with the pointer scrolls the part it lies in. */
import { type PointerEvent, useRef } from 'react';

interface Drag {
  region: Element;
  x: number;
  y: number;
}

function scrollingAncestor(element: Element): Element | null {
  for (let at = element.parentElement; at; at = at.parentElement)
    if (at.scrollWidth > at.clientWidth || at.scrollHeight > at.clientHeight) return at;
  return null;
}

export function usePan() {
  const drag = useRef<Drag | null>(null);
  const end = () => {
    drag.current = null;
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const region = event.button === 0 ? scrollingAncestor(event.currentTarget) : null;
      if (!region || event.pointerType === 'touch') return;
      drag.current = { region, x: event.clientX, y: event.clientY };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = drag.current;
      if (!from || event.buttons === 0) return;
      from.region.scrollBy(from.x - event.clientX, from.y - event.clientY);
      drag.current = { ...from, x: event.clientX, y: event.clientY };
    },
    onPointerUp: end,
    onPointerLeave: end,
  };
}
