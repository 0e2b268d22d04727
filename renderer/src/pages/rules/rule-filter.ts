/** Which rules are shown. */
import type { Rule } from '../../../../server/api/console/rules.ts';

export const shownKinds = ['all', 'built-in', 'imported', 'off'] as const;

export interface RuleFilter {
  text: string;
  kind: (typeof shownKinds)[number];
}

export const noRuleFilter: RuleFilter = { text: '', kind: 'all' };

export function filterRules(rules: Rule[], { text, kind }: RuleFilter): Rule[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rules.filter((rule) => {
    if (kind === 'off' ? rule.enabled : kind !== 'all' && rule.origin !== kind) return false;
    const row = [rule.title, rule.id, rule.level, rule.author, rule.file, ...rule.techniques]
      .join(' ')
      .toLowerCase();
    return words.every((word) => row.includes(word));
  });
}
