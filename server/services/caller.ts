/** Who asks, and what their request has used: handed by the routes to every service. */
import { type KeyClass, type ModelId, type Plan, type Region, type Scope, scopes } from '../api/common.ts';
import type { EngineAttempt } from '../api/console/engines.ts';

/** The identity behind a valid key, as it was when the request was admitted. */
export interface Principal {
  keyId: string;
  name: string;
  class: KeyClass;
  plan: Plan;
  scopes: ReadonlySet<Scope>;
  /** Models the key is narrowed to; null: all that its plan sees. */
  models: ReadonlySet<ModelId> | null;
}

/** Use of one request; services fill it in, the usage plugin counts it when the answer is out. */
export interface Meter {
  model: ModelId | null;
  promptTokens: number;
  completionTokens: number;
  /** Of these, the thinking that was parted off. */
  reasoningTokens: number;
  images: number;
  frames: number;
  pages: number;
  /** `id@version` of the pack that answered, for `x-model-pack`. */
  pack: string | null;
  /** The prompt's way of telling of a schema or tools that it had no room for: `outline` or `none`, for `x-lokal-schema`. */
  schema: string | null;
  /** Findings of guardrails, for `x-lokal-guardrail`. */
  guardrail: string | null;
  /** Treatment of the prompt's pictures, for `x-lokal-images`. */
  pictures: string | null;
  /** Execution provider that ran it, for `x-execution-provider`. */
  provider: string | null;
  /** Limits of its process's confinement; null: fully confined. For `x-lokal-confinement`. */
  confinement: string | null;
  /** The counts of tokens are estimates: a remote engine gave none that can be true. */
  estimated: boolean;
  /** Targets that were tried, in their order; empty where no remote engine came into question. */
  attempts: EngineAttempt[];
  /** The remote engine that answered last. */
  upstream: string | null;
  /** Values that pseudonyms stood for at the engine that was asked last; null where it saw what was sent. */
  pseudonyms: number | null;
  /** A streamed answer that reached its `[DONE]`; only then is it stored for a replay. */
  streamComplete: boolean;
  /** The answer goes out as it is made. */
  streamed: boolean;
  /** Milliseconds waited while a model was loaded. */
  loadMs: number;
  /** Texts of one request. */
  inputs: number;
  /** The name asked for that no model of this key has, cut short. */
  asked: string | null;
}

export const emptyMeter = (): Meter => ({
  model: null,
  promptTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
  images: 0,
  frames: 0,
  pages: 0,
  pack: null,
  schema: null,
  guardrail: null,
  pictures: null,
  provider: null,
  confinement: null,
  estimated: false,
  attempts: [],
  upstream: null,
  pseudonyms: null,
  streamComplete: false,
  streamed: false,
  loadMs: 0,
  inputs: 1,
  asked: null,
});

/** Notes what the request is known to have used; only functions named `record…` write a meter. */
export function recordUse({ meter }: Pick<Caller, 'meter'>, use: Partial<Meter>): void {
  Object.assign(meter, use);
}

/** One more finding of a guardrail; each is told once. */
export function recordGuardrail({ meter }: Pick<Caller, 'meter'>, finding: string): void {
  const told = meter.guardrail?.split('; ') ?? [];
  if (!told.includes(finding) && told.length < 16) meter.guardrail = [...told, finding].join('; ');
}

/** The way pictures of a prompt went to the model. */
export function recordPictures({ meter }: Pick<Caller, 'meter'>, pictures: string): void {
  meter.pictures = pictures;
}

/** As `recordUse`; written apart, since every request does it. */
export function recordModel({ meter }: Pick<Caller, 'meter'>, model: ModelId): void {
  meter.model = model;
}

/** A wait for a model's loading; a request may wait for several. */
export function recordLoad(meter: Meter, ms: number): void {
  meter.loadMs += ms;
}

/** A try at one target; the last remote one that answered stands for the request. */
export function recordAttempt({ meter }: Pick<Caller, 'meter'>, attempt: EngineAttempt): void {
  meter.attempts.push(attempt);
  if (attempt.outcome === 'answered' && attempt.model !== null) meter.upstream = attempt.target;
}

export interface Caller {
  principal: Principal;
  requestId: string;
  /** Aborts when the client is gone, the key is revoked or the server stops. */
  signal: AbortSignal;
  /** Longest time of one call to an engine, by its plan. */
  deadlineMs: number;
  region: Region | null;
  /** The installed pack that the console's playground asks for by `X-Model-Pack`; null: the bound one. */
  pack: string | null;
  /** The request is to stay on this machine: `X-Lokal-Local-Only`. */
  localOnly: boolean;
  /** The client's own name of a conversation: `X-Session-Id`. */
  session: string | null;
  /** Lokals that the request has passed through: `X-Lokal-Hops`. */
  hops: readonly string[];
  meter: Meter;
  /** Files that were cut out of a large body, by the name they have in it; null where they are not base64. */
  files: ReadonlyMap<string, Uint8Array | null>;
}

/** The person at this machine, as a caller. */
export const localOwner = (name: string, signal: AbortSignal): Caller => ({
  principal: {
    keyId: 'key_0',
    name,
    class: 'live',
    plan: 'enterprise',
    scopes: new Set(scopes),
    models: null,
  },
  requestId: name.replaceAll(' ', '-'),
  signal,
  deadlineMs: 3_600_000,
  region: null,
  pack: null,
  localOnly: true,
  session: null,
  hops: [],
  meter: emptyMeter(),
  files: new Map(),
});
