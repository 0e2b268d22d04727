/** The outcome of the last update: the command line writes it, the interface shows it after the restart. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface UpdateOutcome {
  time_ms: number;
  /** A sentence; null when the program was replaced. */
  problem: string | null;
}

const fileOf = (home: string) => join(home, 'update', 'outcome.json');

export function writeOutcome(home: string, problem: string | null): void {
  mkdirSync(join(home, 'update'), { recursive: true, mode: 0o700 });
  const outcome: UpdateOutcome = { time_ms: Date.now(), problem };
  writeFileSync(fileOf(home), JSON.stringify(outcome), { mode: 0o600 });
}

export function readOutcome(home: string): UpdateOutcome | null {
  try {
    return JSON.parse(readFileSync(fileOf(home), 'utf8')) as UpdateOutcome;
  } catch {
    return null;
  }
}
