import { describe, expect, it } from 'vitest';
import { withImplicitAdditionalPropertiesFalse } from '../../../server/engine/grammar/schema/closed-objects.ts';

const text = { type: 'string' };

describe('parameters of a tool', () => {
  it('takes no properties but those declared, at every depth', () => {
    const person = { type: 'object', properties: { name: text } };
    expect(
      withImplicitAdditionalPropertiesFalse({
        type: 'object',
        properties: { person, all: { items: person } },
      }),
    ).toEqual({
      type: 'object',
      properties: {
        person: { ...person, additionalProperties: false },
        all: { items: { ...person, additionalProperties: false } },
      },
      additionalProperties: false,
    });
  });

  it('takes none where none is declared', () => {
    expect(withImplicitAdditionalPropertiesFalse({ type: 'object', properties: {} })).toMatchObject({
      additionalProperties: false,
    });
  });

  it.each([
    { properties: { a: text }, additionalProperties: true },
    { properties: { a: text }, patternProperties: { '^x': text } },
    { properties: { a: text }, allOf: [{ properties: { b: text } }] },
    { properties: { a: text }, required: ['b'] },
    { properties: { a: text }, minProperties: 2 },
    { properties: { a: { properties: { b: text } }, c: { $ref: '#/properties/a' } } },
    { type: 'object' },
  ])('leaves %j as it is', (schema) => {
    expect(withImplicitAdditionalPropertiesFalse(schema)).toEqual(schema);
  });

  it('leaves what shared definitions say open', () => {
    const schema = { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { properties: { b: text } } } };
    expect(withImplicitAdditionalPropertiesFalse(schema)).toEqual({ ...schema, additionalProperties: false });
  });
});
