/** Steps common to every inference service: who answers, under which model name, with which id. */
import { randomBytes } from 'node:crypto';
import { type ModelId, modelIds, modelStatus, type Scope } from '../api/common.ts';
import { ApiError } from '../errors.ts';
import type { EngineCall, Engines } from '../hosts/engines.ts';
import { type Caller, type Principal, recordModel, recordUse } from './caller.ts';
import { canonicalHash } from './canonical-json.ts';
import type { DescribedPictures } from './chat/described-pictures.ts';
import type { GuardrailRule } from './chat/guardrails.ts';
import type { UrlFetcher } from './files/url-fetch.ts';
import { findDirective, obeyDirective } from './fixtures/directives.ts';

export interface InferenceDeps {
  engines: Engines;
  /** Stands in for `engines` when a test key asks. */
  fixtures: Engines;
  /** Has a caller's chats moderated, as the settings say; none is where absent. */
  guardrails?: (caller: Caller) => GuardrailRule | null;
  /** Fetches pictures of chats. */
  urls?: UrlFetcher;
  /** Descriptions of these, for a while. */
  pictures?: DescribedPictures;
}

/** The scope that a model's operation needs. */
export const scopeOfModel: Record<ModelId, Scope> = {
  'svc-lingua-7b': 'chat',
  'svc-vision-pro': 'images',
  'svc-shield-base': 'moderations',
  'svc-guard-max': 'moderations',
  'svc-parse-pro': 'documents',
  'svc-embed-base': 'embeddings',
};

/** The models a key sees: free keys stable ones, test keys all; then its own scopes and models (contract "Plans"). */
export const visibleModels = (principal: Principal): ModelId[] =>
  modelIds.filter((id) => isVisible(id, principal));

const isVisible = (id: ModelId, principal: Principal): boolean => obstacle(id, principal) === null;

/** Live keys of the plan free have stable models only. */
export const isInPlan = (
  id: ModelId,
  { class: keyClass, plan }: Pick<Principal, 'class' | 'plan'>,
): boolean => keyClass === 'test' || plan !== 'free' || modelStatus[id] === 'stable';

/** The obstacle between a key and a model, in words; null where there is none. */
function obstacle(id: ModelId, { class: keyClass, plan, scopes, models }: Principal): string | null {
  if (!isInPlan(id, { class: keyClass, plan })) {
    return 'its plan is free, which has stable models only; this one is beta';
  }
  if (!scopes.has(scopeOfModel[id])) return `it has not the scope ${scopeOfModel[id]}`;
  return models === null || models.has(id) ? null : 'it is narrowed to other models';
}

/**
 * The model of that name.
 * @throws ApiError model_not_found naming the plan and what is in the way
 */
export function checkVisible(model: string, caller: Caller): ModelId {
  const { principal } = caller;
  const known = modelIds.find((id) => id === model);
  const why = known ? obstacle(known, principal) : 'no model of this service has that name';
  if (known && why === null) return known;
  recordUse(caller, { asked: model.slice(0, 64) });
  const name = JSON.stringify(model.slice(0, 64));
  throw new ApiError(
    'model_not_found',
    `The model ${name} does not exist for this key (plan ${principal.plan}): ${why}. GET /v1/models lists what it sees.`,
    { param: 'model' },
  );
}

/**
 * The role a request names, which must be one of `accepted` (what the endpoint serves).
 * @throws ApiError model_not_found for what the key cannot see, invalid_value for another endpoint's model
 */
export function resolveModel<Id extends ModelId>(model: string, accepted: readonly Id[], caller: Caller): Id {
  const known = checkVisible(model, caller);
  const role = accepted.find((id) => id === known);
  if (!role) {
    throw new ApiError('invalid_value', `model must be ${accepted.join(' or ')} here.`, { param: 'model' });
  }
  recordModel(caller, role);
  return role;
}

/** Live keys ask the engines; a test key never does, and may ask for an error or a delay (fixtures/directives.ts). */
export function enginesFor(
  deps: InferenceDeps,
  caller: Caller,
  triggers: readonly unknown[],
): Engines | Promise<Engines> {
  if (caller.principal.class === 'live') return deps.engines;
  const directive = findDirective(triggers);
  return directive === undefined
    ? deps.fixtures
    : obeyDirective(directive, caller.signal).then(() => deps.fixtures);
}

/** A call to a bound pack on behalf of a caller, within its plan's time and within `atMostMs`. */
export const callOf = (
  { signal, deadlineMs, requestId, principal, region, localOnly, session, hops, meter }: Caller,
  atMostMs = Number.POSITIVE_INFINITY,
): EngineCall => ({
  signal,
  requestId,
  deadlineMs: Math.min(deadlineMs, atMostMs),
  principal,
  region,
  localOnly,
  session,
  hops,
  meter,
});

/** Notes for the response headers which pack and provider answered, and a process that was not confined. */
export function recordServedPack(engines: Engines, role: ModelId, caller: Caller): void {
  const { meter } = caller;
  const tried = meter.attempts.findLast((each) => each.role === role && each.outcome === 'answered');
  if (tried && tried.model !== null) {
    meter.confinement = null;
    meter.provider = null;
    meter.pack = `${tried.target}/${tried.model}`;
    return;
  }
  const served = engines.served(role, caller.pack);
  meter.confinement = served?.confinement === 'on' ? null : (served?.confinement ?? null);
  meter.pack = served?.pack ?? null;
  meter.provider = served?.provider ?? null;
}

export interface AnswerIdentity {
  /** 24 hexadecimal digits. */
  id: string;
  /** Unix seconds. */
  created: number;
}

const fixtureEpoch = 1_700_000_000;

/** Random for a live key; for a test key a function of the request alone, so that the same request gets the same bytes. */
export function identify(caller: Caller, body: unknown): AnswerIdentity {
  if (caller.principal.class === 'live') {
    return { id: randomBytes(12).toString('hex'), created: Math.floor(Date.now() / 1000) };
  }
  const hash = canonicalHash(body);
  return {
    id: hash.slice(0, 24),
    created: fixtureEpoch + (Number.parseInt(hash.slice(24, 32), 16) % 10_000_000),
  };
}
