/**
 * A field that is `null` is a field that was not given, at every depth that a schema describes; but for those that mean
 * something by it (a key's `expires`). Free-form values (JSON schemas, metadata) are left as they are.
 */
import type { TSchema } from 'typebox';

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

type DropNulls = (value: unknown) => void;

/** Takes the null fields out of a body, in place; null where the schema has no field that could be one. */
export function nullDropper(schema: TSchema | Schema): DropNulls | null {
  const branches = branchesOf(schema as Schema);
  const fields = new Map<string, DropNulls | null>();
  const meant = new Set<string>();
  for (const { properties = {} } of branches) {
    for (const [name, field] of Object.entries(properties)) {
      fields.set(name, both(fields.get(name) ?? null, nullDropper(field)));
      if (branchesOf(field).some(({ type }) => type === 'null')) meant.add(name);
    }
  }
  const items = branches
    .map((branch) => (branch.items ? nullDropper(branch.items) : null))
    .reduce(both, null);
  if (fields.size === 0 && !items) return null;
  return (value) => {
    if (Array.isArray(value)) {
      if (items) for (const item of value) items(item);
    } else if (fields.size > 0 && typeof value === 'object' && value !== null) {
      dropFrom(value as Record<string, unknown>, fields, meant);
    }
  };
}

function dropFrom(
  record: Record<string, unknown>,
  fields: ReadonlyMap<string, DropNulls | null>,
  meant: ReadonlySet<string>,
): void {
  for (const name in record) {
    if (record[name] !== null) fields.get(name)?.(record[name]);
    else if (!meant.has(name)) delete record[name];
  }
}

const branchesOf = (schema: Schema): Schema[] => schema.anyOf?.flatMap(branchesOf) ?? [schema];

function both(first: DropNulls | null, second: DropNulls | null): DropNulls | null {
  if (!first || !second) return first ?? second;
  return (value) => {
    first(value);
    second(value);
  };
}
