/** GET /v1/models. */
import { modelIds, modelStatus } from '../api/common.ts';
import type { ModelList } from '../api/models.ts';
import type { BoundPack } from '../hosts/engines.ts';
import type { Caller, Principal } from './caller.ts';
import { type InferenceDeps, visibleModels } from './model-call.ts';

export type ModelsService = (caller: Caller) => ModelList;

/** `created` is the bound pack's install time and `owned_by` its publisher; a role without a pack is still listed. */
export function createModels({ engines, fixtures }: InferenceDeps): ModelsService {
  // A key's list is the same until a role is bound to another pack.
  const lists = new WeakMap<Principal, { packs: (BoundPack | null)[]; list: ModelList }>();
  return ({ principal }) => {
    const source = principal.class === 'test' ? fixtures : engines;
    const known = lists.get(principal);
    const packs = modelIds.map((id) => source.bound(id));
    if (known?.packs.every((pack, index) => isSame(pack, packs[index]!))) return known.list;
    const list = toModelList(principal, packs);
    lists.set(principal, { packs, list });
    return list;
  };
}

const isSame = (a: BoundPack | null, b: BoundPack | null): boolean =>
  a?.ref === b?.ref && a?.installed === b?.installed;

function toModelList(principal: Principal, packs: (BoundPack | null)[]): ModelList {
  const data = visibleModels(principal).map((id) => {
    const pack = packs[modelIds.indexOf(id)];
    return {
      id,
      object: 'model' as const,
      created: pack?.installed ?? 0,
      owned_by: pack?.publisher ?? 'Lokal',
      status: modelStatus[id],
    };
  });
  return Object.freeze({ object: 'list', data });
}
