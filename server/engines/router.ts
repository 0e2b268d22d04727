/**
 * Engines of the services, wherever they are: this machine's packs and the remote engines that a person has named. Every rule
 * comes before the first byte: who may leave this machine, the region, what a target can do, how it fares. Then targets are tried
 * in their order until one has begun to answer; behind that, a failure is the caller's to hear.
 */
import { randomUUID } from 'node:crypto';
import { type ModelId, modelIds, type Region } from '../api/common.ts';
import type { Settings } from '../api/console/console.ts';
import type { EngineAttempt } from '../api/console/engines.ts';
import type { GenerateParams } from '../engine/chat/types.ts';
import { ApiError } from '../errors.ts';
import type { BoundPack, EngineCall, Engines } from '../hosts/engines.ts';
import { recordAttempt, recordUse } from '../services/caller.ts';
import { longestOut, orderTargets } from './choose.ts';
import { EngineFault } from './fault.ts';
import { createPersonalDataHider } from './pseudonyms/hiding.ts';
import { localTarget, type RemoteEngines } from './remote-engines.ts';
import { EngineSlots } from './slots.ts';
import {
  type EngineAsk,
  type EngineTarget,
  LocalTarget,
  pseudonymOf,
  type RemoteMeans,
  RemoteTarget,
} from './target.ts';

export interface RouterDeps {
  local: Engines;
  remote: RemoteEngines;
  settings: () => Pick<Settings, 'sealed' | 'machine_regions' | 'engine_queue_seconds'>;
  installKey: Buffer;
  /** Rules that a person has imported or switched here, which no other machine knows. */
  hasOwnRules: () => boolean;
  /** Unix milliseconds. */
  now: () => number;
}

const mostTries = 4;
/** Tries beyond the first, as a share of requests; and how many may come at once. */
const retryShare = 0.5;
const mostRetriesAtOnce = 100;
const fullRetryMs = 2_000;

export function createRouter(deps: RouterDeps): Engines {
  const { local, remote } = deps;
  const router = new Router(deps);
  return {
    call: (role, method, params, options) =>
      router.staysHere(role, options)
        ? local.call(role, method, params, options)
        : (router.call({ role, method, params, options }) as never),
    stream: (role, method, params, options) =>
      router.staysHere(role, options)
        ? local.stream(role, method, params, options)
        : (router.stream({ role, method, params, options }) as never),
    bound: (role) => local.bound(role) ?? boundElsewhere(remote, role),
    facts: (role) => local.facts?.(role) ?? null,
    served: (role, pack) => local.served(role, pack),
    reranker: () => local.reranker?.() ?? null,
  };
}

/** A role without a pack here is served all the same where an engine does it. */
function boundElsewhere(remote: RemoteEngines, role: ModelId): BoundPack | null {
  if (remote.none) return null;
  const engine = remote.engines().find((each) => each.known.record.enabled && each.serving(role));
  if (!engine) return null;
  const { known, name } = engine;
  return {
    ref: `${name}/${engine.serving(role)!.model}`,
    name: engine.serving(role)!.model,
    publisher: name,
    installed: Math.floor(known.createdMs / 1000),
  };
}

type Request = Pick<EngineAsk, 'role' | 'method' | 'params' | 'options'>;

class Router {
  readonly #deps: RouterDeps;
  readonly #local: Map<ModelId, LocalTarget>;
  readonly #means: RemoteMeans;
  readonly #slots = new EngineSlots();
  #retries = mostRetriesAtOnce;

  constructor(deps: RouterDeps) {
    this.#deps = deps;
    this.#means = { local: deps.local, hider: createPersonalDataHider(deps.local, deps.installKey) };
    const regions = () => deps.settings().machine_regions as Region[];
    this.#local = new Map(modelIds.map((role) => [role, new LocalTarget(deps.local, regions)]));
  }

  /** True for the console's own calls and, while no engine is named, for all that may run here. */
  staysHere(role: ModelId, { principal, region, pack }: EngineCall): boolean {
    if (!principal || pack) return true;
    const isHere = !region || this.#local.get(role)!.isIn(region);
    return isHere && this.#deps.remote.none;
  }

  async call(request: Request): Promise<unknown> {
    const run = this.#begin(request);
    try {
      return await this.#tryEach(run, (target, asked) => target.call(asked));
    } finally {
      run.end();
    }
  }

  async *stream(request: Request): AsyncGenerator<unknown> {
    const run = this.#begin(request);
    try {
      const { target, head, rest } = await this.#tryEach(run, (each, asked) => openStream(each, asked));
      yield* head;
      try {
        for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
      } catch (error) {
        throw toApiError(error, target, run.asked);
      } finally {
        await rest.return?.();
      }
    } finally {
      run.end();
    }
  }

  #begin(request: Request): Run {
    const begunAt = performance.now();
    const { options, params } = request;
    const { principal, requestId = '' } = options;
    const keyId = principal?.keyId ?? '';
    const conversation = options.session ?? conversationOf(request.method, params);
    const { installKey } = this.#deps;
    const ownHop = pseudonymOf(installKey, 'hop').slice(0, 16);
    if (options.hops?.includes(ownHop))
      throw new ApiError(
        'upstream_error',
        'The request has passed through this Lokal before: engines lead in a circle.',
      );
    const deadline = new Deadline(options.signal, options.deadlineMs);
    this.#retries = Math.min(mostRetriesAtOnce, this.#retries + retryShare);
    const run: Run = {
      asked: {
        ...request,
        // A class with getters may stand behind it, whose fields a spread would lose.
        options: { ...withSignal(options, deadline.signal), hops: [...(options.hops ?? []), ownHop] },
        session: conversation === null ? null : pseudonymOf(installKey, 'session', keyId, conversation),
        // A request may call an engine several times, each time for something else.
        idempotencyKey: pseudonymOf(installKey, 'request', requestId, randomUUID()),
        begunAt,
        addedMs: null,
      },
      place: null,
      end: () => {
        deadline.end();
        this.#leave(run);
      },
    };
    return run;
  }

  #leave(run: Run): void {
    if (run.place !== null) this.#slots.leave(run.place);
    run.place = null;
  }

  /** One of `left` with a place taken; waits where all are full. @throws ApiError where none came free in time */
  async #place(run: Run, left: readonly EngineTarget[]): Promise<EngineTarget> {
    const { options } = run.asked;
    const ms = this.#deps.settings().engine_queue_seconds * 1000;
    const target = this.#slots.take(left) ?? (await this.#slots.wait(left, { signal: options.signal, ms }));
    if (!target) throw allFull(options.region ?? null);
    run.place = target.name;
    return target;
  }

  async #tryEach<T>(run: Run, work: (target: EngineTarget, asked: EngineAsk) => Promise<T>): Promise<T> {
    const { asked } = run;
    const { targets, hasRemote } = this.#candidates(asked);
    let last: { error: unknown; target: EngineTarget } | null = null;
    const left = [...targets];
    for (let tries = 0; tries < mostTries && left.length > 0; tries += 1) {
      if (tries > 0) {
        if (this.#retries < 1) break;
        this.#retries -= 1;
      }
      const beganWaiting = performance.now();
      const target = await this.#place(run, left);
      left.splice(left.indexOf(target), 1);
      const startedAt = performance.now();
      // Waiting for a place is no work of ours.
      if (tries > 0 || startedAt - beganWaiting > 1) asked.begunAt = startedAt;
      asked.addedMs = null;
      const note = (outcome: string) => {
        const { name, model } = target;
        const ms = Math.round((performance.now() - startedAt) * 100) / 100;
        const pseudonyms = asked.options.meter?.pseudonyms ?? null;
        if (hasRemote)
          record(asked, {
            role: asked.role,
            target: name,
            model,
            outcome,
            ms,
            ...(pseudonyms === null ? {} : { pseudonyms }),
            ...(asked.addedMs === null ? {} : { added_ms: asked.addedMs }),
          });
      };
      if (asked.options.meter) recordUse({ meter: asked.options.meter }, { pseudonyms: null });
      try {
        const begun = await work(target, asked);
        note('answered');
        return begun;
      } catch (error) {
        note(outcomeOf(error));
        this.#leave(run);
        last = { error, target };
        if (!movesOn(error, asked)) break;
      }
    }
    throw last ? this.#lastWord(last, targets, asked) : this.#allClosed(targets);
  }

  /** In the order they are asked, never empty. @throws ApiError where no rule leaves one */
  #candidates(asked: EngineAsk): { targets: EngineTarget[]; hasRemote: boolean } {
    const { role, options } = asked;
    const { remote, settings } = this.#deps;
    const here = this.#local.get(role)!;
    const route = remote.route(role);
    const mayLeave = !options.localOnly && options.principal!.scopes.has('upstream');
    const all = this.#targets(role, route.targets);
    const named = mayLeave ? all : [here];
    const inRegion = options.region ? named.filter((target) => target.isIn(options.region!)) : named;
    if (inRegion.length === 0) throw noneInRegion(options.region!, mayLeave, all);
    if (!mayLeave && here.refusal(asked) !== null && all.some((target) => target.remote))
      throw mustStay(role);
    const { sealed } = settings();
    const reasons: string[] = [];
    const able = inRegion.filter((target) => {
      const why =
        target.remote && sealed && !this.#isLoopback(target.name)
          ? 'Lokal is sealed'
          : target.remote && role === 'svc-guard-max' && this.#deps.hasOwnRules()
            ? 'it does not know the rules of this machine'
            : target.refusal(asked);
      if (why !== null) reasons.push(`${target.name}: ${typeof why === 'string' ? why : why.message}`);
      if (why instanceof ApiError && inRegion.length === 1) throw why;
      return why === null;
    });
    if (able.length === 0) {
      // This machine's own words are the best there are for what it lacks.
      if (inRegion.length === 1 && inRegion[0] === here) return { targets: [here], hasRemote: false };
      throw unable(reasons, options);
    }
    const ordered = orderTargets(able, { route, session: asked.session });
    const hasRemote = able.some((target) => target.remote);
    if (ordered.length > 0) return { targets: ordered, hasRemote };
    const one = longestOut(able);
    if (one) return { targets: [one], hasRemote };
    throw options.region ? regionOut(options.region, this.#waitMs(able)) : this.#allClosed(able);
  }

  #targets(role: ModelId, names: readonly string[]): EngineTarget[] {
    const engines = this.#deps.remote.engines();
    const toTarget = (engine: (typeof engines)[number]) => new RemoteTarget(engine, role, this.#means);
    const here = this.#local.get(role)!;
    if (names.length > 0) {
      const byName = new Map(engines.map((engine) => [engine.name, engine]));
      return names.flatMap((name): EngineTarget[] => {
        if (name === localTarget) return [here];
        const engine = byName.get(name);
        return engine ? [toTarget(engine)] : [];
      });
    }
    const serving = engines.filter(({ known }) => known.record.models.some((each) => each.role === role));
    return serving.length > 0 ? serving.map(toTarget) : [here];
  }

  #isLoopback(name: string): boolean {
    return this.#deps.remote.engines().find((engine) => engine.name === name)?.address.loopback ?? false;
  }

  #waitMs(targets: readonly EngineTarget[]): number {
    const soonest = Math.min(...targets.map(({ askableFromMs }) => askableFromMs));
    return Math.min(Math.max(soonest - this.#deps.now(), 1_000), 60_000);
  }

  #allClosed(targets: readonly EngineTarget[]): ApiError {
    const denied = targets.find(({ verdict }) => verdict === 'misconfigured');
    if (denied)
      return new ApiError('upstream_error', `The remote engine ${denied.name} refuses this server’s secret.`);
    return new ApiError('upstream_unavailable', 'No engine of this service can be asked now.', {
      retryAfterMs: this.#waitMs(targets),
    });
  }

  /** The last failure, or that all are out, with the time of the next trial. */
  #lastWord(
    { error, target }: { error: unknown; target: EngineTarget },
    targets: EngineTarget[],
    asked: EngineAsk,
  ): unknown {
    const told = toApiError(error, target, asked);
    if (!(error instanceof EngineFault) || (error.kind !== 'connect' && error.kind !== 'busy')) return told;
    const { region } = asked.options;
    if (region) return regionOut(region, this.#waitMs(targets));
    return new ApiError('upstream_unavailable', (told as ApiError).message, {
      retryAfterMs: this.#waitMs(targets),
    });
  }
}

interface Run {
  asked: EngineAsk;
  /** The engine whose place it has. */
  place: string | null;
  end: () => void;
}

/** Ends a request when its client is gone or its plan's time is up. */
class Deadline {
  readonly signal: AbortSignal;
  readonly #timer: NodeJS.Timeout;

  constructor(signal: AbortSignal, ms: number) {
    const expired = new AbortController();
    this.#timer = setTimeout(
      () => expired.abort(new ApiError('upstream_timeout', 'The answer took longer than the plan allows.')),
      Math.min(ms, 2_147_483_647),
    );
    this.signal = AbortSignal.any([signal, expired.signal]);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

const withSignal = (
  { requestId, deadlineMs, principal, region, localOnly, session, hops, meter, whole }: EngineCall,
  signal: AbortSignal,
): EngineCall =>
  ({
    signal,
    requestId,
    deadlineMs,
    principal,
    region,
    localOnly,
    session,
    hops,
    meter,
    whole,
  }) as EngineCall;

interface Opened {
  target: EngineTarget;
  head: unknown[];
  rest: AsyncIterator<unknown>;
}

/**
 * Begins a stream and reads until the first item that the caller would see; of an answer that is wanted whole, all of it, so
 * that another target can still take over.
 */
async function openStream(target: EngineTarget, asked: EngineAsk): Promise<Opened> {
  const rest = target.stream(asked)[Symbol.asyncIterator]();
  const head: unknown[] = [];
  const whole = asked.options.whole === true && target.remote;
  try {
    for (;;) {
      const { value, done } = await rest.next();
      if (done) break;
      head.push(value);
      if (!whole && (value as { kind?: unknown }).kind !== 'prompt') break;
    }
  } catch (error) {
    await rest.return?.();
    throw error;
  }
  return { target, head, rest };
}

function record({ options }: EngineAsk, attempt: EngineAttempt): void {
  if (options.meter) recordAttempt({ meter: options.meter }, attempt);
}

const outcomeOf = (error: unknown): string => {
  if (error instanceof EngineFault) return `${error.kind}: ${error.message}`;
  return error instanceof ApiError ? error.code : 'internal_error';
};

/** Failures of this machine that another engine may be spared. */
const localFaults = new Set(['model_not_installed', 'model_loading', 'engine_crashed', 'server_overloaded']);

function movesOn(error: unknown, { options }: EngineAsk): boolean {
  if (options.signal.aborted) return false;
  if (error instanceof EngineFault) return error.movesOn;
  return error instanceof ApiError && localFaults.has(error.code);
}

function toApiError(error: unknown, target: EngineTarget, { options }: EngineAsk): unknown {
  if (options.signal.aborted) return options.signal.reason ?? error;
  return error instanceof EngineFault ? error.toApiError(target.name) : error;
}

/** The same as long as a conversation goes on: its beginning. */
function conversationOf(method: string, params: unknown): string | null {
  if (method !== 'generate') return null;
  const { messages, raw } = params as GenerateParams;
  if (raw) return raw.text.slice(0, 256);
  const first = messages.findIndex(({ role }) => role === 'user');
  return JSON.stringify(messages.slice(0, first + 1)).slice(0, 4_096);
}

function noneInRegion(region: Region, mayLeave: boolean, all: readonly EngineTarget[]): ApiError {
  if (!mayLeave && all.some((target) => target.remote && target.isIn(region)))
    return new ApiError(
      'local_only',
      `The region ${region} is served by remote engines, and this key or request is to stay on this machine.`,
    );
  return regionOut(region, 5_000);
}

const regionOut = (region: Region, retryAfterMs: number): ApiError =>
  new ApiError('region_unavailable', `No engine of the region ${region} can be asked now.`, { retryAfterMs });

const allFull = (region: Region | null): ApiError => {
  const message =
    'All engines that can take the request work on as many as they may; none came free in time.';
  return new ApiError(region ? 'region_unavailable' : 'upstream_unavailable', message, {
    retryAfterMs: fullRetryMs,
  });
};

const mustStay = (role: ModelId): ApiError =>
  new ApiError(
    'local_only',
    `${role} is served by remote engines, and this key or request is to stay on this machine. A key needs the scope upstream.`,
  );

function unable(reasons: readonly string[], { region }: EngineCall): ApiError {
  const message = `No engine can take this request. ${reasons.join('; ')}.`;
  const window = reasons.every((why) => why.includes('window holds'));
  if (window) return new ApiError('context_length_exceeded', message, { param: 'messages' });
  return new ApiError(region ? 'region_unavailable' : 'upstream_unavailable', message);
}
