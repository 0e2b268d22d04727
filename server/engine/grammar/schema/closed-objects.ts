/**
 * Objects that list properties and say nothing of further ones take those listed. JSON Schema
 * would allow any; a model that makes some up calls the tool, or fills the form, wrongly all the same. OpenAI's strict
 * mode and XGrammar read schemas like that. Fewer values, all of them valid; `additionalProperties: true` opens it.
 */
const speaksOfMore = [
  ...['additionalProperties', 'unevaluatedProperties', 'patternProperties', 'propertyNames', 'minProperties'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependencies', 'dependentSchemas'],
  ...['dependentRequired', '$ref', '$dynamicRef'],
];

type Schema = Record<string, unknown>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schema with its silent objects closed; those that keywords combine with others stay as they are. */
export function withImplicitAdditionalPropertiesFalse(schema: unknown): unknown {
  return refersInside(schema) ? schema : close(schema);
}

/** A place that is referred to may be combined with others elsewhere; shared definitions are never closed. */
const refersInside = (schema: unknown): boolean =>
  /"\$(ref|dynamicRef)":"(?!#\/(\$defs|definitions)\/)/.test(JSON.stringify(schema));

function close(schema: unknown): unknown {
  if (!isSchema(schema) || speaksOfMore.some((keyword) => keyword in schema)) return schema;
  if ('items' in schema) return { ...schema, items: close(schema.items) };
  const { properties, required = [] } = schema;
  if (!isSchema(properties) || !Array.isArray(required)) return schema;
  if (required.some((name) => !Object.hasOwn(properties, name))) return schema;
  const closed = Object.entries(properties).map(([name, each]) => [name, close(each)]);
  return { ...schema, properties: Object.fromEntries(closed), additionalProperties: false };
}
