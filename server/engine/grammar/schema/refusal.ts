/** Finds the place and keyword of a schema that a refusal names. */
import type { Schema } from './compiling.ts';
import { escapePointer } from './references.ts';

/** Answers about a schema while the reason is looked for. */
export interface Judge {
  /** The schema at a pointer; undefined: there is none. */
  at(pointer: string): unknown;
  /** Pointers that `$ref` and `$dynamicRef` of the schema at a pointer lead to. */
  references(pointer: string): string[];
  isSatisfiable(pointer: string): boolean;
  /** The place would be satisfiable without one of its keywords. */
  isSatisfiableWithout(pointer: string, keyword: string): boolean;
}

const deepest = 100;

/** The keyword that leaves no value, as deep as what is needed leads: a pointer to it. */
export function unsatisfiablePlace(judge: Judge): string {
  let place = '';
  for (let depth = 0; depth < deepest; depth += 1) {
    const next = neededParts(judge, place).find((part) => !judge.isSatisfiable(part));
    if (next === undefined) break;
    place = next;
  }
  const schema = judge.at(place);
  if (!isSchema(schema)) return place;
  // A type is seldom what is wrong; what speaks against it is.
  const keywords = Object.keys(schema).sort(
    (one, other) => Number(one === 'type') - Number(other === 'type'),
  );
  const keyword = keywords.find((each) => judge.isSatisfiableWithout(place, each));
  return keyword === undefined ? place : `${place}/${escapePointer(keyword)}`;
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parts without which no value fits: required properties, first items, what is referred to, alternatives of which none fits. */
function neededParts(judge: Judge, place: string): string[] {
  const schema = judge.at(place);
  if (!isSchema(schema)) return [];
  const parts = judge.references(place);
  const list = (keyword: string, most = Number.POSITIVE_INFINITY) =>
    Array.isArray(schema[keyword])
      ? schema[keyword].slice(0, most).map((_, index) => `${place}/${keyword}/${index}`)
      : [];
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const properties = isSchema(schema.properties) ? schema.properties : {};
  for (const name of required)
    if (Object.hasOwn(properties, name)) parts.push(`${place}/properties/${escapePointer(name)}`);
  const least = Number(schema.minItems ?? 0);
  if (least > 0) parts.push(...list('prefixItems', least), ...list('items', least));
  if (least > 0 && isSchema(schema.items)) parts.push(`${place}/items`);
  if ('contains' in schema) parts.push(`${place}/contains`);
  parts.push(...list('allOf'));
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = list(keyword);
    if (branches.every((branch) => !judge.isSatisfiable(branch))) parts.push(...branches.slice(0, 1));
  }
  return parts;
}

/** Keywords that multiply what must be kept apart, the worst first. */
const costly = [
  ...['uniqueItems', 'contains', 'pattern', 'patternProperties', 'propertyNames', 'multipleOf', 'minLength'],
  ...['minItems', 'unevaluatedProperties', 'unevaluatedItems', 'oneOf', 'anyOf', 'allOf', 'if', 'not'],
  ...['dependentSchemas', '$ref', '$dynamicRef', 'enum', 'properties', 'prefixItems', 'items'],
];
const mostPlaces = 5000;

/** The costliest keyword below a place of the schema: a pointer to it. */
export function costlyPlace(schema: unknown, place: string): string {
  let worst = { rank: costly.length, pointer: place };
  const pending: [schema: unknown, pointer: string][] = [[schema, place]];
  for (let count = 0; pending.length > 0 && count < mostPlaces; count += 1) {
    const [part, pointer] = pending.shift()!;
    if (typeof part !== 'object' || part === null) continue;
    for (const [name, value] of Object.entries(part)) {
      const inner = `${pointer}/${escapePointer(name)}`;
      const rank = value === false ? -1 : costly.indexOf(name);
      if (rank >= 0 && rank < worst.rank) worst = { rank, pointer: inner };
      pending.push([value, inner]);
    }
  }
  return worst.pointer;
}
