/** Schemas as fields are read by them. */
import { describe, expect, it } from 'vitest';
import { readingSchema } from '../../../../server/engine/chat/reader/reading-schema.ts';

describe('readingSchema', () => {
  it('follows references, also through definitions of each other', () => {
    const schema = {
      properties: {
        owner: { $ref: '#/$defs/Person' },
        pets: { type: 'array', items: { $ref: '#/$defs/Pet' } },
      },
      $defs: {
        Person: { type: 'object', properties: { home: { $ref: '#/$defs/Home', description: 'where' } } },
        Home: { type: 'object', properties: { city: { type: 'string' } } },
        Pet: { type: 'object', properties: { name: { type: 'string' } } },
      },
    };
    expect(readingSchema(schema)).toMatchObject({
      properties: {
        owner: {
          type: 'object',
          properties: { home: { description: 'where', properties: { city: { type: 'string' } } } },
        },
        pets: { items: { properties: { name: { type: 'string' } } } },
      },
    });
  });

  it.each([
    [
      { anyOf: [{ type: 'integer' }, { type: 'null' }], title: 'Age' },
      { title: 'Age', type: ['integer', 'null'] },
    ],
    [
      { oneOf: [{ type: 'string', enum: ['a', 'b'] }, { const: null }] },
      { type: ['string', 'null'], enum: ['a', 'b', null] },
    ],
    [{ anyOf: [{ $ref: '#/$defs/X' }, { type: 'null' }] }, { type: ['number', 'null'] }],
    [
      { allOf: [{ $ref: '#/$defs/X' }], description: 'x' },
      { type: 'number', description: 'x' },
    ],
    [{ const: 'yes' }, { enum: ['yes'] }],
    [
      { anyOf: [{ type: 'integer' }, { type: 'string' }] },
      { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    ],
  ])('says %j as one kind', (field, expected) => {
    const schema = { properties: { field }, $defs: { X: { type: 'number' } } };
    expect(readingSchema(schema)).toMatchObject({ properties: { field: expected } });
  });

  it('leaves out what a schema holds of itself, but for the items of its lists', () => {
    const P = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        father: { anyOf: [{ $ref: '#/$defs/P' }, { type: 'null' }] },
        friend: { $ref: '#/$defs/P' },
        children: { type: 'array', items: { $ref: '#/$defs/P' } },
      },
    };
    const child = { name: { type: 'string' }, father: { type: 'null' }, children: { maxItems: 0 } };
    const read = readingSchema({ $ref: '#/$defs/P', $defs: { P } });
    expect(read).toMatchObject({ properties: { ...child, children: { items: { properties: child } } } });
    expect(read).not.toHaveProperty('properties.friend');
  });

  it('ends in schemas that hold themselves, grow without end or point nowhere', () => {
    const tree = {
      $defs: { T: { type: 'object', properties: { a: { $ref: '#/$defs/T' }, b: { $ref: '#/$defs/T' } } } },
    };
    const loop = { $ref: '#/$defs/L', $defs: { L: { $ref: '#/$defs/L' } } };
    for (const schema of [
      { ...tree, $ref: '#/$defs/T' },
      loop,
      { $ref: '#/nowhere' },
      { $ref: 'http://x' },
      true,
      null,
      7,
    ])
      expect(() => readingSchema(schema)).not.toThrow();
    expect(readingSchema({ $ref: '#/nowhere' })).toEqual({ $ref: '#/nowhere' });
  });
});
