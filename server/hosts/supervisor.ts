/**
 * Keeps one host process per loaded pack: starts it on the first call, unloads it when idle, evicts the least recently
 * used when memory runs short, and after a crash serves the next call from a new process.
 *
 *   stopped ──call──▶ starting ──opened──▶ ready ──idle / unload / evicted──▶ stopped
 *                        └────refused or crashed────▶ backing_off ──next call, once the pause is over──▶ starting
 *
 * A crash costs the calls under way (503 engine_crashed) and nothing else. The pause between attempts doubles while a
 * pack keeps crashing without having answered once in between; the first restart is immediate.
 */
import type { ModelId } from '../api/common.ts';
import type { HostState } from '../api/console-packs.ts';
import type { EngineOptions, EnginePack, KeptRules } from '../engine/engine.ts';
import type { EngineKind, HostKind } from '../engine/protocol.ts';
import { ApiError } from '../errors.ts';
import type { DecoderEstimate } from '../packs/estimate.ts';
import type { Conversion } from '../packs/import.ts';
import type { Pack, PackRegistry, TaskPacks } from '../packs/registry.ts';
import type { BoundPack, EngineCall, Engines, Served } from './engines.ts';
import { Host } from './host.ts';
import type { SpawnHost } from './port.ts';
import { refusalOf } from './providers.ts';
import { besideKey, neededMb, servingPack, toEnginePack } from './serving-pack.ts';

export interface SupervisorSettings {
  /** 0: never. */
  idleUnloadSeconds: number;
  /** All hosts together. */
  memoryCeilingMb: number;
  threads: number;
}

export interface SupervisorDeps {
  registry: PackRegistry;
  spawn: SpawnHost;
  /** Execution providers to offer an engine, best first. */
  providers: (kind: EngineKind) => string[];
  /** What a threat engine is opened with besides its pack. */
  rules?: () => KeptRules;
  /** What a person set for a chat pack, over its manifest's `chat` block. */
  chatOptions?: (ref: string) => Record<string, unknown>;
  /** Read before each decision, so that a changed setting acts at once. */
  settings: () => SupervisorSettings;
  onState: (state: HostState) => void;
  /** Milliseconds a pack may take to load. */
  startTimeoutMs?: number;
  now?: () => number;
}

export interface Supervisor extends Engines {
  state(pack: Pack): HostState;
  /** Opens a pack in a host of its own, runs its smoke test and ends the host. @throws ApiError what is wrong */
  tryPack(pack: Pack, signal: AbortSignal): Promise<void>;
  /** Turns a model's files into a pack folder in a host of its own. @throws ApiError what is wrong with the files */
  convert(conversion: Conversion): Promise<void>;
  /** Reads the header of a model's files in a host of its own. @throws ApiError what is wrong with the files */
  describe(source: string, signal: AbortSignal): Promise<DecoderEstimate>;
  /** Stops a pack's host now; calls under way fail with engine_crashed. */
  unload(ref: string): Promise<void>;
  close(): Promise<void>;
}

/** All that is known of one pack's processes, past and present. */
interface Slot {
  ref: string;
  host: Host | null;
  state: HostState['state'];
  /** The packs its host was given for single tasks. */
  beside: string;
  starting: Promise<Host> | null;
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

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

export function createSupervisor(deps: SupervisorDeps): Supervisor {
  const { registry, spawn, settings, startTimeoutMs = 120_000, now = Date.now } = deps;
  const slots = new Map<string, Slot>();
  let closing = false;

  function slotOf(ref: string): Slot {
    let slot = slots.get(ref);
    if (!slot) {
      slot = emptySlot(ref);
      slots.set(ref, slot);
    }
    return slot;
  }

  const engineOptions = (kind: HostKind): EngineOptions => ({
    threads: settings().threads,
    providers: kind === 'convert' ? ['cpu'] : deps.providers(kind),
  });

  /** The person's rules belong to the serving engine; a pack on trial is judged by itself. */
  const servingOptions = (kind: EngineKind): EngineOptions => ({
    ...engineOptions(kind),
    ...(kind === 'threat' && deps.rules && { rules: deps.rules() }),
  });

  function change(slot: Slot, state: HostState['state']): void {
    slot.state = state;
    deps.onState(hostState(slot, now()));
  }

  /** A role that is left empty but for some of its tasks is answered by the pack of the first. */
  const answering = (role: ModelId): Pack | null =>
    registry.bound(role) ?? Object.values(registry.boundTasks(role))[0] ?? null;

  /** Packs of one engine fill one role, so the first tells. */
  const starterOf = ({ manifest: { roles } }: Pack): Pack | null =>
    roles[0] ? registry.starter(roles[0]) : null;

  /** @throws ApiError model_not_installed; invalid_value for a named pack that does not fill the role */
  function packOf(role: ModelId, named?: string | null): Pack {
    const pack = named ? registry.find(named) : answering(role);
    if (pack?.manifest.roles.includes(role)) return pack;
    if (named) {
      throw new ApiError('invalid_value', `X-Model-Pack names no installed pack for ${role}.`, {
        param: 'X-Model-Pack',
      });
    }
    throw new ApiError(
      'model_not_installed',
      `No pack is bound to ${role}. Import one with \`lokal packs import PATH\`, then \`lokal packs bind ${role} PACK\`, or use the Packs page.`,
      { param: 'model' },
    );
  }

  /** The ready host of a pack; a start that is under way is shared by all who wait for it. */
  async function ready(role: ModelId, named?: string | null): Promise<{ slot: Slot; host: Host }> {
    if (closing) throw new ApiError('shutting_down', 'Lokal is stopping.');
    const pack = packOf(role, named);
    // A pack that a request names is asked alone.
    const beside = named ? {} : registry.boundTasks(role);
    const slot = slotOf(pack.ref);
    if (slot.beside !== besideKey(beside)) {
      await slot.starting?.catch(() => {});
      await stop(slot);
      slot.beside = besideKey(beside);
    }
    clearTimeout(slot.idleTimer);
    slot.idleAt = null;
    slot.lastUsed = now();
    if (slot.host && slot.state === 'ready') return { slot, host: slot.host };
    const pauseMs = slot.retryAt - now();
    if (slot.starting === null && pauseMs > 0) {
      throw new ApiError(
        'engine_crashed',
        'The engine crashed repeatedly and is paused before its next start.',
        {
          retryAfterMs: pauseMs,
        },
      );
    }
    slot.starting ??= start(pack, beside, slot).finally(() => {
      slot.starting = null;
    });
    return { slot, host: await slot.starting };
  }

  async function start(pack: Pack, beside: TaskPacks, slot: Slot): Promise<Host> {
    await makeRoom(neededMb(pack, beside), pack.ref);
    slot.generation += 1;
    change(slot, 'starting');
    const host = new Host(
      spawn,
      pack.manifest.engine,
      servingPack(pack, {
        starter: starterOf(pack),
        beside,
        chatOptions: deps.chatOptions?.(pack.ref),
      }),
      servingOptions(pack.manifest.engine),
      {
        onExit: (reason) => handleExit(slot, host, reason),
        onMemory: (residentMb) => handleMemory(slot, residentMb),
      },
    );
    slot.host = host;
    try {
      await host.start(startTimeoutMs);
    } catch (error) {
      slot.lastError = error instanceof ApiError ? error.message : 'The pack could not be opened.';
      host.kill();
      throw error;
    }
    change(slot, 'ready');
    return host;
  }

  /** A process that ended by itself; one that was stopped has been let go of before. */
  function handleExit(slot: Slot, host: Host, reason: string): void {
    if (slot.host === host) lose(slot, slot.lastError ?? `The process ended: ${reason}.`);
  }

  /** Lets go of a host that failed; the first time costs no pause. */
  function lose(slot: Slot, reason: string): void {
    release(slot);
    slot.failures += 1;
    slot.lastError = reason;
    slot.retryAt = slot.failures < 2 ? 0 : now() + pauseAfter(slot.failures);
    change(slot, slot.retryAt === 0 ? 'stopped' : 'backing_off');
  }

  function release(slot: Slot): void {
    slot.host = null;
    slot.residentMb = null;
    clearTimeout(slot.idleTimer);
    slot.idleAt = null;
  }

  function handleMemory(slot: Slot, residentMb: number): void {
    slot.residentMb = residentMb;
    const { memoryCeilingMb } = settings();
    if (totalMb() <= memoryCeilingMb) return;
    const [idle] = leastRecentlyUsed(slot.ref);
    if (idle) void stop(idle);
    else if (residentMb > memoryCeilingMb) {
      const { host } = slot;
      lose(slot, `It needed ${residentMb} MB; the ceiling for all engines is ${memoryCeilingMb} MB.`);
      host?.kill();
    }
  }

  const totalMb = () => [...slots.values()].reduce((sum, slot) => sum + (slot.residentMb ?? 0), 0);

  /** Idle hosts but `except`, longest unused first. */
  const leastRecentlyUsed = (except: string): Slot[] =>
    [...slots.values()]
      .filter((slot) => slot.ref !== except && slot.state === 'ready' && slot.host?.running === 0)
      .sort((a, b) => a.lastUsed - b.lastUsed);

  /** Evicts idle hosts until `neededMb` fit under the ceiling. @throws ApiError server_overloaded when they cannot */
  async function makeRoom(neededMb: number, ref: string): Promise<void> {
    const { memoryCeilingMb } = settings();
    for (const slot of leastRecentlyUsed(ref)) {
      if (totalMb() + neededMb <= memoryCeilingMb) return;
      await stop(slot);
    }
    if (totalMb() + neededMb > memoryCeilingMb && neededMb > 0) {
      throw new ApiError(
        'server_overloaded',
        'There is not enough memory under the ceiling to load this model now.',
      );
    }
  }

  /** The slot is free at once, so a call that comes meanwhile starts a new process. */
  async function stop(slot: Slot): Promise<void> {
    const { host } = slot;
    if (!host) return;
    release(slot);
    change(slot, 'stopped');
    await host.close();
  }

  async function withTrialHost<T>(
    kind: HostKind,
    pack: EnginePack,
    work: (host: Host) => Promise<T>,
  ): Promise<T> {
    const host = new Host(spawn, kind, pack, engineOptions(kind), { onExit: () => {}, onMemory: () => {} });
    try {
      await host.start(startTimeoutMs);
      return await work(host);
    } finally {
      await host.close();
    }
  }

  function settle(slot: Slot, host: Host): void {
    if (slot.host !== host || host.running > 0) return;
    const { idleUnloadSeconds } = settings();
    if (idleUnloadSeconds === 0) return;
    clearTimeout(slot.idleTimer);
    slot.idleAt = now() + idleUnloadSeconds * 1000;
    slot.idleTimer = setTimeout(() => void stop(slot), idleUnloadSeconds * 1000);
    slot.idleTimer.unref();
  }

  function answered(slot: Slot, host: Host): void {
    if (slot.host !== host) return;
    slot.failures = 0;
    slot.retryAt = 0;
    slot.lastError = null;
  }

  return {
    async call<T>(role: ModelId, method: string, params: unknown, options: EngineCall) {
      const { slot, host } = await ready(role, options.pack);
      try {
        const value = await host.call(method, params, options);
        answered(slot, host);
        return value as T & object;
      } finally {
        settle(slot, host);
      }
    },

    async *stream<T>(role: ModelId, method: string, params: unknown, options: EngineCall) {
      const { slot, host } = await ready(role, options.pack);
      try {
        for await (const item of host.stream(method, params, options)) yield item as T;
        answered(slot, host);
      } finally {
        settle(slot, host);
      }
    },

    bound(role): BoundPack | null {
      const pack = answering(role);
      return pack && { ref: pack.ref, publisher: pack.manifest.publisher, installed: pack.installed };
    },

    served(role, named): Served | null {
      const pack = named ? registry.find(named) : answering(role);
      const provider = pack && slots.get(pack.ref)?.host?.info.provider;
      return pack && { pack: pack.ref, provider: typeof provider === 'string' ? provider : null };
    },

    state: (pack) => hostState(slotOf(pack.ref), now()),

    tryPack: (pack, signal) =>
      withTrialHost(pack.manifest.engine, toEnginePack(pack, starterOf(pack)), async (host) => {
        await host.call('check', null, { signal, deadlineMs: startTimeoutMs });
      }),

    convert: ({ source, target, preset, onProgress, signal }) =>
      withTrialHost('convert', { ref: 'convert', folder: target, manifest: {} }, async (host) => {
        const items = host.stream('convert', { source, preset, context: null }, { signal });
        for await (const item of items) {
          const { kind, done, total } = item as { kind: string; done: number; total: number };
          if (kind === 'progress') onProgress(done / total);
        }
      }),

    describe: (source, signal) =>
      withTrialHost(
        'convert',
        { ref: 'describe', folder: '', manifest: {} },
        async (host) =>
          (await host.call(
            'estimate',
            { source },
            { signal, deadlineMs: startTimeoutMs },
          )) as DecoderEstimate,
      ),

    async unload(ref) {
      const slot = slots.get(ref);
      if (slot) await stop(slot);
    },

    async close() {
      closing = true;
      await Promise.all([...slots.values()].map(stop));
    },
  };
}

const emptySlot = (ref: string): Slot => ({
  ref,
  host: null,
  state: 'stopped',
  beside: '',
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

const pauseAfter = (failures: number): number => Math.min(firstPauseMs * 2 ** (failures - 2), longestPauseMs);

function hostState(slot: Slot, nowMs: number): HostState {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    pack: slot.ref,
    state: slot.state,
    pid: slot.host?.pid ?? null,
    generation: slot.generation,
    running: slot.host?.running ?? 0,
    memory_mb: slot.residentMb,
    provider: text(slot.host?.info.provider),
    provider_reason: refusalOf(slot.host?.info.refused_providers),
    last_error: slot.lastError,
    idle_unload_seconds: slot.idleAt === null ? null : Math.max(0, Math.round((slot.idleAt - nowMs) / 1000)),
  };
}
