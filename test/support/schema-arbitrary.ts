/** Values that fit a JSON Schema of server/api, as fast-check arbitraries. */
import fc from 'fast-check';

type Schema = Record<string, unknown>;

export function fromSchema(schema: Schema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  const options = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (options) return fc.oneof(...options.map(fromSchema));
  switch (schema.type) {
    case 'object':
      return fromObject(schema);
    case 'array':
      return fromArray(schema);
    case 'string':
      return fromString(schema);
    case 'integer':
      return fc.integer(range(schema, 2 ** 31 - 1));
    case 'number':
      return fc.double({ ...range(schema, 1e6), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue();
  }
}

const range = (schema: Schema, bound: number) => ({
  min: Math.max(Number(schema.minimum ?? -bound), -bound),
  max: Math.min(Number(schema.maximum ?? bound), bound),
});

function fromObject(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.patternProperties) {
    const [pattern, value] = Object.entries(schema.patternProperties as Record<string, Schema>)[0]!;
    const name = fc.stringMatching(new RegExp(pattern)).filter((text) => text.length < 64);
    return fc.dictionary(name, fromSchema(value), { maxKeys: 3 });
  }
  if (!schema.properties) return fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 });
  const properties = Object.entries(schema.properties as Record<string, Schema>);
  const model = Object.fromEntries(properties.map(([name, value]) => [name, fromSchema(value)]));
  return fc.record(model, { requiredKeys: (schema.required ?? []) as string[] });
}

function fromArray(schema: Schema): fc.Arbitrary<unknown> {
  const size = {
    minLength: Number(schema.minItems ?? 0),
    maxLength: Math.min(Number(schema.maxItems ?? 4), Number(schema.minItems ?? 0) + 3),
  };
  const item = fromSchema((schema.items ?? {}) as Schema);
  return schema.uniqueItems === true
    ? fc.uniqueArray(item, { ...size, comparator: 'IsStrictlyEqual' })
    : fc.array(item, size);
}

function fromString(schema: Schema): fc.Arbitrary<unknown> {
  if (typeof schema.pattern === 'string') return fc.stringMatching(new RegExp(schema.pattern));
  const least = Number(schema.minLength ?? 0);
  return fc.string({
    unit: 'grapheme',
    minLength: least,
    maxLength: Math.min(Number(schema.maxLength ?? 40), 40),
  });
}
