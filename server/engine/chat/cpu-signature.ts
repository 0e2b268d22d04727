/**
 * Which kernels this processor gets: prepacked weights serve only where they were packed. Linux names the instruction sets
 * themselves; elsewhere the model's name stands for them.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

export function cpuSignature(): string {
  const facts = `${process.platform} ${process.arch} ${instructionSets() ?? cpus()[0]?.model ?? 'unknown'}`;
  return createHash('sha256').update(facts).digest('hex').slice(0, 16);
}

function instructionSets(): string | null {
  try {
    const text = readFileSync('/proc/cpuinfo', 'utf8');
    const line = /^(?:flags|Features)\s*:\s*(.*)$/m.exec(text)?.[1];
    return (
      line
        ?.split(' ')
        .filter((flag) => /avx|amx|fma|f16c|asimd|sve|dot|i8mm|bf16/.test(flag))
        .sort()
        .join(' ') ?? null
    );
  } catch {
    return null;
  }
}
