import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** Progress for the person who waits; stdout belongs to the result. */
export function progress(message: string): void {
  process.stderr.write(`${message}\n`);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Rounded for a report: four significant digits. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

export async function timeMs(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export interface Alternation {
  ours: () => unknown;
  peer: () => unknown;
  /** Runs of each that count; one of each before them does not. */
  runs: number;
}

/** Median milliseconds of both, run in turn so that what else the machine does falls on both alike. */
export async function alternate({
  ours,
  peer,
  runs,
}: Alternation): Promise<{ oursMs: number; peerMs: number }> {
  const times: { ours: number[]; peer: number[] } = { ours: [], peer: [] };
  for (let round = 0; round <= runs; round++) {
    const oursMs = await timeMs(ours);
    const peerMs = await timeMs(peer);
    if (round === 0) continue;
    times.ours.push(oursMs);
    times.peer.push(peerMs);
    progress(`run ${round}/${runs}: ours ${oursMs.toFixed(0)} ms, peer ${peerMs.toFixed(0)} ms`);
  }
  return { oursMs: median(times.ours), peerMs: median(times.peer) };
}

function machineBusyMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
}

interface ProcessTimes {
  parent: number;
  ticks: number;
}

/** Parent and CPU ticks of every process (Linux), with the ticks of children that have ended. */
function processTable(): Map<number, ProcessTimes> {
  const table = new Map<number, ProcessTimes>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      // The name in field 2 may hold spaces and brackets; everything after its last bracket is plain.
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number);
      table.set(Number(entry), {
        parent: Number(fields[1]),
        ticks: user! + system! + childUser! + childSystem!,
      });
    } catch {
      // It ended between the listing and the look.
    }
  }
  return table;
}

/** CPU milliseconds of a process and all below it, in steps of ten. Elsewhere than on Linux, of this process alone. */
export function cpuMs(root = process.pid): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
  const table = processTable();
  const isBelow = (pid: number): boolean =>
    pid === root || (table.has(pid) && pid > 1 && isBelow(table.get(pid)!.parent));
  const ticksPerSecond = 100;
  return (
    [...table].reduce((sum, [pid, { ticks }]) => (isBelow(pid) ? sum + ticks : sum), 0) *
    (1000 / ticksPerSecond)
  );
}

/** Starts a clock; calling the result gives the cores that others kept busy since, as a mean. */
export function cpuClock(): () => number {
  const start = { at: performance.now(), machine: machineBusyMs(), own: cpuMs() };
  return () => {
    const elapsed = performance.now() - start.at;
    const foreign = machineBusyMs() - start.machine - (cpuMs() - start.own);
    return rounded(Math.max(0, foreign / elapsed));
  };
}
