/** Long work that others take turns with: a generator yields at places where it may pause, and whoever runs it decides. */
import { setImmediate as nextTurn } from 'node:timers/promises';

export type Steps<T> = Generator<void, T>;

/** Longest stretch of one work while others wait. */
const turnMs = 8;

/** All at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** With a turn of the event loop between stretches, so that who came later is not kept waiting by who sent more. @throws the signal's reason */
export async function inTurns<T>(steps: Steps<T>, signal: AbortSignal): Promise<T> {
  for (let since = performance.now(); ; ) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - since < turnMs) continue;
    await nextTurn();
    signal.throwIfAborted();
    since = performance.now();
  }
}
