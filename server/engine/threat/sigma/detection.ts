import { compileCondition } from './condition.ts';
import type { CompileOptions } from './item.ts';
import { compileItem } from './item.ts';
import type { Node } from './node.ts';
import { allOf, anyOf } from './node.ts';
import { SigmaError } from './sigma-error.ts';

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A selection: a map (all of), a list of maps (any of), or keywords. */
function compileSelection(value: unknown, options: CompileOptions): Node {
  if (isMap(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0) throw new SigmaError('a selection is empty');
    return allOf(entries.map(([key, item]) => compileItem(key, item, options)));
  }
  if (Array.isArray(value)) {
    if (value.length === 0) throw new SigmaError('a selection is empty');
    return anyOf(value.map((item) => compileSelection(item, options)));
  }
  return compileItem('', value, options);
}

/**
 * A rule's `detection` block (or a filter's): selections and their condition.
 * @throws SigmaError when a selection is empty or the condition is wrong
 */
export function compileDetection(detection: unknown, options: CompileOptions): Node {
  if (!isMap(detection)) throw new SigmaError('the rule has no detection');
  const selections = new Map<string, Node>();
  for (const [name, value] of Object.entries(detection)) {
    if (name !== 'condition' && name !== 'timeframe' && name !== 'rules')
      selections.set(name, compileSelection(value, options));
  }
  if (selections.size === 0) throw new SigmaError('the detection has no selection');
  return compileCondition(detection.condition, selections);
}
