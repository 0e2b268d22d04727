/** A schema in few words for the prompt: names, types and lists of values, as deep as there is room. The mask keeps the rest. */

import { schemaAt } from './schema-reference.ts';

type Schema = Record<string, unknown>;

const mostValues = 12;
const mostBranches = 6;
const longestDescription = 80;
/** Parts told of one schema: what is referred to often would be told as often. */
const mostParts = 2000;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Such as `{name: string, size?: "s" | "m", parts: {id: integer}[]}`.
 * @param depth levels of objects and lists that are told; below them stands their type alone
 */
export function outlineOf(schema: unknown, depth: number): string {
  return new Outline(schema).of(schema, depth, 0);
}

class Outline {
  private readonly root: unknown;
  private parts = 0;

  constructor(root: unknown) {
    this.root = root;
  }

  of(schema: unknown, depth: number, hops: number): string {
    this.parts += 1;
    if (!isSchema(schema) || this.parts > mostParts) return 'any';
    if (typeof schema.$ref === 'string')
      return hops > 8 ? 'any' : this.of(schemaAt(this.root, schema.$ref), depth, hops + 1);
    if ('const' in schema) return JSON.stringify(schema.const);
    if (Array.isArray(schema.enum))
      return listed(
        schema.enum.map((value) => JSON.stringify(value)),
        mostValues,
      );
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const branches = schema[keyword];
      if (Array.isArray(branches))
        return listed([...new Set(branches.map((each) => this.of(each, depth, hops + 1)))], mostBranches);
    }
    if (Array.isArray(schema.allOf) && !isSchema(schema.properties))
      return schema.allOf.map((each) => this.of(each, depth, hops + 1)).join(' & ');
    return this.typed(schema, depth);
  }

  private typed(schema: Schema, depth: number): string {
    const types = [schema.type].flat().filter((type) => typeof type === 'string');
    if (types.includes('array') || 'items' in schema)
      return depth > 0 ? `${this.of(schema.items, depth - 1, 0)}[]` : 'array';
    if (isSchema(schema.properties)) return depth > 0 ? this.members(schema, depth) : 'object';
    const text = types.join(' | ') || 'any';
    return typeof schema.format === 'string' ? `${text} (${schema.format})` : text;
  }

  private members({ properties, required }: Schema, depth: number): string {
    const needed = new Set(Array.isArray(required) ? required.map(String) : []);
    const members = Object.entries(properties as Schema).map(
      ([name, part]) =>
        `${/^\w+$/.test(name) ? name : JSON.stringify(name)}${needed.has(name) ? '' : '?'}: ${this.of(part, depth - 1, 0)}`,
    );
    return `{${members.join(', ')}}`;
  }
}

const listed = (values: readonly string[], most: number): string =>
  [...values.slice(0, most), ...(values.length > most ? ['…'] : [])].join(' | ');

const keptKeywords = ['type', 'enum', 'const', 'required', 'properties', 'items', 'anyOf', 'oneOf', '$ref'];

/** The schema with names, types and lists of values alone, as a chat template wants it: JSON Schema all the same. */
export function trimmed(schema: unknown, depth: number): unknown {
  if (!isSchema(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => keptKeywords.includes(keyword));
  return Object.fromEntries(
    kept.flatMap(([keyword, value]) => {
      if (keyword === 'properties' && isSchema(value)) {
        const parts = Object.entries(value).map(([name, part]) => [name, trimmed(part, depth - 1)]);
        return depth > 0 ? [[keyword, Object.fromEntries(parts)]] : [];
      }
      if (keyword === 'items') return depth > 0 ? [[keyword, trimmed(value, depth - 1)]] : [];
      if (Array.isArray(value) && keyword.endsWith('Of'))
        return depth > 0 ? [[keyword, value.slice(0, mostBranches).map((each) => trimmed(each, depth))]] : [];
      if (keyword === 'required') return depth > 0 ? [[keyword, value]] : [];
      return [[keyword, Array.isArray(value) ? value.slice(0, mostValues) : value]];
    }),
  );
}

/** The first words of a description. */
export const shortened = (description: string): string =>
  description.length <= longestDescription ? description : `${description.slice(0, longestDescription)}…`;
