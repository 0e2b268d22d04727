/** The packs that can answer a chat, and the one that is bound. */
import { useRead } from '../../api/queries.ts';

const role = 'svc-lingua-7b';

export function useChatPacks() {
  const { data } = useRead('GET /console/packs');
  return {
    loaded: data !== undefined,
    fitting: data?.packs.filter(({ roles }) => roles.includes(role)) ?? [],
    /** `id@version`. */
    bound: data?.roles.find((each) => each.role === role)?.pack ?? null,
  };
}
