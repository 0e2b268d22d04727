/** Changes of the rules, from the page. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RuleImport, RuleList, RuleSwitch } from '../../../../server/api/console/rules.ts';
import { useClient } from '../../api/api-context.tsx';
import { useChange } from '../../api/queries.ts';
import { notifyProblem } from '../../components/feedback/notify.ts';
import type { DroppedRules } from './dropped-rules.ts';

export const listKey = 'GET /console/rules';

/** The list is long, so a switched rule is changed in it instead of reading all again. */
export function useRuleSwitch() {
  const queries = useQueryClient();
  const change = useChange('POST /console/rules/switch');
  return (body: RuleSwitch) =>
    change.mutate(
      { body },
      {
        onSuccess: () =>
          queries.setQueryData<RuleList>(
            [listKey],
            (list) =>
              list && {
                data: list.data.map((rule) =>
                  body.ids.includes(rule.id) ? { ...rule, enabled: body.enabled } : rule,
                ),
              },
          ),
        onError: notifyProblem,
      },
    );
}

/** One request for the files, one for each zip; the results are added up. */
export function useRuleImport() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation<RuleImport, Error, Promise<DroppedRules>>({
    mutationFn: async (dropped) => {
      const { files, archives } = await dropped;
      const bodies = [
        ...(files.length > 0 || archives.length === 0 ? [{ files }] : []),
        ...archives.map((archive) => ({ archive })),
      ];
      const sum: RuleImport = { files: 0, rules: 0, errors: [] };
      for (const body of bodies) {
        const { data } = await client.call('POST /console/rules/import', { body });
        sum.files += data.files;
        sum.rules += data.rules;
        sum.errors.push(...data.errors);
      }
      return sum;
    },
    // Of several zips the first may be in where a later one failed.
    onSettled: () => queries.invalidateQueries({ queryKey: [listKey] }),
  });
}
