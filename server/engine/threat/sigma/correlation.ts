/**
 * Correlation rules (Sigma specification 2): counts and sequences over the events that other rules matched, grouped by
 * fields, within a span of time. Events without a time count as happening at once: a pasted excerpt has no better clock.
 */
import type { LogEvent } from '../readers/event.ts';
import type { CorrelationDocument } from './parse-rule.ts';
import { SigmaError } from './sigma-error.ts';

export interface CompiledCorrelation {
  rule: CorrelationDocument;
  /** Ids or names of the rules it watches. */
  rules: string[];
  /** True where the watched rules are also reported on their own. */
  generate: boolean;
  /** Groups of events that fulfil the rule. */
  match(matches: readonly RuleMatch[]): LogEvent[][];
}

export interface RuleMatch {
  /** Id and name of the rule that matched. */
  names: string[];
  event: LogEvent;
}

type Condition = (value: number) => boolean;

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
  eq: (a, b) => a === b,
  neq: (a, b) => a !== b,
};
const TYPES = [
  'event_count',
  'value_count',
  'temporal',
  'temporal_ordered',
  'value_sum',
  'value_avg',
  'value_percentile',
  'value_median',
];

interface Spec {
  type: string;
  rules: string[];
  groupBy: string[];
  spanMs: number;
  condition: Condition;
  field: string[];
  percentile: number;
  /** Field name of a group-by alias → rule name → field in that rule's events. */
  aliases: Record<string, Record<string, string>>;
}

/** @throws SigmaError for an unknown type, or where rules, condition, field or timespan are missing or wrong */
export function compileCorrelation(rule: CorrelationDocument): CompiledCorrelation {
  const spec = toSpec(rule.correlation);
  const generate = rule.correlation.generate === true;
  return { rule, rules: spec.rules, generate, match: (matches) => matchCorrelation(spec, matches) };
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const strings = (value: unknown): string[] =>
  (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]).map(String);

function toSpec(raw: Record<string, unknown>): Spec {
  const type = String(raw.type ?? '');
  if (!TYPES.includes(type)) throw new SigmaError(`unknown correlation type "${type.slice(0, 40)}"`);
  const rules = strings(raw.rules);
  if (rules.length === 0) throw new SigmaError('the correlation names no rules');
  const condition = isMap(raw.condition) ? raw.condition : {};
  if (!type.startsWith('temporal') && Object.keys(condition).length === 0)
    throw new SigmaError('the correlation has no condition');
  const field = strings(condition.field);
  if (type.startsWith('value_') && field.length === 0)
    throw new SigmaError('the correlation condition names no field');
  return {
    type,
    rules,
    groupBy: strings(raw['group-by']),
    spanMs: timespan(raw.timespan),
    condition: toCondition(condition),
    field,
    percentile: Number(condition.percentile ?? 50),
    aliases: toAliases(raw.aliases),
  };
}

function timespan(value: unknown): number {
  const match = /^(\d{1,6})\s?([smhdw])$/u.exec(String(value ?? ''));
  if (match === null) throw new SigmaError('the correlation has no valid timespan');
  return Number(match[1]) * (UNITS[match[2] as string] as number);
}

function toCondition(raw: Record<string, unknown>): Condition {
  const tests = Object.entries(raw).flatMap(([name, value]) => {
    const compare = COMPARISONS[name];
    return compare === undefined ? [] : [(count: number) => compare(count, Number(value))];
  });
  return (count) => tests.every((test) => test(count));
}

function toAliases(raw: unknown): Spec['aliases'] {
  if (!isMap(raw)) return {};
  return Object.fromEntries(
    Object.entries(raw).map(([name, byRule]) => [
      name.toLowerCase(),
      isMap(byRule)
        ? Object.fromEntries(
            Object.entries(byRule).map(([rule, field]) => [rule, String(field).toLowerCase()]),
          )
        : {},
    ]),
  );
}

function matchCorrelation(spec: Spec, matches: readonly RuleMatch[]): LogEvent[][] {
  const groups = new Map<string, RuleMatch[]>();
  for (const match of matches) {
    if (!match.names.some((name) => spec.rules.includes(name))) continue;
    const key = groupKey(spec, match);
    if (key === null) continue;
    const held = groups.get(key);
    if (held === undefined) groups.set(key, [match]);
    else held.push(match);
  }
  const found: LogEvent[][] = [];
  for (const group of groups.values()) {
    const window = firstWindow(
      spec,
      group.toSorted((a, b) => timeOf(a) - timeOf(b)),
    );
    if (window !== null) found.push([...new Set(window.map((match) => match.event))]);
  }
  return found;
}

const timeOf = (match: RuleMatch) => match.event.timeMs ?? 0;

/** Null when the event lacks a field to group by: it belongs to no group. */
function groupKey(spec: Spec, match: RuleMatch): string | null {
  const values: string[] = [];
  for (const name of spec.groupBy) {
    const aliased = match.names
      .map((rule) => spec.aliases[name.toLowerCase()]?.[rule])
      .find((field) => field !== undefined);
    const value = match.event.fields.get(aliased ?? name.toLowerCase())?.[0];
    if (value === undefined) return null;
    values.push(value.toLowerCase());
  }
  return values.join('\u0000');
}

/** The first stretch of at most the timespan that fulfils the condition: two indexes, one pass. */
function firstWindow(spec: Spec, matches: RuleMatch[]): RuleMatch[] | null {
  let from = 0;
  let best: RuleMatch[] | null = null;
  for (let to = 0; to < matches.length; to += 1) {
    while (timeOf(matches[to] as RuleMatch) - timeOf(matches[from] as RuleMatch) > spec.spanMs) from += 1;
    const isLast =
      to === matches.length - 1 ||
      timeOf(matches[to + 1] as RuleMatch) - timeOf(matches[from] as RuleMatch) > spec.spanMs;
    if (!isLast) continue;
    const window = matches.slice(from, to + 1);
    if (fulfils(spec, window) && (best === null || window.length > best.length)) best = window;
  }
  return best;
}

function fulfils(spec: Spec, window: readonly RuleMatch[]): boolean {
  if (spec.type === 'event_count') return spec.condition(window.length);
  if (spec.type === 'temporal')
    return spec.rules.every((rule) => window.some((match) => match.names.includes(rule)));
  if (spec.type === 'temporal_ordered') return inOrder(spec.rules, window);
  const texts = window.flatMap((match) => {
    const parts = spec.field.map((field) => match.event.fields.get(field.toLowerCase())?.[0]);
    return parts.every((part) => part !== undefined) ? [parts.join('\u0000')] : [];
  });
  if (spec.type === 'value_count') return spec.condition(new Set(texts).size);
  const numbers = texts.map(Number).filter((number) => !Number.isNaN(number));
  return numbers.length > 0 && spec.condition(aggregate(spec, numbers));
}

function inOrder(rules: readonly string[], window: readonly RuleMatch[]): boolean {
  let next = 0;
  for (const match of window)
    if (next < rules.length && match.names.includes(rules[next] as string)) next += 1;
  return next === rules.length;
}

function aggregate(spec: Spec, numbers: number[]): number {
  const sum = numbers.reduce((total, number) => total + number, 0);
  if (spec.type === 'value_sum') return sum;
  if (spec.type === 'value_avg') return sum / numbers.length;
  const sorted = numbers.toSorted((a, b) => a - b);
  const share = spec.type === 'value_median' ? 50 : spec.percentile;
  return sorted[Math.min(sorted.length - 1, Math.floor((share / 100) * sorted.length))] as number;
}
