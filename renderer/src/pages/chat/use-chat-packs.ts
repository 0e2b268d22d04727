/** The packs that can answer a chat, and the one that is bound. */
import { useRead } from '../../api/queries.ts';
import { titleOf } from '../../format/pack-title.ts';

const role = 'svc-lingua-7b';

export function useChatPacks() {
  const { data } = useRead('GET /console/packs');
  /** `id@version`. */
  const bound = data?.roles.find((each) => each.role === role)?.pack ?? null;
  const summary = data?.packs.find(({ ref }) => ref === bound);
  return {
    loaded: data !== undefined,
    fitting: data?.packs.filter(({ roles }) => roles.includes(role)) ?? [],
    bound,
    boundTitle: summary ? titleOf(summary) : null,
    starter: summary?.status === 'starter',
  };
}
