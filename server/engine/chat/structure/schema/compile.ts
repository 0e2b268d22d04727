/**
 * JSON Schema (draft 2020-12, and draft 7's spellings) to formulas. A keyword that cannot be decided while a value is
 * written is refused here, by name, before anything is generated.
 */
import { Automaton } from '../regex/automaton.ts';
import { arrayAssertion } from './arrays.ts';
import { formatPatterns } from './formats.ts';
import type { Formula, Pool, ValueKind } from './formula.ts';
import { type KeyRules, keysAssertion, objectAssertion, type Start } from './objects.ts';
import { escapePointer, References, type Target, UnresolvedReference } from './references.ts';
import { numberAssertion, stringAssertion, typeAssertion } from './scalars.ts';
import { type Evaluated, type Surroundings, unevaluated } from './unevaluated.ts';

type Schema = Record<string, unknown>;

export class UnsupportedSchema extends Error {
  /** JSON pointer to the keyword. */
  readonly pointer: string;
  constructor(pointer: string, message: string) {
    super(message);
    this.name = 'UnsupportedSchema';
    this.pointer = pointer;
  }
}

const deepest = 200;

export interface CompiledSchema {
  pool: Pool;
  start: Formula;
}

/** @throws UnsupportedSchema naming the keyword; also where no value at all can satisfy the schema */
export function compileSchema(schema: unknown, pool: Pool): CompiledSchema {
  const start = new Compiler(schema, pool).start();
  if (start === pool.never) throw new UnsupportedSchema('', 'no value can satisfy the schema');
  return { pool, start };
}

class Compiler {
  private readonly root: unknown;
  private readonly pool: Pool;
  private readonly compiled = new Map<string, Formula>();
  private readonly automata = new Map<string, Automaton>();
  /** Pointers whose formula is being made: a schema that refers to itself without a value between is refused. */
  private readonly open = new Set<string>();
  private readonly targets: References;
  private readonly isOld: boolean;

  constructor(root: unknown, pool: Pool) {
    this.root = root;
    this.pool = pool;
    this.isOld = /draft-0[3-7]/.test(String((root as Schema | null)?.$schema ?? ''));
    this.targets = new References(root, { refAlone: this.isOld });
  }

  /** Everything reachable is compiled at once, so that what is refused is refused now. */
  start(): Formula {
    const start = this.formula(this.root, '');
    for (let pending = this.pending.pop(); pending; pending = this.pending.pop())
      this.formula(pending.schema, pending.pointer);
    return start;
  }

  private readonly pending: { schema: unknown; pointer: string }[] = [];

  private later(schema: unknown, pointer: string): Start {
    if (!this.compiled.has(pointer)) this.pending.push({ schema, pointer });
    return () => this.formula(schema, pointer);
  }

  private formula(schema: unknown, pointer: string): Formula {
    const known = this.compiled.get(pointer);
    if (known) return known;
    if (schema === true || schema === undefined) return this.pool.always;
    if (schema === false) return this.pool.never;
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
      throw new UnsupportedSchema(pointer, 'a schema is an object or a boolean');
    }
    if (this.open.has(pointer) || this.open.size > deepest)
      throw new UnsupportedSchema(pointer, 'the schema refers to itself without end');
    this.open.add(pointer);
    const formula = this.pool.and(this.keywords(schema as Schema, pointer));
    this.open.delete(pointer);
    this.compiled.set(pointer, formula);
    return formula;
  }

  private keywords(schema: Schema, pointer: string): Formula[] {
    // Draft 2019-09's name for what 2020-12 replaced.
    if ('$recursiveRef' in schema)
      throw new UnsupportedSchema(
        `${pointer}/$recursiveRef`,
        '$recursiveRef is not followed; use $dynamicRef',
      );
    // Before 2019-09 a $ref stood alone, whatever lay beside it.
    if (this.isOld && '$ref' in schema) return this.reference(schema, pointer);
    return [
      ...this.reference(schema, pointer),
      ...this.types(schema, pointer),
      ...this.constants(schema, pointer),
      ...this.strings(schema, pointer),
      ...this.numbers(schema),
      ...this.objects(schema, pointer),
      ...this.arrays(schema, pointer),
      ...this.combinations(schema, pointer),
      ...this.unevaluated(schema, pointer),
    ];
  }

  private reference(schema: Schema, pointer: string): Formula[] {
    return this.references(schema, pointer).map((target) => this.formula(target.schema, target.pointer));
  }

  private references(schema: Schema, pointer: string): Target[] {
    const found: Target[] = [];
    for (const keyword of ['$ref', '$dynamicRef'] as const) {
      const ref = schema[keyword];
      if (typeof ref !== 'string') continue;
      try {
        const isDynamic = keyword === '$dynamicRef';
        found.push(
          isDynamic ? this.targets.resolveDynamic(ref, pointer) : this.targets.resolve(ref, pointer),
        );
      } catch (error) {
        if (!(error instanceof UnresolvedReference)) throw error;
        throw new UnsupportedSchema(`${pointer}/${keyword}`, `${keyword} ${error.message}`);
      }
    }
    return found;
  }

  private types(schema: Schema, pointer: string): Formula[] {
    if (schema.type === undefined) return [];
    const names = [schema.type].flat().map(String);
    const kinds = new Set<ValueKind>();
    for (const name of names) {
      const found = kindsOf[name];
      if (!found)
        throw new UnsupportedSchema(
          `${pointer}/type`,
          `there is no type ${JSON.stringify(name.slice(0, 40))}`,
        );
      for (const kind of found) kinds.add(kind);
    }
    const wholeOnly = names.includes('integer') && !names.includes('number');
    return kinds.size === allKinds && !wholeOnly
      ? []
      : [this.pool.assertion(typeAssertion(kinds, wholeOnly))];
  }

  private constants(schema: Schema, pointer: string): Formula[] {
    const found: Formula[] = [];
    if ('const' in schema) found.push(this.constant(schema.const, `${pointer}/const`));
    if (Array.isArray(schema.enum)) {
      found.push(
        this.pool.or(schema.enum.map((value, index) => this.constant(value, `${pointer}/enum/${index}`))),
      );
    }
    return found;
  }

  /** A constant is a schema too: this very text, this very number, these very parts. */
  private constant(value: unknown, pointer: string): Formula {
    if (typeof value === 'string')
      return this.formula({ type: 'string', pattern: `^${escapePattern(value)}$` }, `${pointer}#`);
    if (typeof value === 'number')
      return this.formula({ type: 'number', minimum: value, maximum: value }, `${pointer}#`);
    if (value === null || typeof value === 'boolean') {
      const kind = String(value) as ValueKind;
      return this.pool.assertion(typeAssertion(new Set([kind]), false));
    }
    if (Array.isArray(value)) {
      const items = value.map((item) => ({ const: item as unknown }));
      return this.formula(
        { type: 'array', prefixItems: items, items: false, minItems: items.length },
        `${pointer}#`,
      );
    }
    const properties = Object.fromEntries(
      Object.entries(value as Schema).map(([name, part]) => [name, { const: part }]),
    );
    return this.formula(
      { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
      `${pointer}#`,
    );
  }

  private strings(schema: Schema, pointer: string): Formula[] {
    const patterns: [keyword: string, pattern: string][] = [];
    if (typeof schema.pattern === 'string') patterns.push(['pattern', schema.pattern]);
    const format = typeof schema.format === 'string' ? formatPatterns[schema.format] : undefined;
    if (format) patterns.push(['format', format]);
    const least = count(schema.minLength, 0);
    const most = count(schema.maxLength, Number.POSITIVE_INFINITY);
    if (patterns.length === 0) {
      if (least === 0 && most === Number.POSITIVE_INFINITY) return [];
      return [this.pool.assertion(stringAssertion({ least, most, automaton: null, name: '' }))];
    }
    return patterns.map(([keyword, pattern]) =>
      this.pool.assertion(
        stringAssertion({
          least,
          most,
          automaton: this.automaton(pattern, `${pointer}/${keyword}`),
          name: JSON.stringify(pattern),
        }),
      ),
    );
  }

  private automaton(pattern: string, pointer: string): Automaton {
    let automaton = this.automata.get(pattern);
    if (!automaton) {
      try {
        automaton = new Automaton(pattern);
      } catch (error) {
        throw new UnsupportedSchema(pointer, (error as Error).message);
      }
      this.automata.set(pattern, automaton);
    }
    return automaton;
  }

  private numbers(schema: Schema): Formula[] {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
    const bounds = [minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf];
    if (!bounds.some((bound) => typeof bound === 'number')) return [];
    const low = [minimum, exclusiveMinimum].filter((bound) => typeof bound === 'number');
    const high = [maximum, exclusiveMaximum].filter((bound) => typeof bound === 'number');
    const least = Math.max(...low);
    const most = Math.min(...high);
    return [
      this.pool.assertion(
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

  private objects(schema: Schema, pointer: string): Formula[] {
    const found: Formula[] = [];
    const named = (schema.properties ?? {}) as Schema;
    const patterned = (schema.patternProperties ?? {}) as Schema;
    const hasRules = ['properties', 'patternProperties', 'additionalProperties', 'propertyNames'].some(
      (keyword) => keyword in schema,
    );
    if (hasRules) {
      const additional = schema.additionalProperties;
      found.push(
        this.pool.assertion(
          objectAssertion({
            name: pointer,
            // What can never be is not a property one may begin to write.
            properties: new Map(
              Object.entries(named)
                .filter(([, part]) => part !== false)
                .map(([name, part]) => [
                  name,
                  this.later(part, `${pointer}/properties/${escapePointer(name)}`),
                ]),
            ),
            patterns: Object.entries(patterned).map(([pattern, part]) => ({
              automaton: this.automaton(pattern, `${pointer}/patternProperties`),
              start: this.later(part, `${pointer}/patternProperties/${escapePointer(pattern)}`),
            })),
            additional:
              additional === false ? null : this.later(additional ?? true, `${pointer}/additionalProperties`),
            propertyNames:
              'propertyNames' in schema ? this.later(schema.propertyNames, `${pointer}/propertyNames`) : null,
          }),
        ),
      );
      for (const [name, part] of Object.entries(named)) if (part === false) found.push(this.absent(name));
    }
    found.push(...this.keys(schema), ...this.dependencies(schema, pointer));
    return found;
  }

  private keys(schema: Schema): Formula[] {
    const required = Array.isArray(schema.required) ? [...new Set(schema.required.map(String))].sort() : [];
    const least = count(schema.minProperties, 0);
    const most = count(schema.maxProperties, Number.POSITIVE_INFINITY);
    if (required.length === 0 && least === 0 && most === Number.POSITIVE_INFINITY) return [];
    return [this.keysOf({ required, least, most })];
  }

  private keysOf(rules: KeyRules): Formula {
    for (const name of rules.required) this.pool.names.add(name);
    return this.pool.assertion(keysAssertion(rules));
  }

  private has(name: string): Formula {
    const { pool } = this;
    return pool.and([
      pool.assertion(typeAssertion(new Set(['object']), false)),
      this.keysOf({ required: [name], least: 0, most: Number.POSITIVE_INFINITY }),
    ]);
  }

  private absent(name: string): Formula {
    return this.pool.not(this.has(name));
  }

  private dependencies(schema: Schema, pointer: string): Formula[] {
    const found: Formula[] = [];
    for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
      for (const [name, then] of Object.entries((schema[keyword] ?? {}) as Schema)) {
        const rule = Array.isArray(then) ? { required: then as unknown } : then;
        found.push(
          this.pool.or([
            this.absent(name),
            this.formula(rule, `${pointer}/${keyword}/${escapePointer(name)}`),
          ]),
        );
      }
    }
    return found;
  }

  private arrays(schema: Schema, pointer: string): Formula[] {
    const keywords = [
      'prefixItems',
      'items',
      'additionalItems',
      'contains',
      'minItems',
      'maxItems',
      'uniqueItems',
    ];
    if (!keywords.some((keyword) => keyword in schema)) return [];
    // Draft 7 wrote prefixItems as an array of `items`, and what follows as `additionalItems`.
    const isOld = Array.isArray(schema.items);
    const prefix = ((isOld ? schema.items : schema.prefixItems) ?? []) as unknown[];
    const rest = isOld ? schema.additionalItems : schema.items;
    const prefixPointer = `${pointer}/${isOld ? 'items' : 'prefixItems'}`;
    const contains = 'contains' in schema ? this.later(schema.contains, `${pointer}/contains`) : null;
    return [
      this.pool.assertion(
        arrayAssertion({
          name: pointer,
          prefix: prefix.map((part, index) => this.later(part, `${prefixPointer}/${index}`)),
          items:
            rest === false
              ? null
              : this.later(rest ?? true, `${pointer}/${isOld ? 'additionalItems' : 'items'}`),
          contains,
          containsLeast: count(schema.minContains, 1),
          containsMost: count(schema.maxContains, Number.POSITIVE_INFINITY),
          least: count(schema.minItems, 0),
          most: count(schema.maxItems, Number.POSITIVE_INFINITY),
          unique: schema.uniqueItems === true,
          choices: schema.uniqueItems === true ? this.choices(rest, `${pointer}/items`) : null,
        }),
      ),
    ];
  }

  /** Scalars that an item can be, where a schema lists them. */
  private choices(items: unknown, pointer: string): Map<string, Start> | null {
    const { enum: listed, type } = (items ?? {}) as Schema;
    const values = Array.isArray(listed) ? listed : type === 'boolean' ? [true, false] : null;
    if (!values || values.some((value) => typeof value === 'object' && value !== null)) return null;
    return new Map(
      values.map((value, index) => {
        const both = { allOf: [items, { const: value as unknown }] };
        return [JSON.stringify(value), this.later(both, `${pointer}#${index}`)];
      }),
    );
  }

  private unevaluated(schema: Schema, pointer: string): Formula[] {
    const around: Surroundings = {
      pool: this.pool,
      formula: (part, place) => this.formula(part, place),
      references: (part, place) => this.references(part, place),
      has: (name) => this.has(name),
    };
    const rules = {
      unevaluatedProperties: (evaluated: Evaluated) => this.otherProperties(schema, pointer, evaluated),
      unevaluatedItems: (evaluated: Evaluated) => this.otherItems(schema, pointer, evaluated),
    };
    return Object.entries(rules).flatMap(([keyword, rest]) => {
      if (!(keyword in schema) || schema[keyword] === true) return [];
      const formula = unevaluated(schema, pointer, rest, around);
      if (formula) return [formula];
      const reason = `${keyword} depends on too many alternatives at once`;
      throw new UnsupportedSchema(`${pointer}/${keyword}`, reason);
    });
  }

  private otherProperties(schema: Schema, pointer: string, evaluated: Evaluated): Formula {
    if (evaluated.allProperties) return this.pool.always;
    const place = `${pointer}/unevaluatedProperties`;
    const { names, patterns } = evaluated;
    const rule = schema.unevaluatedProperties;
    return this.pool.assertion(
      objectAssertion({
        name: `${place} ${JSON.stringify([[...names].sort(), [...patterns].sort()])}`,
        properties: new Map([...names].map((name) => [name, () => this.pool.always])),
        patterns: [...patterns].map((pattern) => ({
          automaton: this.automaton(pattern, place),
          start: () => this.pool.always,
        })),
        additional: rule === false ? null : this.later(rule, place),
        propertyNames: null,
      }),
    );
  }

  private otherItems(schema: Schema, pointer: string, evaluated: Evaluated): Formula {
    if (evaluated.allItems) return this.pool.always;
    const place = `${pointer}/unevaluatedItems`;
    const { contains, prefix } = evaluated;
    const options = [{ schema: schema.unevaluatedItems, pointer: place }, ...contains].map((option) =>
      this.later(option.schema, option.pointer),
    );
    const closed = schema.unevaluatedItems === false && contains.length === 0;
    return this.pool.assertion(
      arrayAssertion({
        ...plainArray,
        name: `${place} ${prefix} ${contains.map((each) => each.pointer)}`,
        prefix: Array.from({ length: prefix }, () => () => this.pool.always),
        items: closed ? null : () => this.pool.or(options.map((start) => start())),
      }),
    );
  }

  private combinations(schema: Schema, pointer: string): Formula[] {
    const { pool } = this;
    const each = (keyword: string) =>
      (schema[keyword] as unknown[]).map((part, index) =>
        this.formula(part, `${pointer}/${keyword}/${index}`),
      );
    const found: Formula[] = [];
    if (Array.isArray(schema.allOf)) found.push(...each('allOf'));
    if (Array.isArray(schema.anyOf)) found.push(pool.or(each('anyOf')));
    if (Array.isArray(schema.oneOf)) found.push(pool.one(each('oneOf')));
    if ('not' in schema) found.push(pool.not(this.formula(schema.not, `${pointer}/not`)));
    if ('if' in schema) {
      const condition = this.formula(schema.if, `${pointer}/if`);
      found.push(pool.or([pool.not(condition), this.formula(schema.then ?? true, `${pointer}/then`)]));
      found.push(pool.or([condition, this.formula(schema.else ?? true, `${pointer}/else`)]));
    }
    return found;
  }
}

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

const count = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && value >= 0 ? Math.ceil(value) : otherwise;
const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

const plainArray = {
  contains: null,
  containsLeast: 0,
  containsMost: Number.POSITIVE_INFINITY,
  least: 0,
  most: Number.POSITIVE_INFINITY,
  unique: false,
  choices: null,
};
