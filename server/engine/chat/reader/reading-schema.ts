/** A schema as fields are read by it: references followed, alternatives of one kind as that kind. */
import type { Json } from '../../pack-files.ts';
import { schemaAt } from '../output/schema-reference.ts';
import { isPlain } from './schemas.ts';

/** References and parts within each other that are followed. */
const deepest = 8;
/** Schemas that are looked at in all: those of references grow with each of them. */
const mostSchemas = 2_000;

/**
 * Same values, in `type`, `properties`, `items` and `enum` alone as far as one of these can say it. A schema within itself is left out
 * where it may be: reading tells no father from his son; of a list's items it is once.
 */
export function readingSchema(root: unknown): unknown {
  let left = mostSchemas;

  /** @param open what holds this, from references; undefined: it is left out */
  function simple(schema: unknown, depth: number, open: readonly unknown[], isItem = false): unknown {
    left -= 1;
    if (!isPlain(schema) || Array.isArray(schema) || depth > deepest || left < 0) return schema;
    const { $ref, allOf, anyOf, oneOf, ...own } = schema;
    if (typeof $ref === 'string') {
      const target = $ref.startsWith('#') ? schemaAt(root, $ref) : undefined;
      if (open.filter((each) => each === target).length > (isItem ? 1 : 0)) return undefined;
      return isPlain(target) ? simple({ ...target, ...own }, depth + 1, [...open, target], isItem) : schema;
    }
    if (Array.isArray(allOf) && allOf.length === 1)
      return simple({ ...allOf[0], ...own }, depth + 1, open, isItem);
    const branches = anyOf ?? oneOf;
    if (Array.isArray(branches)) {
      const kinds = branches.map((each) => simple(each, depth + 1, open, isItem));
      const values = kinds.filter((each) => each !== undefined && !isNull(each));
      if (values.length === 0 && kinds.includes(undefined)) return kinds.find(isNull);
      if (values.length !== 1 || !isPlain(values[0])) return schema;
      const kind: Json = { ...values[0], ...own };
      return simple(kinds.some(isNull) ? orNull(kind) : kind, depth + 1, open, isItem);
    }
    const made: Json = { ...schema };
    if (isPlain(schema.properties))
      made.properties = Object.fromEntries(
        Object.entries(schema.properties)
          .map(([key, each]) => [key, simple(each, depth + 1, open)] as const)
          .filter(([, each]) => each !== undefined),
      );
    if (isPlain(schema.items)) {
      made.items = simple(schema.items, depth + 1, open, true);
      if (made.items === undefined) made.maxItems = 0;
    }
    if (schema.const !== undefined && schema.enum === undefined) made.enum = [schema.const];
    return made;
  }

  return simple(root, 0, [root]);
}

const isNull = (schema: unknown): boolean =>
  isPlain(schema) && (schema.type === 'null' || schema.const === null);

function orNull(schema: Json): Json {
  const types = [schema.type].flat().filter((type) => type !== undefined);
  const type = types.length > 0 ? { type: [...types, 'null'] } : {};
  return { ...schema, ...type, ...(Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}) };
}
