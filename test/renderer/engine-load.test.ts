import { expect, it } from 'vitest';
import { loadOf } from '../../renderer/src/components/shell/connection/engine-load.ts';
import type { HostState } from '../../server/api/console/packs.ts';

const host = (pack: string, state: HostState['state'], memory_mb: number | null, running = 0): HostState => ({
  pack,
  state,
  memory_mb,
  running,
  pid: 1,
  generation: 1,
  provider: null,
  provider_reason: null,
  confinement: null,
  last_error: null,
  idle_unload_seconds: null,
});

it('the load of the engines counts a pack once, by its latest state, and none that is not up', () => {
  const hosts = [
    host('a@1', 'ready', 900, 3),
    host('b@1', 'ready', 100, 1),
    host('c@1', 'stopped', 50, 1),
    host('d@1', 'starting', null),
    host('a@1', 'ready', 300, 2),
  ];
  expect(loadOf(hosts)).toEqual({ engines: 3, memoryMb: 400, running: 3 });
});
