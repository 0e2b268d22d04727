/** Keywords of arrays: items by place, contains, their number and whether they differ. */

import { type Compiling, count, type Schema } from './compiling.ts';
import type { SchemaState } from './schema-state.ts';
import { arrayAssertion } from './states/arrays.ts';
import { type EnumValue, isScalar } from './states/enums.ts';
import type { Evaluated } from './unevaluated.ts';

const keywords = [
  'prefixItems',
  'items',
  'additionalItems',
  'contains',
  'minItems',
  'maxItems',
  'uniqueItems',
];

export function arrayKeywords(schema: Schema, pointer: string, compiling: Compiling): SchemaState[] {
  if (!keywords.some((keyword) => keyword in schema)) return [];
  const { later, pool, scope } = compiling;
  // Draft 7 wrote prefixItems as an array of `items`, and what follows as `additionalItems`.
  const isOld = Array.isArray(schema.items);
  const prefix = ((isOld ? schema.items : schema.prefixItems) ?? []) as unknown[];
  const rest = isOld ? schema.additionalItems : schema.items;
  const prefixPointer = `${pointer}/${isOld ? 'items' : 'prefixItems'}`;
  const restPointer = `${pointer}/${isOld ? 'additionalItems' : 'items'}`;
  return [
    pool.assertion(
      arrayAssertion({
        name: scope + pointer,
        prefix: prefix.map((part, index) => later(part, `${prefixPointer}/${index}`)),
        items: rest === false ? null : later(rest ?? true, restPointer),
        contains: 'contains' in schema ? later(schema.contains, `${pointer}/contains`) : null,
        containsLeast: count(schema.minContains, 1),
        containsMost: count(schema.maxContains, Number.POSITIVE_INFINITY),
        least: count(schema.minItems, 0),
        most: count(schema.maxItems, Number.POSITIVE_INFINITY),
        unique: schema.uniqueItems === true,
        choices: schema.uniqueItems === true ? choices(rest) : null,
      }),
    ),
  ];
}

/** Scalars that an item can be, where a schema lists them. */
function choices(items: unknown): EnumValue[] | null {
  const { enum: listed, type } = (items ?? {}) as Schema;
  const values: unknown = Array.isArray(listed) ? listed : type === 'boolean' ? [true, false] : null;
  return Array.isArray(values) && values.every(isScalar) ? values : null;
}

/** unevaluatedItems, once it is known what other keywords have spoken of. */
export function otherItems(
  schema: Schema,
  pointer: string,
  { compiling, evaluated }: { compiling: Compiling; evaluated: Evaluated },
): SchemaState {
  const { later, pool, scope } = compiling;
  if (evaluated.allItems) return pool.always;
  const place = `${pointer}/unevaluatedItems`;
  const { contains, prefix } = evaluated;
  const options = [{ schema: schema.unevaluatedItems, pointer: place }, ...contains].map((option) =>
    later(option.schema, option.pointer),
  );
  const closed = schema.unevaluatedItems === false && contains.length === 0;
  return pool.assertion(
    arrayAssertion({
      ...plainArray,
      name: `${scope}${place} ${prefix} ${contains.map((each) => each.pointer)}`,
      prefix: Array.from({ length: prefix }, () => () => pool.always),
      items: closed ? null : () => pool.or(options.map((start) => start())),
    }),
  );
}

const plainArray = {
  contains: null,
  containsLeast: 0,
  containsMost: Number.POSITIVE_INFINITY,
  least: 0,
  most: Number.POSITIVE_INFINITY,
  unique: false,
  choices: null,
};
