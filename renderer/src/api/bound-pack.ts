import type { ModelId } from '../../../server/api/common.ts';
import { useRead } from './queries.ts';

/** The pack that serves a role; undefined while nothing is known, or none does. */
export function useBoundPack(role: ModelId) {
  const { roles = [], packs = [] } = useRead('GET /console/packs').data ?? {};
  const bound = roles.find((each) => each.role === role)?.pack;
  return packs.find(({ ref }) => ref === bound);
}
