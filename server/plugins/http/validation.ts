/**
 * Turns Ajv's errors into the one ApiError a caller can act on. Where a schema offers alternatives, Ajv reports every
 * branch; the message speaks of the branch that the value's own discriminator (`type`, `role`) or its type points at.
 */
import type { FastifySchemaValidationError } from 'fastify';
import { ApiError } from '../../errors.ts';

/** With `verbose` Ajv adds the failing schema and value. */
interface SchemaError extends FastifySchemaValidationError {
  schema?: unknown;
  parentSchema?: JsonSchema;
  data?: unknown;
}

interface JsonSchema {
  description?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
}

/** Never coerces or drops: `["a"]` is not `"a"`, and an unknown field is the caller's mistake. */
export const ajvOptions = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: true,
  allErrors: false,
  verbose: true,
} as const;

export function toValidationError(errors: FastifySchemaValidationError[]): ApiError {
  const error = mostTelling(errors as SchemaError[]);
  const path = error.instancePath;
  const mismatch = discriminatorMismatch(error);
  if (mismatch) return invalidValue(`${path}/${mismatch.name}`, `must be ${list(mismatch.allowed)}`);
  if (error.keyword === 'additionalProperties') {
    const param = toParam(`${path}/${escapePointer(String(error.params.additionalProperty))}`);
    return new ApiError('unknown_parameter', `Unknown parameter: '${param}'.`, { param });
  }
  if (error.keyword === 'required') {
    const param = toParam(`${path}/${escapePointer(String(error.params.missingProperty))}`);
    return new ApiError('missing_field', `Missing required parameter: '${param}'.`, { param });
  }
  return invalidValue(path, requirement(error));
}

function invalidValue(path: string, must: string): ApiError {
  const param = toParam(path);
  const subject = param ? `Invalid value for '${param}'` : 'Invalid body';
  return new ApiError('invalid_value', `${subject}: it ${must}.`, { param: param || null });
}

/** The schema's demand in words. Only names from the schema are quoted, never the caller's value. */
function requirement(error: SchemaError): string {
  if (error.keyword === 'enum') return `must be ${list(error.params.allowedValues as unknown[])}`;
  if (error.keyword === 'const') return `must be ${list([error.params.allowedValue])}`;
  if (error.keyword === 'anyOf') return `must be ${alternatives(error.schema as JsonSchema[])}`;
  const { description } = error.parentSchema ?? {};
  if (error.keyword === 'type') {
    const kind = types(error.params.type as string | string[]);
    // Elements of an array are described where they are often mistaken.
    return description && /\/\d+$/.test(error.instancePath)
      ? `must be ${kind}, ${lowerFirst(description)}`
      : `must be ${kind}`;
  }
  // People cannot be expected to read a pattern where the schema says it in words.
  if (error.keyword === 'pattern' && description) return `must be ${lowerFirst(description)}`;
  if (/^min(?:Length|Items)$/.test(error.keyword) && error.params.limit === 1) return 'must not be empty';
  return (error.message ?? 'is not allowed').replace('must NOT', 'must not').replace(/ \(.*$/, '');
}

/** A schema's first sentence as the rest of a message, which brings a full stop of its own. */
function lowerFirst(text: string): string {
  const [sentence = ''] = text.split('. ', 1);
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}

/**
 * The error to report. The last one belongs to the outermost keyword that failed; for `anyOf` the search goes down
 * into the branch that fits best.
 */
function mostTelling(errors: SchemaError[]): SchemaError {
  const last = errors.at(-1)!;
  if (last.keyword !== 'anyOf') return last;
  const branches = (last.schema as JsonSchema[]).map((schema, index) => ({
    schema,
    errors: errors.filter((error) => belongsTo(error, `${last.schemaPath}/${index}/`)),
  }));
  const fitting = branches.filter(({ schema }) => fits(schema, last.data));
  const chosen = fitting.length > 0 ? fitting.at(-1)! : null;
  return chosen && chosen.errors.length > 0 ? mostTelling(chosen.errors) : last;
}

const belongsTo = (error: SchemaError, prefix: string): boolean => error.schemaPath.startsWith(prefix);

/** True for the branch that the caller meant: the right type and, for objects, the right discriminator. */
function fits(schema: JsonSchema, value: unknown): boolean {
  if (schema.anyOf) return schema.anyOf.some((branch) => fits(branch, value));
  if (schema.enum) return schema.enum.some((allowed) => typeof allowed === typeof value);
  if (schema.type && !([] as string[]).concat(schema.type).includes(typeOf(value))) return false;
  return mismatches(schema, value).length === 0;
}

interface Mismatch {
  name: string;
  allowed: unknown[];
}

/** Literal properties of an object schema, and a `type` of a few values, that the value has with another value. */
function mismatches(schema: JsonSchema | undefined, value: unknown): Mismatch[] {
  if (typeof value !== 'object' || value === null || !schema?.properties) return [];
  const record = value as Record<string, unknown>;
  return Object.entries(schema.properties)
    .map(([name, property]) => ({ name, allowed: literals(name, property) }))
    .filter(({ name, allowed }) => allowed.length > 0 && name in record && !allowed.includes(record[name]));
}

function literals(name: string, property: JsonSchema): unknown[] {
  if ('const' in property) return [property.const];
  return name === 'type' ? (property.enum ?? []) : [];
}

/** A wrong `type` explains a missing or unknown neighbour better than the neighbour does. */
function discriminatorMismatch(error: SchemaError): Mismatch | undefined {
  if (error.keyword === 'anyOf') return sharedDiscriminator(error);
  if (error.keyword !== 'required' && error.keyword !== 'additionalProperties') return undefined;
  return mismatches(error.parentSchema, error.data)[0];
}

/** All object branches name the same literal property, and the value matches none of them. */
function sharedDiscriminator(error: SchemaError): Mismatch | undefined {
  const found = (error.schema as JsonSchema[]).flatMap((branch) => mismatches(branch, error.data));
  const name = found[0]?.name;
  return name
    ? { name, allowed: found.filter((one) => one.name === name).flatMap((one) => one.allowed) }
    : undefined;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function alternatives(branches: JsonSchema[]): string {
  const flat = branches.flatMap((branch) => branch.anyOf ?? [branch]);
  const names = flat.flatMap((branch) => branch.enum?.map(quote) ?? (branch.type ? types(branch.type) : []));
  return [...new Set(names)].join(' or ');
}

/** JSON's names of types as a sentence has them: `a number`, `an array`, `null`. */
const types = (names: string | string[]): string =>
  [names]
    .flat()
    .map((name) => (name === 'null' ? name : `${/^[aio]/.test(name) ? 'an' : 'a'} ${name}`))
    .join(' or ');

const quote = (value: unknown): string => JSON.stringify(value);
const list = (values: unknown[]): string =>
  values.length === 1 ? quote(values[0]) : `one of ${values.map(quote).join(', ')}`;

const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** A JSON pointer as callers write fields: `/messages/2/content/0/type` → `messages[2].content[0].type`. */
export function toParam(pointer: string): string {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return parts
    .map((part, index) => (/^\d+$/.test(part) && index > 0 ? `[${part}]` : index > 0 ? `.${part}` : part))
    .join('')
    .slice(0, 200);
}
