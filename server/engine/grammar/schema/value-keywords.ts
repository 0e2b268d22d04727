/** Keywords on a value as a whole: type, enum and const, and those of strings and numbers. */
import { type Compiling, count, type Schema, UnsupportedSchema } from './compiling.ts';
import { formatPatterns } from './formats.ts';
import { numberAssertion, stringAssertion, typeAssertion } from './scalars.ts';
import type { SchemaState, ValueKind } from './schema-state.ts';

export const valueKeywords = (schema: Schema, pointer: string, compiling: Compiling): SchemaState[] => [
  ...types(schema, pointer, compiling),
  ...constants(schema, pointer, compiling),
  ...strings(schema, pointer, compiling),
  ...numbers(schema, compiling),
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
  if ('const' in schema) found.push(constant(schema.const, `${pointer}/const`, compiling));
  if (Array.isArray(schema.enum)) {
    const values = schema.enum.map((value, index) => constant(value, `${pointer}/enum/${index}`, compiling));
    found.push(compiling.pool.or(values));
  }
  return found;
}

/** A constant is a schema too: this very text, this very number, these very parts. */
function constant(value: unknown, pointer: string, { formula, pool }: Compiling): SchemaState {
  if (typeof value === 'string')
    return formula({ type: 'string', pattern: `^${escapePattern(value)}$` }, `${pointer}#`);
  if (typeof value === 'number')
    return formula({ type: 'number', minimum: value, maximum: value }, `${pointer}#`);
  if (value === null || typeof value === 'boolean') {
    const kind = String(value) as ValueKind;
    return pool.assertion(typeAssertion(new Set([kind]), false));
  }
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

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

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

function numbers(schema: Schema, { pool }: Compiling): SchemaState[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const bounds = [minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf];
  if (!bounds.some((bound) => typeof bound === 'number')) return [];
  const low = [minimum, exclusiveMinimum].filter((bound) => typeof bound === 'number');
  const high = [maximum, exclusiveMaximum].filter((bound) => typeof bound === 'number');
  const least = Math.max(...low);
  const most = Math.min(...high);
  return [
    pool.assertion(
      numberAssertion({
        least,
        most,
        leastExclusive: exclusiveMinimum === least,
        mostExclusive: exclusiveMaximum === most,
        multipleOf: typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : null,
      }),
    ),
  ];
}
