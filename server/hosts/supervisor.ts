/**
 * Keeps one host process per loaded pack: starts it on the first call, unloads it when idle, evicts the least recently
 * used when memory runs short, and after a crash serves the next call from a new process.
 *
 *   stopped ──call──▶ starting ──opened──▶ ready ──idle / unload / evicted──▶ stopped
 *                        └────refused or crashed────▶ backing_off ──next call, once the pause is over──▶ starting
 *
 * A crash costs the calls under way (503 engine_crashed) and nothing else. The pause between attempts doubles while a
 * pack keeps crashing without having answered once in between; the first restart is immediate.
 *
 * A host that does not hear a cancel, or says that it has come to harm, is ended, which is no crash of its pack: the calls of others that have had no answer
 * yet are asked again. The memory of all hosts, trials and conversions included, is held by memory-ceiling.ts.
 */
import type { ModelId } from '../api/common.ts';
import type { HostState } from '../api/console/packs.ts';
import type {
  CallMethod,
  EngineKind,
  EngineOf,
  HostKind,
  ItemOf,
  ParamsOf,
  ResultOf,
  StreamMethod,
} from '../engine/contract.ts';
import type { CustomKernels, EngineOptions, EnginePack } from '../engine/engine.ts';
import { engineOf } from '../engine/protocol.ts';
import type { UserRules } from '../engine/threat/types.ts';
import { ApiError } from '../errors.ts';
import type { DecoderEstimate } from '../packs/estimate.ts';
import type { Conversion } from '../packs/import.ts';
import { factsOf, type PackFacts } from '../packs/pack-facts.ts';
import type { Pack, PackRegistry, TaskPacks } from '../packs/registry.ts';
import { recordLoad } from '../services/caller.ts';
import type { EngineFailure } from './engine-failure.ts';
import type { BoundPack, EngineCall, Engines, Served } from './engines.ts';
import { Host, HostStopped } from './host.ts';
import { type HostControl, type HostRecord, newRecord, type RecordOf, toHostState } from './host-record.ts';
import { MemoryCeiling } from './memory-ceiling.ts';
import type { SpawnHost } from './port.ts';
import type { ReadMemory } from './resident-memory.ts';
import { neededMb, servingPack, taskPacksKey, toEnginePack } from './serving-pack.ts';

export interface SupervisorSettings {
  /** 0: never. */
  idleUnloadSeconds: number;
  /** All hosts together. */
  memoryCeilingMb: number;
  threads: number;
  /** Default true. */
  customKernels?: CustomKernels;
  /** A host that is not confined opens nothing. */
  requireConfinement?: boolean;
}

export interface SupervisorDeps {
  registry: PackRegistry;
  spawn: SpawnHost;
  /** Execution providers to offer an engine, best first. */
  providers: (kind: EngineKind) => string[];
  /** Given to a threat engine besides its pack. */
  rules?: () => UserRules;
  /** A person's settings of a chat pack, over its manifest's `chat` block. */
  chatOptions?: (ref: string) => Record<string, unknown>;
  /** Read before each decision, so that a changed setting acts at once. */
  settings: () => SupervisorSettings;
  onState: (state: HostState) => void;
  onFailure?: (failure: EngineFailure) => void;
  /** Milliseconds a pack may take to load. */
  startTimeoutMs?: number;
  readMemory?: ReadMemory;
  now?: () => number;
}

const endings = {
  stuck: 'It was stuck in a request that had been cancelled.',
  harmed: 'It was replaced after a request that had to be given up in the midst of its work.',
};

type Records = { [Kind in EngineKind]: Map<string, RecordOf<Kind>> };

/** A shorter wait is no loading. */
const leastLoadMs = 5;
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** Of hosts that are still busy when the server stops. */
const lastGraceMs = 1_000;
const longestConversionMs = 24 * 3600_000;

/**
 * Beside a client that sends one such request after another, a host may be ended many times before a call's turn comes: it is
 * asked again as long as its deadline lasts. The count ends what might itself be the one that hangs; a host that asks to be
 * replaced has answered the call that did it harm.
 */
const mostTries = 12;

/** One call's tries, within one deadline. */
class Tries {
  readonly #endsAt: number;
  #again = false;
  #stuck = 0;

  constructor({ deadlineMs }: EngineCall) {
    this.#endsAt = performance.now() + deadlineMs;
  }

  /** The call with the time that is left. */
  next(options: EngineCall): EngineCall {
    return this.#again ? { ...options, deadlineMs: Math.max(1, this.#leftMs), again: true } : options;
  }

  isAskedAgain(error: unknown): boolean {
    if (!(error instanceof HostStopped)) return false;
    this.#again = true;
    if (error.why === 'stuck') this.#stuck += 1;
    return this.#stuck < mostTries && this.#leftMs >= 1;
  }

  get #leftMs(): number {
    return Math.floor(this.#endsAt - performance.now());
  }
}

export class Supervisor implements Engines {
  /** Told of each pack in one object, since every list of models asks. */
  readonly #boundPacks = new WeakMap<Pack, BoundPack>();
  readonly #deps: SupervisorDeps;
  readonly #startTimeoutMs: number;
  readonly #now: () => number;
  readonly #records: Records = {
    chat: new Map(),
    documents: new Map(),
    embeddings: new Map(),
    images: new Map(),
    moderation: new Map(),
    threat: new Map(),
  };
  /** Trials and conversions. */
  readonly #oneOffs = new Set<HostRecord>();
  readonly #memory: MemoryCeiling;
  #closing = false;

  constructor(deps: SupervisorDeps) {
    this.#deps = deps;
    this.#startTimeoutMs = deps.startTimeoutMs ?? 120_000;
    this.#now = deps.now ?? Date.now;
    this.#memory = new MemoryCeiling({
      records: () => this.#all(),
      ceilingMb: () => deps.settings().memoryCeilingMb,
      stop: (record) => this.#stop(record),
      lose: (record, message) => this.#lose(record, 'memory', message),
      readMemory: deps.readMemory,
      now: this.#now,
    });
  }

  async call<Role extends ModelId, Method extends CallMethod<EngineOf<Role>>>(
    role: Role,
    method: Method,
    params: ParamsOf<EngineOf<Role>, Method>,
    options: EngineCall,
  ): Promise<ResultOf<EngineOf<Role>, Method>> {
    const tries = new Tries(options);
    const ask = async () => {
      const { record, host } = await this.#readyFor(role, options);
      try {
        const result = await host.call(method, params, tries.next(options));
        this.#recordAnswer(record, host);
        return result;
      } finally {
        this.#scheduleUnload(record, host);
      }
    };
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!tries.isAskedAgain(error)) throw error;
      }
    }
  }

  async *stream<Role extends ModelId, Method extends StreamMethod<EngineOf<Role>>>(
    role: Role,
    method: Method,
    params: ParamsOf<EngineOf<Role>, Method>,
    options: EngineCall,
  ): AsyncGenerator<ItemOf<EngineOf<Role>, Method>> {
    const tries = new Tries(options);
    for (let begun = false; ; ) {
      try {
        const { record, host } = await this.#readyFor(role, options);
        try {
          for await (const item of host.stream(method, params, tries.next(options))) {
            begun ||= !isPreface(item);
            yield item;
          }
          return this.#recordAnswer(record, host);
        } finally {
          this.#scheduleUnload(record, host);
        }
      } catch (error) {
        if (begun || !tries.isAskedAgain(error)) throw error;
      }
    }
  }

  bound(role: ModelId): BoundPack | null {
    const pack = this.#answering(role);
    if (!pack) return null;
    let bound = this.#boundPacks.get(pack);
    if (!bound) {
      const { name, publisher } = pack.manifest;
      bound = { ref: pack.ref, name, publisher, installed: pack.installed };
      this.#boundPacks.set(pack, bound);
    }
    return bound;
  }

  facts(role: ModelId): PackFacts | null {
    const pack = this.#answering(role);
    return pack && factsOf(pack, this.#deps.chatOptions?.(pack.ref));
  }

  reranker(): string | null {
    return this.#deps.registry.boundTasks('svc-embed-base').rerank?.ref ?? null;
  }

  served(role: ModelId, named?: string | null): Served | null {
    const pack = named ? this.#deps.registry.find(named) : this.#answering(role);
    if (!pack) return null;
    const { host } = this.#recordOf(pack.manifest.engine, pack.ref);
    const { provider = null, confinement = null } = host?.info ?? {};
    return { pack: pack.ref, provider, confinement };
  }

  state(pack: Pack): HostState {
    return toHostState(this.#recordOf(pack.manifest.engine, pack.ref), this.#now());
  }

  /** Opens a pack in a host of its own, runs its smoke test and ends the host. @throws ApiError what is wrong */
  tryPack(pack: Pack, signal: AbortSignal): Promise<void> {
    return this.#once(pack.manifest.engine, toEnginePack(pack, this.#starterOf(pack)), (host) =>
      host.check({ signal, deadlineMs: this.#startTimeoutMs }),
    );
  }

  /** Turns a model's files into a pack folder in a host of its own. @throws ApiError what is wrong with the files */
  convert({ source, target, preset, onProgress, signal }: Conversion): Promise<void> {
    return this.#once(
      'model-import',
      { ref: 'convert', folder: target, manifest: {}, source },
      async (host) => {
        const call = { signal, deadlineMs: longestConversionMs };
        const steps = host.stream('convert', { source, preset, context: null }, call);
        for await (const { done, total } of steps) onProgress(done / total);
      },
    );
  }

  /** Reads the header of a model's files in a host of its own. @throws ApiError what is wrong with the files */
  describe(source: string, signal: AbortSignal): Promise<DecoderEstimate> {
    return this.#once('model-import', { ref: 'describe', folder: '', manifest: {}, source }, (host) =>
      host.call('estimate', { source }, { signal, deadlineMs: this.#startTimeoutMs }),
    );
  }

  /** Stops a pack's host now; calls under way fail with engine_crashed. */
  async unload(ref: string): Promise<void> {
    await Promise.all(
      this.#all()
        .filter((record) => record.ref === ref)
        .map((record) => this.#stop(record)),
    );
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#memory.close();
    await Promise.all(this.#all().map((record) => this.#stop(record, lastGraceMs)));
  }

  #recordOf<Kind extends EngineKind>(kind: Kind, ref: string): RecordOf<Kind> {
    const records: Map<string, RecordOf<Kind>> = this.#records[kind];
    const record = records.get(ref) ?? newRecord(kind, ref);
    records.set(ref, record);
    return record;
  }

  #all(): HostRecord[] {
    const packs = Object.values(this.#records).flatMap((records): HostRecord[] => [...records.values()]);
    return [...packs, ...this.#oneOffs];
  }

  /** A role that is left empty but for some of its tasks is answered by the pack of the first. */
  #answering(role: ModelId): Pack | null {
    const { registry } = this.#deps;
    return registry.bound(role) ?? Object.values(registry.boundTasks(role))[0] ?? null;
  }

  /** Packs of one engine fill one role, so the first tells. */
  #starterOf({ manifest: { roles } }: Pack): Pack | null {
    return roles[0] ? this.#deps.registry.starter(roles[0]) : null;
  }

  /** @throws ApiError model_not_installed; invalid_value for a named pack that does not fill the role */
  #packOf(role: ModelId, named?: string | null): Pack {
    const pack = named ? this.#deps.registry.find(named) : this.#answering(role);
    if (pack?.manifest.roles.includes(role)) return pack;
    throw named ? notInstalled(role) : unbound(role);
  }

  /** As `#ready`; the wait for a pack that was not loaded is told in the meter. */
  async #readyFor<Role extends ModelId>(role: Role, { pack, meter }: EngineCall) {
    const begun = performance.now();
    const ready = await this.#ready(role, pack);
    const waitedMs = performance.now() - begun;
    if (meter && waitedMs >= leastLoadMs) recordLoad(meter, waitedMs);
    return ready;
  }

  /** The ready host of a pack; a start that is under way is shared by all who wait for it. */
  async #ready<Role extends ModelId>(role: Role, named?: string | null) {
    if (this.#closing) throw new ApiError('shutting_down', 'Lokal is stopping.');
    const pack = this.#packOf(role, named);
    // A pack that a request names is asked alone.
    const taskPacks = named ? {} : this.#deps.registry.boundTasks(role);
    const kind: EngineOf<Role> = engineOf[role];
    const record = this.#recordOf(kind, pack.ref);
    await this.#recompose(record, taskPacksKey(taskPacks));
    this.#clearIdle(record);
    record.lastUsed = this.#now();
    if (record.host && record.state === 'ready') return { record, host: record.host };
    if (record.starting === null) this.#checkPause(record);
    record.starting ??= this.#start(kind, record, { pack, taskPacks }).finally(() => {
      record.starting = null;
    });
    return { record, host: await record.starting };
  }

  /** A host serves one composition of packs for as long as it lives. */
  async #recompose(record: HostRecord, taskPacks: string): Promise<void> {
    if (record.taskPacks === taskPacks) return;
    await record.starting?.catch(() => {});
    await this.#stop(record);
    record.taskPacks = taskPacks;
  }

  /** @throws ApiError engine_crashed while the pause after crashes lasts */
  #checkPause({ retryAt }: HostRecord): void {
    const retryAfterMs = retryAt - this.#now();
    if (retryAfterMs <= 0) return;
    const message = 'The engine crashed repeatedly and is paused before its next start.';
    throw new ApiError('engine_crashed', message, { retryAfterMs });
  }

  async #start<Kind extends EngineKind>(
    kind: Kind,
    record: RecordOf<Kind>,
    { pack, taskPacks }: { pack: Pack; taskPacks: TaskPacks },
  ): Promise<Host<Kind>> {
    await this.#memory.makeRoom(neededMb(pack, taskPacks), record);
    record.generation += 1;
    this.#change(record, 'starting');
    const chatOptions = this.#deps.chatOptions?.(pack.ref);
    const host: Host<Kind> = new Host(this.#deps.spawn, kind, {
      pack: servingPack(pack, { starter: this.#starterOf(pack), taskPacks, chatOptions }),
      options: this.#servingOptions(kind),
      events: {
        onExit: (reason) => this.#handleExit(record, host, reason),
        onEnd: (why) => this.#handleEnd(record, host, why),
        onFailure: (failure) => this.#report(record, { ...failure, engine: kind }),
      },
    });
    this.#memory.watch();
    record.host = host;
    try {
      await host.start(this.#startTimeoutMs);
    } catch (error) {
      record.lastError = error instanceof ApiError ? error.message : 'The pack could not be opened.';
      host.kill();
      throw error;
    }
    this.#change(record, 'ready');
    return host;
  }

  #engineOptions(kind: HostKind): EngineOptions {
    const { settings, providers } = this.#deps;
    const { customKernels, threads, requireConfinement } = settings();
    return {
      threads,
      providers: kind === 'model-import' ? ['cpu'] : providers(kind),
      ...(requireConfinement && { requireConfinement }),
      ...(customKernels !== true && { customKernels }),
    };
  }

  /** The person's rules belong to the serving engine; a pack on trial is judged by itself. */
  #servingOptions(kind: EngineKind): EngineOptions {
    const { rules } = this.#deps;
    return { ...this.#engineOptions(kind), ...(kind === 'threat' && rules && { rules: rules() }) };
  }

  #change(record: HostRecord, state: HostState['state']): void {
    record.state = state;
    if (!this.#oneOffs.has(record)) this.#deps.onState(toHostState(record, this.#now()));
  }

  /** A process that ended by itself; one that was stopped has been let go of before. */
  #handleExit(record: HostRecord, host: HostControl, reason: string): void {
    if (record.host !== host) return;
    this.#lose(record, reason, record.lastError ?? `The process ended: ${reason}.`);
  }

  /** A host may ask twice to be replaced before it is gone: by then another has its place. */
  #handleEnd(record: HostRecord, host: HostControl, why: keyof typeof endings): void {
    if (record.host === host) this.#letGo(record, why, endings[why]);
  }

  /** Lets go of a host that failed; the first time costs no pause. */
  #lose(record: HostRecord, code: string, message: string): void {
    record.failures += 1;
    record.retryAt = record.failures < 2 ? 0 : this.#now() + pauseAfter(record.failures);
    this.#letGo(record, code, message);
  }

  #letGo(record: HostRecord, code: string, message: string): void {
    this.#release(record);
    record.lastError = message;
    const trace = { class: 'HostEnd', code, place: [], hash: null };
    this.#report(record, { kind: 'exit', engine: record.engine, method: null, requestId: null, trace });
    this.#change(record, record.retryAt > this.#now() ? 'backing_off' : 'stopped');
  }

  #report(record: HostRecord, failure: Omit<EngineFailure, 'pack' | 'generation'>): void {
    const generation = this.#oneOffs.has(record) ? null : record.generation;
    this.#deps.onFailure?.({ ...failure, pack: record.ref, generation });
  }

  #release(record: HostRecord): void {
    record.host = null;
    record.residentMb = null;
    this.#clearIdle(record);
  }

  /** The record is free at once, so a call that comes meanwhile starts a new process. */
  async #stop(record: HostRecord, graceMs?: number): Promise<void> {
    const { host } = record;
    if (!host) return;
    this.#release(record);
    this.#change(record, 'stopped');
    await host.close(graceMs);
  }

  async #once<Kind extends HostKind, T>(
    kind: Kind,
    pack: EnginePack,
    work: (host: Host<Kind>) => Promise<T>,
  ): Promise<T> {
    if (this.#closing) throw new ApiError('shutting_down', 'Lokal is stopping.');
    const host = new Host(this.#deps.spawn, kind, {
      pack,
      options: this.#engineOptions(kind),
      events: {
        onExit: () => this.#oneOffs.delete(record),
        onEnd: () => {},
        onFailure: (failure) => this.#report(record, { ...failure, engine: kind }),
      },
    });
    const record: HostRecord = { ...newRecord(kind, pack.ref), host, state: 'starting' };
    this.#oneOffs.add(record);
    this.#memory.watch();
    try {
      await host.start(this.#startTimeoutMs);
      return await work(host);
    } finally {
      await host.close();
    }
  }

  #scheduleUnload(record: HostRecord, host: HostControl): void {
    if (record.host !== host || host.running > 0) return;
    const { idleUnloadSeconds } = this.#deps.settings();
    if (idleUnloadSeconds === 0) return;
    clearTimeout(record.idleTimer);
    record.idleAt = this.#now() + idleUnloadSeconds * 1000;
    record.idleTimer = setTimeout(() => void this.#stop(record), idleUnloadSeconds * 1000);
    record.idleTimer.unref();
  }

  #clearIdle(record: HostRecord): void {
    clearTimeout(record.idleTimer);
    record.idleAt = null;
  }

  #recordAnswer(record: HostRecord, host: HostControl): void {
    if (record.host !== host) return;
    record.failures = 0;
    record.retryAt = 0;
    record.lastError = null;
  }
}

const pauseAfter = (failures: number): number => Math.min(firstPauseMs * 2 ** (failures - 2), longestPauseMs);

/** Tells of work, and is no part of the answer. */
const isPreface = (item: unknown): boolean =>
  typeof item === 'object' &&
  item !== null &&
  'kind' in item &&
  (item.kind === 'prompt' || item.kind === 'progress');

const notInstalled = (role: ModelId): ApiError =>
  new ApiError('invalid_value', `X-Model-Pack names no installed pack for ${role}.`, {
    param: 'X-Model-Pack',
  });

const unbound = (role: ModelId): ApiError =>
  new ApiError(
    'model_not_installed',
    `No pack is bound to ${role}. Import one with \`lokal packs import PATH\`, then \`lokal packs bind ${role} PACK\`, or use the Packs page.`,
    { param: 'model' },
  );
