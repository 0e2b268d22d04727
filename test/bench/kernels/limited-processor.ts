/** Processes that see fewer instructions than the processor has, so that a peer takes the kernels it takes on such a machine. */
import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { KernelFamily } from '../../../server/engine/engine.ts';

const run = promisify(execFile);
const source = fileURLToPath(new URL('limited-processor.c', import.meta.url));
let library: Promise<string> | null = null;

async function build(): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'lokal-bench-')), 'limited-processor.so');
  await run('cc', ['-O1', '-shared', '-fPIC', '-o', file, source]);
  return file;
}

/**
 * Environment of a process that has the instructions of this family and no later ones; null where that cannot be had: it takes
 * Linux on x86-64, a C compiler, and a processor that lets CPUID fault.
 */
export async function limitedTo(family: KernelFamily): Promise<NodeJS.ProcessEnv | null> {
  if (family !== 'avx_vnni' && family !== 'avx2') return null;
  library ??= build();
  try {
    const env = { ...process.env, LD_PRELOAD: await library, BENCH_PROCESSOR: family };
    await run(process.execPath, ['--version'], { env });
    return env;
  } catch {
    return null;
  }
}

/** The bench's figures of one family from a process of its own. */
export async function figuresOf(family: KernelFamily, env: NodeJS.ProcessEnv, quick: boolean) {
  const bench = fileURLToPath(new URL('../run.ts', import.meta.url));
  const child = run(process.execPath, [bench, 'kernels', '--json', quick ? '--quick' : '--report'], {
    env: { ...env, LOKAL_BENCH_KERNELS: family },
  });
  child.child.stderr?.pipe(process.stderr);
  const { stdout } = await child;
  const last = stdout.trimEnd().split('\n').at(-1)!;
  return (JSON.parse(last) as Record<string, object>)[family]!;
}
