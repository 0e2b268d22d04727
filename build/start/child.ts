/** Child processes for the launcher and the test run: captured with a time limit, or passed through. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

export interface Exit {
  /** Null when a signal ended the process or it could not be started. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** stdout and stderr in the order they came; empty for a process that was passed through. */
  output: string;
}

interface CaptureOptions {
  cwd: string;
  env?: NodeJS.ProcessEnv;
  timeoutMs?: number;
}

/** Runs to the end without a terminal and without input. A process over its time is killed: `signal` says so. */
export function capture(command: string[], options: CaptureOptions): Promise<Exit> {
  const child = start(command, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    timeout: options.timeoutMs ?? 0,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return settle(child);
}

/** Gives the child our terminal and our signals, and waits for its end. */
export async function passThrough(command: string[], options: SpawnOptions = {}): Promise<Exit> {
  const child = start(command, { ...options, stdio: 'inherit' });
  // A terminal sends Ctrl+C to the whole group, so the child already has it; a second one would cut its shutdown short.
  const forward = (signal: NodeJS.Signals) => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  };
  const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  try {
    return await settle(child);
  } finally {
    for (const signal of signals) process.off(signal, forward);
  }
}

/** The exit code a shell would report. */
export function exitCode({ code, signal }: Exit): number {
  if (code !== null) return code;
  return signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 1;
}

function start([file = '', ...args]: string[], options: SpawnOptions): ChildProcess {
  return spawn(file, args, options);
}

function settle(child: ChildProcess): Promise<Exit> {
  let output = '';
  const collect = (chunk: string) => {
    output += chunk;
  };
  child.stdout?.setEncoding('utf8').on('data', collect);
  child.stderr?.setEncoding('utf8').on('data', collect);
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, output: error.message }));
    child.once('close', (code, signal) =>
      resolve({ code, signal, output: stripVTControlCharacters(output) }),
    );
  });
}
