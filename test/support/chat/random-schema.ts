/** Schemas made up at random: small, with keywords that get in each other's way. */

type Next = () => number;

const names = ['a', 'b', 'id', 'name', 'x y', 'é', '"'];
const patterns = ['^a+$', 'b', '^[^0-9]*$', '^(a|b)*c?$', '^\\d{2,3}$', '^.{1,4}$', '[d-z]$', '^(ab|cd)+$'];

/** @param next a number from 0 up to 1 */
export function randomSchema(next: Next, depth = 3): unknown {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!;
  const some = (chance: number, make: () => Record<string, unknown>) => (next() < chance ? make() : {});
  const inner = () => randomSchema(next, depth - 1);
  const several = (least: number, most: number) =>
    Array.from({ length: least + Math.floor(next() * (most - least + 1)) }, inner);
  const small = () => Math.floor(next() * 5);
  const value = () => pick<unknown>([0, 1, 2.5, -3, 'a', 'ab', '', true, null, [], [1], {}, { a: 1 }]);
  if (depth <= 0 || next() < 0.25)
    return pick<unknown>([
      true,
      {},
      { type: 'string' },
      { type: 'integer' },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'null' },
      { enum: [value(), value(), value()] },
      { const: value() },
      { type: 'string', pattern: pick(patterns) },
      { type: 'string', minLength: small(), maxLength: small() },
      { type: 'integer', minimum: small() - 2, maximum: small() },
      { type: 'number', multipleOf: pick([2, 3, 0.5, 0.01]), exclusiveMinimum: small() },
    ]);
  const kind = pick(['object', 'object', 'array', 'mixed', 'string']);
  const combined = {
    ...some(0.12, () => ({ anyOf: several(1, 3) })),
    ...some(0.1, () => ({ oneOf: several(1, 3) })),
    ...some(0.1, () => ({ allOf: several(1, 2) })),
    ...some(0.08, () => ({ not: inner() })),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ...some(0.06, () => ({ if: inner(), ...(next() < 0.7 ? { then: inner() } : {}), else: inner() })),
  };
  if (kind === 'string')
    return {
      type: 'string',
      ...some(0.6, () => ({ pattern: pick(patterns) })),
      ...some(0.3, () => ({ minLength: small() })),
      ...some(0.3, () => ({ maxLength: 1 + small() })),
      ...combined,
    };
  if (kind === 'array')
    return {
      type: 'array',
      ...some(0.7, () => ({ items: inner() })),
      ...some(0.2, () => ({ prefixItems: several(1, 2) })),
      ...some(0.15, () => ({ contains: inner() })),
      ...some(0.3, () => ({ minItems: small() })),
      ...some(0.4, () => ({ maxItems: small() })),
      ...some(0.2, () => ({ uniqueItems: true })),
      ...combined,
    };
  const used = names.filter(() => next() < 0.4);
  return {
    ...some(kind === 'object' ? 1 : 0.3, () => ({ type: 'object' })),
    properties: Object.fromEntries(used.map((name) => [name, inner()])),
    ...some(0.6, () => ({ required: used.filter(() => next() < 0.6) })),
    ...some(0.5, () => ({ additionalProperties: next() < 0.7 ? false : inner() })),
    ...some(0.1, () => ({ patternProperties: { [pick(patterns)]: inner() } })),
    ...some(0.08, () => ({ propertyNames: { maxLength: 1 + small() } })),
    ...some(0.1, () => ({ minProperties: small() })),
    ...some(0.1, () => ({ maxProperties: small() })),
    ...some(0.08, () => ({ dependentRequired: { a: ['b'] } })),
    ...combined,
  };
}
