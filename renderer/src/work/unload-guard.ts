/** Browser and desktop window ask before the page is closed or loaded again. */
import { useEffect } from 'react';

/** @returns takes the guard away */
export function guardUnload(mustAsk: () => boolean): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (mustAsk()) event.preventDefault();
  };
  window.addEventListener('beforeunload', ask);
  return () => window.removeEventListener('beforeunload', ask);
}

export function useUnloadGuard(active: boolean): void {
  useEffect(() => (active ? guardUnload(() => true) : undefined), [active]);
}
