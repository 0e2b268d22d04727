/** Starts the two servers as processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Started {
  port: number;
  /** Milliseconds from the start of the process to the line that says it listens. */
  startMs: number;
  child: ChildProcess;
  stop(): Promise<void>;
}

/** The script prints one line of JSON with its port once it listens. `nodeArgs` are Node's own. */
export async function startServer(
  script: URL,
  args: string[],
  env: NodeJS.ProcessEnv = {},
  nodeArgs: string[] = [],
): Promise<Started> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeArgs, fileURLToPath(script), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout! });
  const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit')])) as [unknown];
  if (typeof line !== 'string') throw new Error(`${script.pathname} ended before it listened`);
  const { port } = JSON.parse(line) as { port: number };
  return {
    port,
    startMs: performance.now() - startedAt,
    child,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** Resident megabytes of a process; null where the system does not tell. */
export function residentMb(pid: number): number | null {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes ? Number(kilobytes) / 1024 : null;
  } catch {
    return null;
  }
}
