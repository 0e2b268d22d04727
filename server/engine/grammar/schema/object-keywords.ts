/** Keywords of objects: properties in all their forms, required and counted keys, and what depends on a key. */
import { type Compiling, count, type Schema } from './compiling.ts';
import { escapePointer } from './references.ts';
import type { SchemaState } from './schema-state.ts';
import { type KeyRules, keysAssertion, objectAssertion } from './states/objects.ts';
import { typeAssertion } from './states/scalars.ts';
import type { Evaluated } from './unevaluated.ts';

export const objectKeywords = (schema: Schema, pointer: string, compiling: Compiling): SchemaState[] => [
  ...properties(schema, pointer, compiling),
  ...keys(schema, compiling),
  ...dependencies(schema, pointer, compiling),
];

function properties(schema: Schema, pointer: string, compiling: Compiling): SchemaState[] {
  const { automaton, later, pool, scope } = compiling;
  const named = (schema.properties ?? {}) as Schema;
  const patterned = (schema.patternProperties ?? {}) as Schema;
  const hasRules = ['properties', 'patternProperties', 'additionalProperties', 'propertyNames'].some(
    (keyword) => keyword in schema,
  );
  if (!hasRules) return [];
  const additional = schema.additionalProperties;
  for (const name of Object.keys(named)) pool.known.add(name);
  const hasEnd = (pattern: string) =>
    automaton(pattern, `${pointer}/patternProperties`).start?.longest !== Number.POSITIVE_INFINITY;
  if ('propertyNames' in schema || (additional === false && Object.keys(patterned).some(hasEnd)))
    pool.fewKeys = true;
  const assertion = objectAssertion({
    name: scope + pointer,
    // A property that can never be is not one to begin.
    properties: new Map(
      Object.entries(named)
        .filter(([, part]) => part !== false)
        .map(([name, part]) => [name, later(part, `${pointer}/properties/${escapePointer(name)}`)]),
    ),
    patterns: Object.entries(patterned).map(([pattern, part]) => ({
      automaton: automaton(pattern, `${pointer}/patternProperties`),
      start: later(part, `${pointer}/patternProperties/${escapePointer(pattern)}`),
    })),
    additional: additional === false ? null : later(additional ?? true, `${pointer}/additionalProperties`),
    required: requiredOf(schema),
    propertyNames: 'propertyNames' in schema ? later(schema.propertyNames, `${pointer}/propertyNames`) : null,
  });
  const never = Object.entries(named).filter(([, part]) => part === false);
  return [pool.assertion(assertion), ...never.map(([name]) => absent(name, compiling))];
}

const requiredOf = ({ required }: Schema): string[] =>
  Array.isArray(required) ? [...new Set(required.map(String))].sort() : [];

function keys(schema: Schema, compiling: Compiling): SchemaState[] {
  const required = requiredOf(schema);
  const least = count(schema.minProperties, 0);
  const most = count(schema.maxProperties, Number.POSITIVE_INFINITY);
  if (required.length === 0 && least === 0 && most === Number.POSITIVE_INFINITY) return [];
  return [keysOf({ required, least, most }, compiling)];
}

function keysOf(rules: KeyRules, { pool }: Compiling): SchemaState {
  for (const name of rules.required) {
    pool.names.add(name);
    pool.known.add(name);
  }
  return pool.assertion(keysAssertion(rules));
}

/** An object that has the property. */
export function has(name: string, compiling: Compiling): SchemaState {
  const { pool } = compiling;
  return pool.and([
    pool.assertion(typeAssertion(new Set(['object']), false)),
    keysOf({ required: [name], least: 0, most: Number.POSITIVE_INFINITY }, compiling),
  ]);
}

const absent = (name: string, compiling: Compiling): SchemaState => compiling.pool.not(has(name, compiling));

function dependencies(schema: Schema, pointer: string, compiling: Compiling): SchemaState[] {
  const found: SchemaState[] = [];
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    for (const [name, then] of Object.entries((schema[keyword] ?? {}) as Schema)) {
      const rule = Array.isArray(then) ? { required: then as unknown } : then;
      const place = `${pointer}/${keyword}/${escapePointer(name)}`;
      found.push(compiling.pool.or([absent(name, compiling), compiling.formula(rule, place)]));
    }
  }
  return found;
}

/** unevaluatedProperties, once it is known what other keywords have spoken of. */
export function otherProperties(
  schema: Schema,
  pointer: string,
  { compiling, evaluated }: { compiling: Compiling; evaluated: Evaluated },
): SchemaState {
  const { automaton, later, pool, scope } = compiling;
  if (evaluated.allProperties) return pool.always;
  const place = `${pointer}/unevaluatedProperties`;
  const { names, patterns } = evaluated;
  for (const name of names) pool.known.add(name);
  const rule = schema.unevaluatedProperties;
  return pool.assertion(
    objectAssertion({
      name: `${scope}${place} ${JSON.stringify([[...names].sort(), [...patterns].sort()])}`,
      properties: new Map([...names].map((name) => [name, () => pool.always])),
      patterns: [...patterns].map((pattern) => ({
        automaton: automaton(pattern, place),
        start: () => pool.always,
      })),
      additional: rule === false ? null : later(rule, place),
      required: [],
      propertyNames: null,
    }),
  );
}
