/** Metrics of remote engines, read from their health when they are asked for. Labels are names of records alone. */
import { Gauge, type Registry } from 'prom-client';
import { type EngineHealth, engineStates } from '../api/console/engines.ts';
import type { RemoteEngines } from '../engines/remote-engines.ts';

const figures = {
  lokal_upstream_running: ['Requests under way at a remote engine', ({ running }) => running],
  lokal_upstream_tries: ['Tries at a remote engine since the start', ({ requests }) => requests],
  lokal_upstream_failures: ['Failed tries and checks since the start', ({ errors }) => errors],
  lokal_upstream_first_byte_ms: [
    'Median time to the first byte, in milliseconds',
    (health) => health.first_byte_ms,
  ],
  lokal_upstream_added_ms: [
    'Median of our own share until the first item, in milliseconds',
    (health) => health.added_ms,
  ],
  lokal_upstream_cooling: [
    '1 while it is not asked before a given time',
    (health) => (health.next_trial ? 1 : 0),
  ],
} as const satisfies Record<string, readonly [string, (health: EngineHealth) => number | null]>;

export function measureEngines(registry: Registry, engines: RemoteEngines): void {
  const registers = [registry];
  for (const [name, [help, read]] of Object.entries(figures)) {
    new Gauge({
      name,
      help,
      labelNames: ['upstream'] as const,
      registers,
      collect() {
        this.reset();
        for (const { name: upstream, health } of engines.list().data) {
          const value = read(health);
          if (value !== null) this.set({ upstream }, value);
        }
      },
    });
  }
  new Gauge({
    name: 'lokal_upstream_state',
    help: '1 for the state that a remote engine is in',
    labelNames: ['upstream', 'state'] as const,
    registers,
    collect() {
      this.reset();
      for (const { name: upstream, health } of engines.list().data)
        for (const state of engineStates) this.set({ upstream, state }, state === health.state ? 1 : 0);
    },
  });
}
