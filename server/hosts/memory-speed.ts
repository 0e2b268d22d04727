/** Speed at which this machine's memory is read: measured once in a process of its own, and kept until the machine changes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { probeReadBandwidth } from './providers.ts';

export interface MemorySpeed {
  /** Bytes a second by all processors together; null where it could not be measured. @param again measures anew */
  read(again?: boolean): Promise<number | null>;
}

const signature = (): string =>
  [cpus()[0]?.model ?? '', availableParallelism(), totalmem(), process.platform, process.arch].join(' ');

export function createMemorySpeed(home: string, env: NodeJS.ProcessEnv): MemorySpeed {
  const path = join(home, 'memory-speed.json');
  let measuring: Promise<number | null> | null = null;

  async function measure(again: boolean): Promise<number | null> {
    const kept = again ? null : readKept(path);
    if (kept !== null) return kept;
    const bytesPerSecond = await probeReadBandwidth(env);
    if (bytesPerSecond === null) return null;
    try {
      writeFileSync(path, JSON.stringify({ signature: signature(), bytesPerSecond }));
    } catch {
      // A full disk: it is measured again next time.
    }
    return bytesPerSecond;
  }

  return {
    read(again = false) {
      measuring ??= measure(again).finally(() => (measuring = null));
      return measuring;
    },
  };
}

function readKept(path: string): number | null {
  try {
    const kept = JSON.parse(readFileSync(path, 'utf8')) as { signature: string; bytesPerSecond: number };
    return kept.signature === signature() && kept.bytesPerSecond > 0 ? kept.bytesPerSecond : null;
  } catch {
    return null;
  }
}
