/** Load of the engine hosts, added up. Pure. */
import type { HostState } from '../../../../../server/api/console/packs.ts';

export interface EngineLoad {
  engines: number;
  memoryMb: number;
  /** Calls under way. */
  running: number;
}

/** @param hosts of two states of one pack the later counts */
export function loadOf(hosts: readonly HostState[]): EngineLoad {
  const byPack = new Map(hosts.map((host) => [host.pack, host]));
  const up = [...byPack.values()].filter(({ state }) => state === 'ready' || state === 'starting');
  return {
    engines: up.length,
    memoryMb: up.reduce((sum, { memory_mb }) => sum + (memory_mb ?? 0), 0),
    running: up.reduce((sum, { running }) => sum + running, 0),
  };
}
