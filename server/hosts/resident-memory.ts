/**
 * Memory of host processes, read from outside: a busy host tells nothing. Linux has it in /proc; macOS prints it with
 * `ps`, Windows with `tasklist`.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Resident megabytes by process id; a process that has ended is left out. */
export type ReadMemory = (pids: readonly number[]) => Promise<Map<number, number>>;

const run = promisify(execFile);
const limitMs = 5_000;
const kibibytesOfMb = 1024;

export const readResidentMb: ReadMemory = async (pids) => {
  const rows = process.platform === 'linux' ? await fromProc(pids) : await fromTool(pids);
  return new Map(rows.map(([pid, kibibytes]) => [pid, Math.round(kibibytes / kibibytesOfMb)]));
};

type Row = [pid: number, kibibytes: number];

async function fromProc(pids: readonly number[]): Promise<Row[]> {
  const rows = pids.map(async (pid): Promise<Row | null> => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const resident = /^VmRSS:\s*(\d+) kB/m.exec(status)?.[1];
    return resident === undefined ? null : [pid, Number(resident)];
  });
  return (await Promise.all(rows)).filter((row) => row !== null);
}

async function fromTool(pids: readonly number[]): Promise<Row[]> {
  try {
    if (process.platform !== 'win32') {
      const { stdout } = await run('ps', ['-o', 'pid=,rss=', '-p', pids.join()], { timeout: limitMs });
      return parsePs(stdout);
    }
    const { stdout } = await run('tasklist', ['/FO', 'CSV', '/NH'], { timeout: limitMs, windowsHide: true });
    return parseTasklist(stdout).filter(([pid]) => pids.includes(pid));
  } catch {
    return []; // `ps` fails where none of the processes is left
  }
}

export const parsePs = (text: string): Row[] =>
  [...text.matchAll(/^\s*(\d+)\s+(\d+)\s*$/gm)].map(([, pid, kibibytes]) => [Number(pid), Number(kibibytes)]);

/** `"node.exe","4242","Console","1","123,456 K"`; the separator of thousands is the system's. */
export const parseTasklist = (text: string): Row[] =>
  [...text.matchAll(/^"[^"]*","(\d+)","[^"]*","[^"]*","([^"]*)"/gm)].map(([, pid, size]) => [
    Number(pid),
    Number(size!.replace(/\D/g, '')),
  ]);
