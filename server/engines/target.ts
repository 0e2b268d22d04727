/** The one interface that local packs and remote engines share, so that routing does not know the difference. */
import { createHmac } from 'node:crypto';
import type { ModelId, Region } from '../api/common.ts';
import type { GenerateEvent, GenerateParams } from '../engine/chat/types.ts';
import type { EngineKind } from '../engine/contract.ts';
import type { EmbedParams, EmbedResult } from '../engine/embeddings/types.ts';
import { engineOf } from '../engine/protocol.ts';
import type { ApiError } from '../errors.ts';
import type { EngineCall, Engines } from '../hosts/engines.ts';
import { recordUse } from '../services/caller.ts';
import type { RemoteAsk } from './adapter.ts';
import { checkedChat } from './answer-check/checked-chat.ts';
import { EngineFault } from './fault.ts';
import { OwnShare } from './own-share.ts';
import type { Hidden, PersonalDataHider } from './pseudonyms/hiding.ts';
import { restoredChat } from './pseudonyms/restoring.ts';
import type { LiveEngine } from './remote-engine.ts';

/** A method's name and what it is asked, typed where the contract types it: at both ends. */
export interface EngineAsk {
  role: ModelId;
  method: string;
  params: unknown;
  options: EngineCall;
  /** The same for requests of one conversation. */
  session: string | null;
  idempotencyKey: string;
  /** `performance.now()` where this try began, the choosing included. */
  begunAt: number;
  /** Filled in by the target: our own share of the time until the first item; null where it does not tell. */
  addedMs: number | null;
}

export interface EngineTarget {
  readonly name: string;
  /** Its name over there; null: this machine's pack. */
  readonly model: string | null;
  readonly weight: number;
  readonly remote: boolean;
  readonly running: number;
  /** Requests it may work on at once. */
  readonly concurrency: number;
  readonly standing: 'open' | 'probation' | 'closed';
  /** Failed lately. */
  readonly ailing: boolean;
  readonly askableFromMs: number;
  readonly verdict: string;
  isIn(region: Region): boolean;
  /** Reasons not to ask it this; an ApiError where nobody else would do better. */
  refusal(asked: EngineAsk): string | ApiError | null;
  call(asked: EngineAsk): Promise<unknown>;
  stream(asked: EngineAsk): AsyncIterable<unknown>;
}

export class LocalTarget implements EngineTarget {
  readonly name = 'local';
  readonly model = null;
  readonly weight = 1;
  readonly remote = false;
  readonly concurrency = Number.POSITIVE_INFINITY;
  readonly standing = 'open';
  readonly ailing = false;
  readonly askableFromMs = 0;
  readonly verdict = 'healthy';
  running = 0;
  readonly #engines: Engines;
  readonly #regions: () => readonly Region[];

  constructor(engines: Engines, regions: () => readonly Region[]) {
    this.#engines = engines;
    this.#regions = regions;
  }

  isIn(region: Region): boolean {
    return this.#regions().includes(region);
  }

  refusal({ role }: EngineAsk): string | null {
    return this.#engines.bound(role) === null ? 'no pack is bound' : null;
  }

  async call({ role, method, params, options }: EngineAsk): Promise<unknown> {
    this.running += 1;
    try {
      return await this.#engines.call(role, method as never, params as never, options);
    } finally {
      this.running -= 1;
    }
  }

  async *stream({ role, method, params, options }: EngineAsk): AsyncGenerator<unknown> {
    this.running += 1;
    try {
      yield* this.#engines.stream(role, method as never, params as never, options) as AsyncIterable<unknown>;
    } finally {
      this.running -= 1;
    }
  }
}

export interface RemoteMeans {
  local: Engines;
  hider: PersonalDataHider;
}

export class RemoteTarget implements EngineTarget {
  readonly remote = true;
  readonly #engine: LiveEngine;
  readonly #role: ModelId;
  readonly #means: RemoteMeans;

  constructor(engine: LiveEngine, role: ModelId, means: RemoteMeans) {
    this.#engine = engine;
    this.#role = role;
    this.#means = means;
  }

  get name(): string {
    return this.#engine.name;
  }
  get model(): string {
    return this.#engine.serving(this.#role)?.model ?? '';
  }
  get weight(): number {
    return this.#engine.known.record.weight;
  }
  get running(): number {
    return this.#engine.health.running;
  }
  get concurrency(): number {
    return this.#engine.known.record.concurrency;
  }
  get standing(): EngineTarget['standing'] {
    return this.#engine.health.standing;
  }
  get ailing(): boolean {
    return this.#engine.health.verdict !== 'healthy';
  }
  get askableFromMs(): number {
    return this.#engine.health.askableFromMs;
  }
  get verdict(): string {
    return this.#engine.health.verdict;
  }

  isIn(region: Region): boolean {
    return this.#engine.known.record.region === region;
  }

  refusal({ role, method, params }: EngineAsk): string | ApiError | null {
    const { record } = this.#engine.known;
    const { adapter } = this.#engine;
    const capabilities = this.#engine.serving(role);
    if (!record.enabled) return 'it is off';
    if (record.draining) return 'it is draining';
    if (!adapter) return 'its kind is not asked yet';
    if (!capabilities) return this.#engine.health.reason ?? 'no trial has found a model of the service';
    const methods: object = adapter.methods[engineOf[role]] ?? {};
    if (!(method in methods)) return `it has no ${method}`;
    if (record.pseudonyms && method !== 'generate' && method !== 'embed')
      return 'it is to see pseudonyms alone, which this service has none of';
    if (record.pseudonyms && !this.#means.hider.ready)
      return 'it is to see pseudonyms alone, and svc-shield-base, which finds what they stand for, is not here';
    return adapter.refusal(method as never, params as never, capabilities);
  }

  async call(given: EngineAsk): Promise<unknown> {
    const { params } = await this.#hide(given);
    const { health } = this.#engine;
    const startedAt = performance.now();
    const share = new OwnShare(given.begunAt);
    health.begin();
    try {
      const answer = await (this.#methods(given)[given.method]!(
        params,
        this.#ask(given, share),
      ) as Promise<unknown>);
      this.#noteAnswered(given, startedAt, share);
      const { meter } = given.options;
      if (meter && (answer as Partial<EmbedResult>).estimated) recordUse({ meter }, { estimated: true });
      return answer;
    } catch (error) {
      throw this.#note(error, given);
    } finally {
      health.end();
    }
  }

  async *stream(given: EngineAsk): AsyncGenerator<unknown> {
    const { health } = this.#engine;
    const hidden = await this.#hide(given);
    const startedAt = performance.now();
    const share = new OwnShare(given.begunAt);
    health.begin();
    let began = false;
    try {
      const items = this.#methods(given)[given.method]!(
        hidden.params,
        this.#ask(given, share),
      ) as AsyncIterable<unknown>;
      const checked =
        given.method === 'generate'
          ? checkedChat(
              restored(items as AsyncIterable<GenerateEvent>, hidden),
              given.params as GenerateParams,
            )
          : items;
      for await (const item of checked) {
        if (!began) this.#noteAnswered(given, startedAt, share);
        began = true;
        yield item;
      }
    } catch (error) {
      throw this.#note(error, given);
    } finally {
      health.end();
    }
  }

  #noteAnswered(asked: EngineAsk, startedAt: number, share: OwnShare): void {
    const { health } = this.#engine;
    asked.addedMs = Math.round(share.ms * 100) / 100;
    health.answered(performance.now() - startedAt);
    health.noteAdded(asked.addedMs);
  }

  /** The request as it may see it. */
  async #hide({ method, options, params }: EngineAsk): Promise<Hidden<unknown>> {
    if (!this.#engine.known.record.pseudonyms) return { params, values: nothingHidden };
    const { hider } = this.#means;
    const hidden =
      method === 'generate'
        ? await hider.hideChat(params as GenerateParams, options)
        : await hider.hideTexts(params as EmbedParams, options);
    if (options.meter) recordUse({ meter: options.meter }, { pseudonyms: hidden.values.size });
    return hidden;
  }

  /** A fault of the engine counts against it; a cancelled request says nothing of it. */
  #note(error: unknown, { options }: EngineAsk): unknown {
    if (!(error instanceof EngineFault) || options.signal.aborted) return error;
    this.#engine.health.failed(error);
    return error;
  }

  #methods({ role }: EngineAsk): Record<string, (params: unknown, ask: RemoteAsk) => unknown> {
    const kind: EngineKind = engineOf[role];
    return this.#engine.adapter!.methods[kind] as never;
  }

  #ask({ role, options, session, idempotencyKey }: EngineAsk, share: OwnShare): RemoteAsk {
    const { principal, requestId } = options;
    return {
      connection: share.watch(this.#engine.connection),
      engine: this.name,
      role,
      model: this.model,
      capabilities: this.#engine.serving(role)!,
      signal: options.signal,
      caller: principal ? { principal, requestId: requestId ?? '' } : null,
      session,
      idempotencyKey,
      hops: options.hops ?? [],
      local: this.#means.local,
      localCall: {
        signal: options.signal,
        deadlineMs: options.deadlineMs,
        ...(requestId === undefined ? {} : { requestId }),
      },
      tokenIds: (params) => this.#means.local.call('svc-embed-base', 'tokenIds', params, options),
    };
  }
}

const nothingHidden: ReadonlyMap<string, string> = new Map();

const restored = (events: AsyncIterable<GenerateEvent>, { params, values }: Hidden<unknown>) =>
  values.size === 0
    ? events
    : restoredChat(events, { values, json: (params as GenerateParams).format.type !== 'text' });

/** Nobody's name: what others see of a key and its conversation. */
export const pseudonymOf = (secret: Buffer, ...parts: string[]): string =>
  createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url');
