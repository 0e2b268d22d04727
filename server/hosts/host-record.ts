/** All that is known of one pack's processes, past and present. */
import type { HostState } from '../api/console/packs.ts';
import type { HostKind } from '../engine/contract.ts';
import type { EngineInfo } from '../engine/engine.ts';
import type { ApiError } from '../errors.ts';
import type { Host } from './host.ts';
import { refusalOf } from './providers.ts';

/** Done to a host whatever its engine. */
export interface HostControl {
  readonly pid: number | undefined;
  /** Calls under way. */
  readonly running: number;
  readonly info: EngineInfo;
  close(graceMs?: number): Promise<void>;
  kill(reason?: ApiError): void;
}

export interface HostRecord {
  readonly engine: HostKind;
  readonly ref: string;
  host: HostControl | null;
  state: HostState['state'];
  /** The packs its host was given for single tasks. */
  taskPacks: string;
  starting: Promise<HostControl> | null;
  generation: number;
  /** Crashes and refusals since the last answer. */
  failures: number;
  retryAt: number;
  lastError: string | null;
  lastUsed: number;
  residentMb: number | null;
  idleTimer: NodeJS.Timeout | undefined;
  idleAt: number | null;
}

/** The record of a pack of one engine. */
export interface RecordOf<Kind extends HostKind> extends HostRecord {
  host: Host<Kind> | null;
  starting: Promise<Host<Kind>> | null;
}

export const newRecord = <Kind extends HostKind>(engine: Kind, ref: string): RecordOf<Kind> => ({
  engine,
  ref,
  host: null,
  state: 'stopped',
  taskPacks: '',
  starting: null,
  generation: 0,
  failures: 0,
  retryAt: 0,
  lastError: null,
  lastUsed: 0,
  residentMb: null,
  idleTimer: undefined,
  idleAt: null,
});

/** As the console shows it. */
export function toHostState(record: HostRecord, nowMs: number): HostState {
  const { host, idleAt } = record;
  return {
    pack: record.ref,
    state: record.state,
    pid: host?.pid ?? null,
    generation: record.generation,
    running: host?.running ?? 0,
    memory_mb: record.residentMb,
    provider: host?.info.provider ?? null,
    provider_reason: refusalOf(host?.info.refusedProviders ?? []),
    confinement: host?.info.confinement ?? null,
    last_error: record.lastError,
    idle_unload_seconds: idleAt === null ? null : Math.max(0, Math.round((idleAt - nowMs) / 1000)),
  };
}
