/**
 * Tells which kernels this processor gets: prepacked weights serve only where they were packed. Linux names the instruction sets
 * themselves; elsewhere the model's name stands for them.
 */
import { createHash } from 'node:crypto';
import { cpus } from 'node:os';
import { instructionSets } from './processor.ts';

export function cpuSignature(): string {
  const kernels = instructionSets()
    ?.filter((flag) => /avx|amx|fma|f16c|asimd|sve|dot|i8mm|bf16/.test(flag))
    .sort()
    .join(' ');
  const facts = `${process.platform} ${process.arch} ${kernels ?? cpus()[0]?.model ?? 'unknown'}`;
  return createHash('sha256').update(facts).digest('hex').slice(0, 16);
}
