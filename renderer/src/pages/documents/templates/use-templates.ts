/** The person's own templates: read, kept, renamed, forgotten and brought back. */
import type { CustomTemplate } from '../../../../../server/api/console/templates.ts';
import { useChange, useRead } from '../../../api/queries.ts';

const listKey = 'GET /console/templates';

export function useTemplates() {
  const list = useRead(listKey);
  const keep = useChange('POST /console/templates', [listKey]);
  const rename = useChange('PATCH /console/templates/{id}', [listKey]);
  const remove = useChange('DELETE /console/templates/{id}', [listKey]);
  return {
    templates: list.data?.data ?? [],
    error: list.error,
    keep: (template: CustomTemplate) => keep.mutateAsync({ body: template }),
    rename: (from: string, body: { name: string; title?: string }) =>
      rename.mutateAsync({ params: { id: from }, body }),
    remove: (name: string) => remove.mutateAsync({ params: { id: name } }),
  };
}
