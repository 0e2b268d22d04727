/** Techniques laid out by tactic, in the order of an attack; the answer names both. */
import type { ThreatOutcome } from './indicators.ts';

const tactics = [
  'reconnaissance',
  'resource_development',
  'initial_access',
  'execution',
  'persistence',
  'privilege_escalation',
  'defense_evasion',
  'credential_access',
  'discovery',
  'lateral_movement',
  'collection',
  'command_and_control',
  'exfiltration',
  'impact',
] as const;
type Tactic = (typeof tactics)[number] | 'other';

type Technique = ThreatOutcome['techniques'][number];

interface TacticColumn {
  tactic: Tactic;
  techniques: Technique[];
}

/** `Credential Access` and `credential-access` alike. */
const normalize = (name: string): string => name.toLowerCase().replaceAll(/[\s-]+/g, '_');

/** Tactics that occur; a technique of several stands under the first of them, so that it is shown once. */
export function toColumns(techniques: readonly Technique[]): TacticColumn[] {
  const tacticOf = (technique: Technique): Tactic => {
    const names = technique.tactics.map(normalize);
    return tactics.find((tactic) => names.includes(tactic)) ?? 'other';
  };
  return [...tactics, 'other' as const].flatMap((tactic) => {
    const own = techniques.filter((technique) => tacticOf(technique) === tactic);
    own.sort((a, b) => a.id.localeCompare(b.id));
    return own.length > 0 ? [{ tactic, techniques: own }] : [];
  });
}
