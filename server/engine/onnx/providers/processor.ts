/** The processor's instruction sets, as far as the system names them. */
import { readFileSync } from 'node:fs';

/** Names of its instruction sets as Linux writes them; null where the system does not name them. */
export function instructionSets(): string[] | null {
  try {
    const text = readFileSync('/proc/cpuinfo', 'utf8');
    return /^(?:flags|Features)\s*:\s*(.*)$/m.exec(text)?.[1]?.split(' ') ?? null;
  } catch {
    return null;
  }
}
