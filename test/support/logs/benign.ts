/**
 * Logs of an ordinary working day: what rules must stay quiet about. Invented, seeded, and varied over every reader.
 */
import { Clock } from './clock.ts';
import { cloudLine } from './cloud.ts';
import { linuxLine } from './linux.ts';
import { networkLine } from './network.ts';
import type { Random } from './random.ts';
import { createRandom } from './random.ts';
import { webLine } from './web.ts';
import { windowsLine } from './windows.ts';

export const BENIGN_KINDS: Readonly<Record<string, (random: Random, clock: Clock) => string>> = {
  linux: linuxLine,
  web: webLine,
  windows: windowsLine,
  cloud: cloudLine,
  network: networkLine,
};

/** Lines of one kind, or of all kinds mixed, up to the size. */
export function benignLog(kind: string, seed: number, sizeBytes: number): string {
  const random = createRandom(seed);
  const clock = new Clock(random);
  const makers =
    kind === 'mixed' ? Object.values(BENIGN_KINDS) : [BENIGN_KINDS[kind] as (typeof BENIGN_KINDS)[string]];
  const lines: string[] = [];
  for (let size = 0; ; ) {
    const line = random.pick(makers)(random, clock);
    size += Buffer.byteLength(line) + 1;
    if (size > sizeBytes) return lines.join('\n');
    lines.push(line);
  }
}
