/** One page of a list in OpenAI's shape. */
export interface ListPage<T> {
  object: 'list';
  data: T[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
}

/** @param all in the order of the list; `after` names the last one of the page before */
export function toListPage<T extends { id: string }>(
  all: readonly T[],
  { limit, after }: { limit: number; after: string | undefined },
): ListPage<T> {
  const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const data = all.slice(from, from + limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + data.length < all.length,
  };
}
