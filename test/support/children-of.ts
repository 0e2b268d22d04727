/** Direct children of a process that have not ended (Linux); zombies have. */
import { readdirSync, readFileSync } from 'node:fs';
import { residentMb } from '../bench/http-load/servers.ts';

export function childrenOf(pid: number): number[] {
  const pids = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return pids.filter((each) => residentMb(each) !== null);
}
