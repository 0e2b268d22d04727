/**
 * unevaluatedProperties and unevaluatedItems: what no other keyword of the schema, or of those it applies to the same
 * value, has spoken of. Which of them speak may depend on the value (anyOf, oneOf, if, dependentSchemas), so each
 * speaks under a guard: the formula that must hold.
 *
 * The more is spoken of, the less is left to restrict. Therefore the keyword holds where it holds for some set of guards
 * that all hold: ∃ T. ⋀ guards(T) ∧ rest(evaluated(always) ∪ evaluated(T)), without a negation or an order of events.
 */

import { escapePointer, type Target } from './references.ts';
import type { SchemaState, StateInterner } from './schema-state.ts';

type Schema = Record<string, unknown>;

/** Properties and items that some keywords have spoken of. */
export interface Evaluated {
  names: Set<string>;
  patterns: Set<string>;
  allProperties: boolean;
  /** Leading items. */
  prefix: number;
  allItems: boolean;
  /** Items that match one of these. */
  contains: Target[];
}

interface Spoken {
  guard: SchemaState;
  evaluated: Evaluated;
}

/** Lent by the compiler. */
export interface EvaluationContext {
  pool: StateInterner;
  formula(schema: unknown, pointer: string): SchemaState;
  /** Targets of `$ref` and `$dynamicRef`. */
  references(schema: Schema, pointer: string): Target[];
  /** An object that has the property. */
  has(name: string): SchemaState;
}

const mostGuards = 8;
const deepest = 50;

const nothing = (): Evaluated => ({
  names: new Set(),
  patterns: new Set(),
  allProperties: false,
  prefix: 0,
  allItems: false,
  contains: [],
});

/**
 * @param rest the restriction on what these have not spoken of
 * @returns null where too many alternatives would have to be kept apart
 */
export function unevaluated(
  schema: Schema,
  pointer: string,
  rest: (evaluated: Evaluated) => SchemaState,
  around: EvaluationContext,
): SchemaState | null {
  const { pool } = around;
  const spoken = new Collector(around).collect(schema, pointer);
  const always = spoken.filter(({ guard }) => guard === pool.always).map(({ evaluated }) => evaluated);
  const guarded = [...new Set(spoken.map(({ guard }) => guard))].filter((guard) => guard !== pool.always);
  if (guarded.length > mostGuards) return null;
  const options: SchemaState[] = [];
  for (let chosen = 0; chosen < 2 ** guarded.length; chosen += 1) {
    const guards = guarded.filter((_, index) => chosen & (1 << index));
    const evaluated = spoken.filter(({ guard }) => guards.includes(guard)).map((each) => each.evaluated);
    options.push(pool.and([...guards, rest(merge([...always, ...evaluated]))]));
  }
  return pool.or(options);
}

class Collector {
  private readonly around: EvaluationContext;
  private readonly found: Spoken[] = [];

  constructor(around: EvaluationContext) {
    this.around = around;
  }

  collect(schema: Schema, pointer: string): Spoken[] {
    this.visit(schema, pointer, { guard: this.around.pool.always, depth: 0 });
    return this.found;
  }

  private visit(schema: unknown, pointer: string, at: { guard: SchemaState; depth: number }): void {
    const { pool } = this.around;
    if (typeof schema !== 'object' || schema === null || at.depth > deepest || at.guard === pool.never)
      return;
    const keywords = schema as Schema;
    const evaluated = spokenOf(keywords, pointer, at.depth > 0);
    if (evaluated) this.found.push({ guard: at.guard, evaluated });
    const within = (guard: SchemaState = pool.always) => ({
      guard: pool.and([at.guard, guard]),
      depth: at.depth + 1,
    });
    for (const target of this.around.references(keywords, pointer))
      this.visit(target.schema, target.pointer, within());
    for (const [place, part] of parts(keywords, 'allOf', pointer)) this.visit(part, place, within());
    for (const keyword of ['anyOf', 'oneOf'])
      for (const [place, part] of parts(keywords, keyword, pointer))
        this.visit(part, place, within(this.around.formula(part, place)));
    for (const [place, part, name] of named(keywords, 'dependentSchemas', pointer))
      this.visit(part, place, within(this.around.has(name)));
    if ('if' in keywords) this.condition(keywords, pointer, within);
  }

  private condition(
    keywords: Schema,
    pointer: string,
    within: (guard: SchemaState) => { guard: SchemaState; depth: number },
  ): void {
    const condition = this.around.formula(keywords.if, `${pointer}/if`);
    this.visit(keywords.if, `${pointer}/if`, within(condition));
    this.visit(keywords.then, `${pointer}/then`, within(condition));
    this.visit(keywords.else, `${pointer}/else`, within(this.around.pool.not(condition)));
  }
}

/** The parts that a schema's own keywords speak of; null: none. Its own unevaluated… count where it is not the one asking. */
function spokenOf(schema: Schema, pointer: string, isInner: boolean): Evaluated | null {
  const old = Array.isArray(schema.items);
  const prefix = old ? schema.items : schema.prefixItems;
  const spoken: Evaluated = {
    names: new Set(Object.keys((schema.properties ?? {}) as Schema)),
    patterns: new Set(Object.keys((schema.patternProperties ?? {}) as Schema)),
    allProperties: 'additionalProperties' in schema || (isInner && 'unevaluatedProperties' in schema),
    prefix: Array.isArray(prefix) ? prefix.length : 0,
    allItems: (old ? 'additionalItems' : 'items') in schema || (isInner && 'unevaluatedItems' in schema),
    contains: 'contains' in schema ? [{ schema: schema.contains, pointer: `${pointer}/contains` }] : [],
  };
  const isSomething =
    spoken.names.size + spoken.patterns.size + spoken.prefix + spoken.contains.length > 0 ||
    spoken.allProperties ||
    spoken.allItems;
  return isSomething ? spoken : null;
}

function merge(parts: Evaluated[]): Evaluated {
  const merged = nothing();
  for (const part of parts) {
    for (const name of part.names) merged.names.add(name);
    for (const pattern of part.patterns) merged.patterns.add(pattern);
    merged.allProperties ||= part.allProperties;
    merged.prefix = Math.max(merged.prefix, part.prefix);
    merged.allItems ||= part.allItems;
    merged.contains.push(...part.contains);
  }
  return merged;
}

const parts = (schema: Schema, keyword: string, pointer: string): [string, unknown][] =>
  Array.isArray(schema[keyword])
    ? schema[keyword].map((part, index) => [`${pointer}/${keyword}/${index}`, part as unknown])
    : [];

function named(schema: Schema, keyword: string, pointer: string): [string, unknown, string][] {
  const found = (schema[keyword] ?? {}) as Schema;
  return Object.entries(found).map(([name, part]) => [
    `${pointer}/${keyword}/${escapePointer(name)}`,
    part,
    name,
  ]);
}
