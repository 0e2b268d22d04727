/**
 * Stops what `npm start` runs once npm is gone. npm passes some signals on to its shell and none of SIGKILL, so a
 * supervisor that ends npm's process would leave a server behind.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const everyMs = 500;

/** Calls `stop` once when npm or its shell has ended. Does nothing where npm did not start this process. */
export function whenNpmEnds(stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const shell = process.ppid;
  const npm = parentOf(shell);
  const timer = setInterval(() => {
    // npm is the shell's parent, or this process's own where the shell gave way to it.
    if (process.ppid === shell && (npm === undefined || npm <= 1 || parentOf(shell) === npm)) return;
    clearInterval(timer);
    stop();
  }, everyMs).unref();
}

/** Undefined for a process that is gone. */
function parentOf(pid: number): number | undefined {
  try {
    const text =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ')[1]
        : execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return Number(text);
  } catch {
    return undefined;
  }
}
