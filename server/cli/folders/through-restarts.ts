/** Work on a file that the server's end interrupts: it waits until one runs again and is done anew. */
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../start-error.ts';
import type { LocalApi } from '../server/local-api.ts';
import { ServerAwayError } from '../server/pinned-fetch.ts';

const usualPollMs = 2_000;
/** A file that the server ended so often at may be the cause. */
const mostEnds = 5;

interface Wait {
  api: Pick<LocalApi, 'rejoin'>;
  /** Ends the waiting: by itself where nobody comes back in time, by the person. */
  stop: AbortController;
  /** The longest wait; without end where it is absent. */
  patienceMs?: number;
  pollMs?: number;
  say?: (line: string) => void;
}

const toStderr = (line: string): void => void process.stderr.write(`lokal: ${line}\n`);

/** @throws Error what the work fails with while the server runs; the signal's reason once it is stopped */
export function throughRestarts({ api, stop, patienceMs, pollMs = usualPollMs, say = toStderr }: Wait) {
  const back = async (): Promise<void> => {
    say('The server is away; waiting until it runs again (`lokal serve` starts it).');
    const since = Date.now();
    while (!(await api.rejoin())) {
      if (patienceMs !== undefined && Date.now() - since >= patienceMs)
        stop.abort(
          new StartError('The server is away. What is done stays done: the same command goes on from there.'),
        );
      stop.signal.throwIfAborted();
      await sleep(pollMs, undefined, { signal: stop.signal });
    }
    say('The server is back.');
  };
  return async <T>(work: () => Promise<T>): Promise<T> => {
    for (let ends = 1; ; ends++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof ServerAwayError)) throw error;
        await back();
        if (ends === mostEnds) throw new Error(`the server ended each of ${mostEnds} times that it was read`);
      }
    }
  };
}
