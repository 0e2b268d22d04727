/** What `lokal prove-offline` finds. The interface is built first and a browser made sure of, so that both are part of it. */
import { ensureChromium } from '../../build/check/chromium.ts';
import { ensureRenderer } from '../../build/start/renderer.ts';
import { readConfig } from '../../server/config.ts';
import { figures, noProofReason, prove } from '../../server/offline-proof/prove.ts';
import type { BenchOptions } from './run.ts';

export async function run({ quick }: BenchOptions): Promise<object> {
  const say = (line: string) => console.error(line);
  const reason = noProofReason();
  if (reason !== null) return { skipped: reason };
  if (!quick) {
    await ensureRenderer(say);
    await ensureChromium(say).catch((error: Error) => say(error.message));
  }
  const report = await prove({
    folders: readConfig().folders,
    env: process.env,
    quick,
    onStep: ({ number, of, what }) => say(`[${number}/${of}] ${what}`),
  });
  for (const line of report.failures) say(line);
  return figures(report);
}
