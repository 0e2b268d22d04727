/**
 * JSON Schema (draft 2020-12, and draft 7's spellings) to formulas. A keyword that cannot be decided while a value is
 * written is refused here, by name, before anything is generated.
 */
import { Automaton } from '../regex/automaton.ts';
import { arrayKeywords, otherItems } from './array-keywords.ts';
import { type Compiling, type Schema, UnsupportedSchema } from './compiling.ts';
import { has, objectKeywords, otherProperties } from './object-keywords.ts';
import type { Start } from './objects.ts';
import { References, type Target, UnresolvedReference } from './references.ts';
import type { SchemaState, StateInterner } from './schema-state.ts';
import { type Evaluated, type EvaluationContext, unevaluated } from './unevaluated.ts';
import { valueKeywords } from './value-keywords.ts';

const deepest = 200;

export interface CompiledSchema {
  pool: StateInterner;
  start: SchemaState;
}

/** @throws UnsupportedSchema naming the keyword; also where no value at all can satisfy the schema */
export function compileSchema(schema: unknown, pool: StateInterner): CompiledSchema {
  const start = new Compiler(schema, pool).start();
  if (start === pool.never) throw new UnsupportedSchema('', 'no value can satisfy the schema');
  return { pool, start };
}

class Compiler {
  private readonly root: unknown;
  private readonly pool: StateInterner;
  private readonly compiled = new Map<string, SchemaState>();
  private readonly automata = new Map<string, Automaton>();
  /** Pointers whose formula is being made: a schema that refers to itself without a value between is refused. */
  private readonly open = new Set<string>();
  private readonly targets: References;
  private readonly isOld: boolean;
  private readonly shared: Compiling;

  constructor(root: unknown, pool: StateInterner) {
    this.root = root;
    this.pool = pool;
    this.isOld = /draft-0[3-7]/.test(String((root as Schema | null)?.$schema ?? ''));
    this.targets = new References(root, { refAlone: this.isOld });
    this.shared = {
      pool,
      formula: (schema, pointer) => this.formula(schema, pointer),
      later: (schema, pointer) => this.later(schema, pointer),
      automaton: (pattern, pointer) => this.automaton(pattern, pointer),
    };
  }

  /** Everything reachable is compiled at once, so that what is refused is refused now. */
  start(): SchemaState {
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

  private formula(schema: unknown, pointer: string): SchemaState {
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

  private keywords(schema: Schema, pointer: string): SchemaState[] {
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
      ...valueKeywords(schema, pointer, this.shared),
      ...objectKeywords(schema, pointer, this.shared),
      ...arrayKeywords(schema, pointer, this.shared),
      ...this.combinations(schema, pointer),
      ...this.unevaluated(schema, pointer),
    ];
  }

  private reference(schema: Schema, pointer: string): SchemaState[] {
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

  private unevaluated(schema: Schema, pointer: string): SchemaState[] {
    const { shared: compiling } = this;
    const around: EvaluationContext = {
      pool: this.pool,
      formula: compiling.formula,
      references: (part, place) => this.references(part, place),
      has: (name) => has(name, compiling),
    };
    const rules = {
      unevaluatedProperties: (evaluated: Evaluated) =>
        otherProperties(schema, pointer, { compiling, evaluated }),
      unevaluatedItems: (evaluated: Evaluated) => otherItems(schema, pointer, { compiling, evaluated }),
    };
    return Object.entries(rules).flatMap(([keyword, rest]) => {
      if (!(keyword in schema) || schema[keyword] === true) return [];
      const formula = unevaluated(schema, pointer, rest, around);
      if (formula) return [formula];
      const reason = `${keyword} depends on too many alternatives at once`;
      throw new UnsupportedSchema(`${pointer}/${keyword}`, reason);
    });
  }

  private combinations(schema: Schema, pointer: string): SchemaState[] {
    const { pool } = this;
    const each = (keyword: string) =>
      (schema[keyword] as unknown[]).map((part, index) =>
        this.formula(part, `${pointer}/${keyword}/${index}`),
      );
    const found: SchemaState[] = [];
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
