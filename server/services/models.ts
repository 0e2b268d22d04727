/** GET /v1/models. */
import { modelStatus } from '../api/common.ts';
import type { ModelList } from '../api/models.ts';
import { type InferenceDeps, visibleModels } from './answering.ts';
import type { Caller } from './caller.ts';

export type ModelsService = (caller: Caller) => ModelList;

/** `created` is the bound pack's install time and `owned_by` its publisher; a role without a pack is still listed. */
export function createModels({ engines, fixtures }: InferenceDeps): ModelsService {
  return ({ principal }) => {
    const source = principal.class === 'test' ? fixtures : engines;
    return {
      object: 'list',
      data: visibleModels(principal).map((id) => {
        const pack = source.bound(id);
        return {
          id,
          object: 'model',
          created: pack?.installed ?? 0,
          owned_by: pack?.publisher ?? 'Lokal',
          status: modelStatus[id],
        };
      }),
    };
  };
}
