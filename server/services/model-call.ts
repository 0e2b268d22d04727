/** What every inference service does alike: who answers, under which model name, with which id. */
import { randomBytes } from 'node:crypto';
import { type ModelId, modelIds, modelStatus, type Scope } from '../api/common.ts';
import { ApiError } from '../errors.ts';
import type { Engines } from '../hosts/engines.ts';
import { type Caller, type Principal, recordUse } from './caller.ts';
import { canonicalHash } from './canonical-json.ts';
import { findDirective, obeyDirective } from './fixtures/directives.ts';

export interface InferenceDeps {
  engines: Engines;
  /** Stands in for `engines` when a test key asks. */
  fixtures: Engines;
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

const isVisible = (id: ModelId, principal: Principal): boolean =>
  (principal.class === 'test' || principal.plan !== 'free' || modelStatus[id] === 'stable') &&
  principal.scopes.has(scopeOfModel[id]) &&
  (principal.models === null || principal.models.has(id));

/**
 * The role a request names, which must be one of `accepted` (what the endpoint serves).
 * @throws ApiError model_not_found for what the key cannot see, invalid_value for another endpoint's model
 */
export function resolveModel<Id extends ModelId>(model: string, accepted: readonly Id[], caller: Caller): Id {
  const visible = modelIds.find((id) => id === model);
  if (!visible || !isVisible(visible, caller.principal)) {
    throw new ApiError(
      'model_not_found',
      `The model ${JSON.stringify(model.slice(0, 64))} does not exist for this key.`,
      {
        param: 'model',
      },
    );
  }
  const role = accepted.find((id) => id === visible);
  if (!role) {
    throw new ApiError('invalid_value', `model must be ${accepted.join(' or ')} here.`, { param: 'model' });
  }
  recordUse(caller, { model: role });
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

/** Notes for the response headers which pack and provider answered, and a process that was not confined. */
export function recordServedPack(engines: Engines, role: ModelId, caller: Caller): void {
  const served = engines.served(role, caller.pack);
  const confinement = served?.confinement === 'on' ? null : (served?.confinement ?? null);
  recordUse(caller, { pack: served?.pack ?? null, provider: served?.provider ?? null, confinement });
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
