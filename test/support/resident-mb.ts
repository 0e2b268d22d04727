import { collectGarbage } from './collect-garbage.ts';

/** What the process holds, after a collection. */
export async function residentMb(): Promise<number> {
  await collectGarbage();
  return process.memoryUsage.rss() / 2 ** 20;
}
