/** An effort of thinking in the words of a chat template: hybrid models have a switch, others a level. */
import type { ReasoningEffort } from '../../../api/services/chat.ts';

export type Variables = Record<string, unknown>;

/** The level that templates know in place of one that theirs does not name. */
const nearest: Record<ReasoningEffort, string> = {
  none: 'low',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
};

/**
 * @param source of the template; a variable that it does not know changes nothing
 * @param probe renders a short conversation; it throws where the template refuses the variables
 */
export function createThinkingVariables(
  source: string,
  probe: (variables: Variables) => void,
): (effort: ReasoningEffort | undefined) => Variables {
  const found = new Map<ReasoningEffort, Variables>();

  const isAccepted = (variables: Variables): boolean => {
    try {
      probe(variables);
      return true;
    } catch {
      return false;
    }
  };

  function find(effort: ReasoningEffort): Variables {
    const isOn = effort !== 'none';
    // Qwen, SmolLM and GLM name the switch the one way, DeepSeek and Granite the other.
    const toggles = { enable_thinking: isOn, thinking: isOn };
    const isNamed = new RegExp(`['"]${effort}['"]`).test(source);
    const levels = [isNamed ? effort : nearest[effort], isOn ? 'high' : 'none'];
    const candidates = [...levels.map((level) => ({ ...toggles, reasoning_effort: level })), toggles];
    return candidates.find(isAccepted) ?? {};
  }

  return (effort) => {
    if (!effort) return {};
    const known = found.get(effort) ?? find(effort);
    found.set(effort, known);
    return known;
  };
}
