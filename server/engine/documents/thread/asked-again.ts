import type { CallContext } from '../../engine.ts';

/** Waits for the end of this host, whose replacement has been asked for: the call is asked again of the next one. */
export const askedAgain = ({ signal }: CallContext): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
