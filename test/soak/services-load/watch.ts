/** What a running server holds: memory, handles and files, and how they grow (Linux). */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { residentMb } from '../../bench/http-load/servers.ts';
import { median, rounded } from '../../bench/measure.ts';
import { childrenOf } from '../../support/children-of.ts';

/**
 * Engine hosts by the service they are for. A host does not say so; but requests come one at a time, so that a new one
 * belongs to the service that is asked, or to the one whose host was killed.
 */
export class NamedHosts {
  readonly #server: number;
  readonly #names = new Map<number, string>();
  /** Services whose host was killed and has not been seen again. */
  readonly #killed: string[] = [];

  constructor(server: number) {
    this.#server = server;
  }

  /** After each answer of `service`. */
  look(service: string): void {
    const pids = childrenOf(this.#server);
    for (const pid of this.#names.keys()) if (!pids.includes(pid)) this.#names.delete(pid);
    for (const pid of pids) if (!this.#names.has(pid)) this.#names.set(pid, this.#killed.shift() ?? service);
  }

  /** Of the services in turn. */
  kill(turn: number): boolean {
    const hosts = [...this.#names].sort(([, left], [, right]) => left.localeCompare(right));
    const [pid, name] = hosts[turn % Math.max(1, hosts.length)] ?? [];
    if (pid === undefined || !childrenOf(this.#server).includes(pid)) return false;
    process.kill(pid, 'SIGKILL');
    this.#killed.push(name!);
    return true;
  }

  residentMb(): Record<string, number> {
    return Object.fromEntries(
      [...this.#names].map(([pid, name]) => [`host_${name}_mb`, residentMb(pid) ?? Number.NaN]),
    );
  }
}

export interface Sample {
  minute: number;
  /** Series by name: `server_mb`, `server_handles`, `home_files`, `home_mb`, `tmp_files`, `hosts`, and `host_SERVICE_mb`. */
  values: Record<string, number>;
}

export function takeSample(
  pid: number,
  hosts: NamedHosts,
  folders: { home: string; tmp: string },
): Sample['values'] {
  const home = filesUnder(folders.home);
  return {
    server_mb: residentMb(pid) ?? Number.NaN,
    server_handles: readdirSync(`/proc/${pid}/fd`).length,
    hosts: childrenOf(pid).length,
    home_files: home.count,
    home_mb: home.bytes / 2 ** 20,
    tmp_files: filesUnder(folders.tmp).count,
    ...hosts.residentMb(),
  };
}

export const countFiles = (folder: string): number => filesUnder(folder).count;

/** The code cache apart, which is bounded and filled by what has run. */
function filesUnder(folder: string): { count: number; bytes: number } {
  let [count, bytes] = [0, 0];
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || file.includes('/code-cache/')) continue;
    count += 1;
    try {
      bytes += statSync(file).size;
    } catch {
      // Deleted between the listing and the look.
    }
  }
  return { count, bytes };
}

export interface Trend {
  first: number;
  last: number;
  /** Of a line through all samples but those of the first fifth, in which caches fill. */
  per_hour: number;
  /** Median of the last quarter of the samples over that of the second. */
  growth: number;
}

export function trendOf(samples: readonly Sample[], series: string): Trend {
  const points = samples
    .filter(({ values }) => Number.isFinite(values[series]))
    .map(({ minute, values }) => ({ minute, value: values[series]! }));
  const quarter = (index: number) =>
    median(
      points.slice((points.length * index) / 4, (points.length * (index + 1)) / 4).map(({ value }) => value),
    );
  return {
    first: rounded(points[0]!.value),
    last: rounded(points.at(-1)!.value),
    per_hour: rounded(slope(points.slice(points.length / 5)) * 60),
    growth: points.length < 8 ? 1 : rounded(quarter(3) / quarter(1)),
  };
}

/** Least squares, per minute. */
function slope(points: readonly { minute: number; value: number }[]): number {
  if (points.length < 2) return 0;
  const meanOf = (pick: (point: { minute: number; value: number }) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const minute = meanOf((point) => point.minute);
  const value = meanOf((point) => point.value);
  const spread = meanOf((point) => (point.minute - minute) ** 2);
  return spread === 0 ? 0 : meanOf((point) => (point.minute - minute) * (point.value - value)) / spread;
}
