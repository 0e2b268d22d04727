/** A compiled detection: a tree that answers yes or no for one event, and the literals it cannot match without. */
import type { LogEvent } from '../readers/event.ts';

/** An event ready for matching: lower-cased once, shared by all rules. */
export interface MatchEvent {
  event: LogEvent;
  fields: Map<string, string[]>;
  lower: Map<string, string[]>;
  /** All that keywords search, as written and lower-cased. */
  text: string;
  lowerText: string;
}

export interface Node {
  matches(event: MatchEvent): boolean;
  /** At least one of these (lower case) is in any event that matches; null when nothing is certain. */
  literals: string[] | null;
}

const MAX_LITERALS = 2000;

/** The set with the longest shortest literal says most. */
const strength = (literals: string[] | null) =>
  literals === null
    ? -1
    : literals.reduce((least, literal) => Math.min(least, literal.length), 1000) - literals.length / 10_000;

export function allOf(nodes: readonly Node[]): Node {
  if (nodes.length === 1) return nodes[0] as Node;
  let literals: string[] | null = null;
  for (const node of nodes) if (strength(node.literals) > strength(literals)) literals = node.literals;
  return { matches: (event) => nodes.every((node) => node.matches(event)), literals };
}

export function anyOf(nodes: readonly Node[]): Node {
  if (nodes.length === 1) return nodes[0] as Node;
  const sure = nodes.every((node) => node.literals !== null);
  const literals = sure ? [...new Set(nodes.flatMap((node) => node.literals as string[]))] : null;
  return {
    matches: (event) => nodes.some((node) => node.matches(event)),
    literals: literals !== null && literals.length <= MAX_LITERALS ? literals : null,
  };
}

export function not(node: Node): Node {
  return { matches: (event) => !node.matches(event), literals: null };
}

export function atLeast(count: number, nodes: readonly Node[]): Node {
  if (count <= 1) return anyOf(nodes);
  if (count >= nodes.length)
    return count > nodes.length ? { matches: () => false, literals: [] } : allOf(nodes);
  return {
    matches: (event) => nodes.filter((node) => node.matches(event)).length >= count,
    literals: anyOf(nodes).literals,
  };
}

export function toMatchEvent(event: LogEvent): MatchEvent {
  const lower = new Map<string, string[]>();
  const values: string[] = [];
  for (const [name, list] of event.fields) {
    lower.set(
      name,
      list.map((value) => value.toLowerCase()),
    );
    values.push(...list);
  }
  const isStructured = event.raw.startsWith('{') || event.raw.startsWith('<');
  // A field read out of a line is in the line already.
  const detail = event.fields.get('auditdetail')?.[0];
  // The detail of an audit trail repeats what the fields hold.
  const text = isStructured
    ? (detail === undefined
        ? values
        : [detail, ...values.filter((value) => value !== detail && !detail.includes(value))]
      ).join('\n')
    : [event.raw, ...values.filter((value) => !event.raw.includes(value))].join('\n');
  return { event, fields: event.fields, lower, text, lowerText: text.toLowerCase() };
}
