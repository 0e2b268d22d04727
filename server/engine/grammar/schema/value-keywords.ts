/** Keywords on a value as a whole: type, enum and const, and those of strings and numbers. */
import { type Compiling, count, type Schema, UnsupportedSchema } from './compiling.ts';
import type { SchemaState, ValueKind } from './schema-state.ts';
import { enumAssertion, isScalar } from './states/enums.ts';
import { formatPatterns } from './states/formats.ts';
import { mostDecimals, numberAssertion } from './states/numbers.ts';
import { stringAssertion, typeAssertion } from './states/scalars.ts';

export const valueKeywords = (schema: Schema, pointer: string, compiling: Compiling): SchemaState[] => [
  ...types(schema, pointer, compiling),
  ...constants(schema, pointer, compiling),
  ...strings(schema, pointer, compiling),
  ...numbers(schema, pointer, compiling),
];

const kindsOf: Record<string, ValueKind[]> = {
  object: ['object'],
  array: ['array'],
  string: ['string'],
  number: ['number'],
  integer: ['number'],
  boolean: ['true', 'false'],
  null: ['null'],
};
const allKinds = 7;

function types(schema: Schema, pointer: string, { pool }: Compiling): SchemaState[] {
  if (schema.type === undefined) return [];
  const names = [schema.type].flat().map(String);
  const kinds = new Set<ValueKind>();
  for (const name of names) {
    const found = kindsOf[name];
    if (!found)
      throw new UnsupportedSchema(`${pointer}/type`, `there is no type ${JSON.stringify(name.slice(0, 40))}`);
    for (const kind of found) kinds.add(kind);
  }
  const wholeOnly = names.includes('integer') && !names.includes('number');
  return kinds.size === allKinds && !wholeOnly ? [] : [pool.assertion(typeAssertion(kinds, wholeOnly))];
}

function constants(schema: Schema, pointer: string, compiling: Compiling): SchemaState[] {
  const found: SchemaState[] = [];
  if ('const' in schema) found.push(oneOf([schema.const], `${pointer}/const`, compiling));
  if (Array.isArray(schema.enum)) found.push(oneOf(schema.enum, `${pointer}/enum`, compiling));
  return found;
}

/** Scalars are one list; a value of parts is a schema too: these very parts. */
function oneOf(values: readonly unknown[], pointer: string, compiling: Compiling): SchemaState {
  const { pool, scope } = compiling;
  pool.budget.spend(values.length);
  const scalars = values.filter(isScalar);
  const parts = values.flatMap((value, index) =>
    isScalar(value) ? [] : [constant(value, `${pointer}/${index}`, compiling)],
  );
  if (scalars.length > 0) parts.push(pool.assertion(enumAssertion(scalars, scope + pointer)));
  return pool.or(parts);
}

function constant(value: unknown, pointer: string, { formula }: Compiling): SchemaState {
  if (Array.isArray(value)) {
    const items = value.map((item) => ({ const: item as unknown }));
    return formula(
      { type: 'array', prefixItems: items, items: false, minItems: items.length },
      `${pointer}#`,
    );
  }
  const properties = Object.fromEntries(
    Object.entries(value as Schema).map(([name, part]) => [name, { const: part }]),
  );
  return formula(
    { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
    `${pointer}#`,
  );
}

function strings(schema: Schema, pointer: string, { automaton, pool }: Compiling): SchemaState[] {
  const patterns: [keyword: string, pattern: string][] = [];
  if (typeof schema.pattern === 'string') patterns.push(['pattern', schema.pattern]);
  const format = typeof schema.format === 'string' ? formatPatterns[schema.format] : undefined;
  if (format) patterns.push(['format', format]);
  const least = count(schema.minLength, 0);
  const most = count(schema.maxLength, Number.POSITIVE_INFINITY);
  if (patterns.length === 0) {
    if (least === 0 && most === Number.POSITIVE_INFINITY) return [];
    return [pool.assertion(stringAssertion({ least, most, automaton: null, name: '' }))];
  }
  return patterns.map(([keyword, pattern]) =>
    pool.assertion(
      stringAssertion({
        least,
        most,
        automaton: automaton(pattern, `${pointer}/${keyword}`),
        name: JSON.stringify(pattern),
      }),
    ),
  );
}

function numbers(schema: Schema, pointer: string, { pool }: Compiling): SchemaState[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const bounds = [minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf];
  if (!bounds.some((bound) => typeof bound === 'number')) return [];
  const low = [minimum, exclusiveMinimum].filter((bound) => typeof bound === 'number');
  const high = [maximum, exclusiveMaximum].filter((bound) => typeof bound === 'number');
  const least = Math.max(...low);
  const most = Math.min(...high);
  const types = [schema.type].flat();
  const assertion = numberAssertion({
    least,
    most,
    leastExclusive: exclusiveMinimum === least,
    mostExclusive: exclusiveMaximum === most,
    multipleOf: typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : null,
    whole: types.includes('integer') && !types.includes('number'),
  });
  if (assertion) return [pool.assertion(assertion)];
  const reason = `multipleOf has more than ${mostDecimals} decimals`;
  throw new UnsupportedSchema(`${pointer}/multipleOf`, reason);
}
