/** A schema as fields are read by it: references followed, alternatives of one kind as that kind. */
import type { Json } from '../../pack-files.ts';
import { schemaAt } from '../output/schema-reference.ts';
import { isPlain } from './schemas.ts';

/** References and parts within each other that are followed. */
const deepest = 8;
/** Schemas that are looked at in all: those of references grow with each of them. */
const mostSchemas = 2_000;

/** Same values, in `type`, `properties`, `items` and `enum` alone as far as one of these can say it. */
export function readingSchema(root: unknown): unknown {
  let left = mostSchemas;

  function simple(schema: unknown, depth: number): unknown {
    left -= 1;
    if (!isPlain(schema) || Array.isArray(schema) || depth > deepest || left < 0) return schema;
    const { $ref, allOf, anyOf, oneOf, ...own } = schema;
    if (typeof $ref === 'string') {
      const target = $ref.startsWith('#') ? schemaAt(root, $ref) : undefined;
      return isPlain(target) ? simple({ ...target, ...own }, depth + 1) : schema;
    }
    if (Array.isArray(allOf) && allOf.length === 1) return simple({ ...allOf[0], ...own }, depth + 1);
    const branches = anyOf ?? oneOf;
    if (Array.isArray(branches)) {
      const kinds = branches.map((each) => simple(each, depth + 1));
      const values = kinds.filter((each) => !isNull(each));
      if (values.length !== 1 || !isPlain(values[0])) return schema;
      const kind: Json = { ...values[0], ...own };
      return simple(values.length < kinds.length ? orNull(kind) : kind, depth + 1);
    }
    const made: Json = { ...schema };
    if (isPlain(schema.properties))
      made.properties = Object.fromEntries(
        Object.entries(schema.properties).map(([key, each]) => [key, simple(each, depth + 1)]),
      );
    if (isPlain(schema.items)) made.items = simple(schema.items, depth + 1);
    if (schema.const !== undefined && schema.enum === undefined) made.enum = [schema.const];
    return made;
  }

  return simple(root, 0);
}

const isNull = (schema: unknown): boolean =>
  isPlain(schema) && (schema.type === 'null' || schema.const === null);

function orNull(schema: Json): Json {
  const types = [schema.type].flat().filter((type) => type !== undefined);
  const type = types.length > 0 ? { type: [...types, 'null'] } : {};
  return { ...schema, ...type, ...(Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}) };
}
