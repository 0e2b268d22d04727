/**
 * Checks that a JSON value has the shape of a JSON Schema (draft 2020-12): each keyword's value is of the kind it must be, and
 * local references lead somewhere. What the engine can decide while it generates is the engine's to say, when it is asked.
 */

export interface ShapeProblem {
  path: (string | number)[];
  message: string;
}

type Check = (value: unknown) => string | null;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const expect =
  (fits: (value: unknown) => boolean, kind: string): Check =>
  (value) =>
    fits(value) ? null : kind;

const count = expect((value) => Number.isInteger(value) && (value as number) >= 0, 'a whole number from 0');
const number = expect((value) => typeof value === 'number', 'a number');
const text = expect((value) => typeof value === 'string', 'a text');
const flag = expect((value) => typeof value === 'boolean', 'true or false');
const names = expect(
  (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  'a list of names',
);
const types = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];

const plain: Record<string, Check> = {
  type: expect(
    (value) => [value].flat().length > 0 && [value].flat().every((type) => types.includes(type as string)),
    `one of ${types.join(', ')}, or a list of them`,
  ),
  enum: expect((value) => Array.isArray(value) && value.length > 0, 'a list with at least one value'),
  required: names,
  multipleOf: expect((value) => typeof value === 'number' && value > 0, 'a number above 0'),
  pattern: expect(isPattern, 'a regular expression'),
  format: text,
  $ref: text,
  $dynamicRef: text,
  $anchor: text,
  title: text,
  description: text,
  uniqueItems: flag,
  ...Object.fromEntries(
    ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map((name) => [
      name,
      count,
    ]),
  ),
  ...Object.fromEntries(
    ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((name) => [name, number]),
  ),
  minContains: count,
  maxContains: count,
};

const single = [
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const maps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** The first thing that is wrong, or null. */
export function checkSchema(root: unknown): ShapeProblem | null {
  return checkAt(root, [], root);
}

function checkAt(schema: unknown, path: ShapeProblem['path'], root: unknown): ShapeProblem | null {
  if (typeof schema === 'boolean') return null;
  if (!isObject(schema)) return { path, message: 'A schema is an object, or true or false' };
  for (const [keyword, value] of Object.entries(schema)) {
    const problem = checkKeyword(keyword, value, [...path, keyword], root);
    if (problem) return problem;
  }
  return null;
}

function checkKeyword(
  keyword: string,
  value: unknown,
  path: ShapeProblem['path'],
  root: unknown,
): ShapeProblem | null {
  const wanted = plain[keyword]?.(value);
  if (wanted) return { path, message: `“${keyword}” must be ${wanted}` };
  if (keyword === '$ref' && leadsNowhere(value as string, root))
    return { path, message: `“${value}” leads nowhere in this schema` };
  if (single.includes(keyword)) return checkAt(value, path, root);
  if (lists.includes(keyword)) {
    if (!Array.isArray(value) || value.length === 0)
      return { path, message: `“${keyword}” must be a list of schemas` };
    return firstProblem(value.map((each, index) => checkAt(each, [...path, index], root)));
  }
  if (!maps.includes(keyword)) return null;
  if (!isObject(value)) return { path, message: `“${keyword}” must be an object of schemas` };
  return firstProblem(Object.entries(value).map(([name, each]) => checkAt(each, [...path, name], root)));
}

const firstProblem = (found: (ShapeProblem | null)[]): ShapeProblem | null =>
  found.find((problem) => problem !== null) ?? null;

function leadsNowhere(reference: string, root: unknown): boolean {
  if (!reference.startsWith('#/')) return false;
  let node: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return true;
    node = (node as Record<string, unknown>)[key];
  }
  return false;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
