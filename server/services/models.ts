/** GET /v1/models and /v1/models/{id}. */
import { modelIds, modelStatus } from '../api/common.ts';
import type { Model, ModelList } from '../api/services/models.ts';
import type { BoundPack } from '../hosts/engines.ts';
import type { Caller, Principal } from './caller.ts';
import { checkVisible, type InferenceDeps, visibleModels } from './model-call.ts';

export interface ModelsService {
  list(caller: Caller): ModelList;
  /** @throws ApiError model_not_found */
  get(id: string, caller: Caller): Model;
}

/**
 * `created` is the bound pack's install time, `owned_by` its publisher, `pack` and `name` tell which model it is; a role without
 * a pack is still listed.
 */
export function createModels({ engines, fixtures }: InferenceDeps): ModelsService {
  // A key's list is the same until a role is bound to another pack.
  const lists = new WeakMap<Principal, { packs: (BoundPack | null)[]; list: ModelList }>();
  function list({ principal }: Caller): ModelList {
    const source = principal.class === 'test' ? fixtures : engines;
    const known = lists.get(principal);
    if (known && isCurrent(known.packs, source)) return known.list;
    const packs = modelIds.map((id) => source.bound(id));
    const made = toModelList(principal, packs);
    lists.set(principal, { packs, list: made });
    return made;
  }

  return {
    list,
    get(id, caller) {
      checkVisible(id, caller);
      return list(caller).data.find((model) => model.id === id)!;
    },
  };
}

function isCurrent(packs: readonly (BoundPack | null)[], source: InferenceDeps['engines']): boolean {
  for (let index = 0; index < modelIds.length; index += 1)
    if (!isSame(packs[index]!, source.bound(modelIds[index]!))) return false;
  return true;
}

const isSame = (a: BoundPack | null, b: BoundPack | null): boolean =>
  a === b || (a?.ref === b?.ref && a?.installed === b?.installed);

function toModelList(principal: Principal, packs: (BoundPack | null)[]): ModelList {
  const data = visibleModels(principal).map((id) => {
    const pack = packs[modelIds.indexOf(id)];
    return {
      id,
      object: 'model' as const,
      created: pack?.installed ?? 0,
      owned_by: pack?.publisher ?? 'Lokal',
      status: modelStatus[id],
      pack: pack?.ref ?? null,
      name: pack?.name ?? null,
    };
  });
  return Object.freeze({ object: 'list', data });
}
