/** Waits when the server says that it has too many requests, then asks again. */
import { hasCode, type Problem } from './problem.ts';

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** @throws whatever `ask` throws but for the server's limit, and that too once `signal` is aborted */
export async function patiently<T>(
  ask: () => Promise<T>,
  signal: AbortSignal,
  wait: (ms: number) => Promise<void> = sleep,
): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted || !hasCode(error, 'rate_limit_error')) throw error;
      await wait((error as Problem).retryAfterMs ?? 1000);
    }
  }
}
