/**
 * JSON Schema (draft 2020-12, and draft 7's spellings) to formulas. A keyword that cannot be decided while a value is
 * written is refused here, by name, before anything is generated.
 */
import { jsonAcceptor } from '../json.ts';
import { Automaton } from '../regex/automaton.ts';
import { ShortestCompletions } from '../shortest-completion.ts';
import { WorkBudget, WorkExceeded } from '../work-budget.ts';
import { arrayKeywords, otherItems } from './array-keywords.ts';
import { type Compiling, type Schema, UnsupportedSchema } from './compiling.ts';
import { has, objectKeywords, otherProperties } from './object-keywords.ts';
import { References, type Target, UnresolvedReference } from './references.ts';
import { costlyPlace, type Judge, unsatisfiablePlace } from './refusal.ts';
import { type SchemaState, StateInterner } from './schema-state.ts';
import type { Start } from './states/objects.ts';
import { type Evaluated, type EvaluationContext, unevaluated } from './unevaluated.ts';
import { valueKeywords } from './value-keywords.ts';

const deepest = 200;

export interface CompiledSchema {
  pool: StateInterner;
  start: SchemaState;
}

/** A schema's own words are not worth more: of what is asked while a refusal is explained. */
const explainingWork = 100_000;
/** A subschema, before its keywords. */
const schemaWork = 20;

/**
 * The state a schema's value begins in. What can never be, such as an optional property that no value satisfies, is left out.
 * @param scope names the schema among those of one interner
 * @throws UnsupportedSchema naming the keyword that is not supported, that leaves no value, or that takes more work than the
 * interner's budget has left
 */
export function compileSchema(schema: unknown, pool: StateInterner, scope = ''): CompiledSchema {
  const compiler = new Compiler(schema, pool, scope);
  try {
    const start = compiler.start();
    if (compiler.isSatisfiable('')) return { pool, start };
    throw new UnsupportedSchema(unsatisfiablePlace(compiler), 'no value can satisfy the schema with it');
  } catch (error) {
    // The stack ends where references nest too deep.
    if (!(error instanceof WorkExceeded || error instanceof RangeError)) throw error;
    throw new UnsupportedSchema(costlyPlace(schema, ''), 'the schema is too complex here');
  }
}

class Compiler implements Judge {
  private readonly root: unknown;
  private readonly pool: StateInterner;
  private readonly compiled = new Map<string, SchemaState>();
  private readonly completions = new ShortestCompletions();
  /** By id of a state that a value begins in. */
  private readonly judged = new Map<number, boolean>();
  /** Pointers whose formula is being made: a schema that refers to itself without a value between is refused. */
  private readonly open = new Set<string>();
  private readonly targets: References;
  private readonly isOld: boolean;
  private readonly shared: Compiling;

  constructor(root: unknown, pool: StateInterner, scope: string) {
    this.root = root;
    this.pool = pool;
    this.isOld = /draft-0[3-7]/.test(String((root as Schema | null)?.$schema ?? ''));
    this.targets = new References(root, { refAlone: this.isOld });
    this.shared = {
      pool,
      scope,
      formula: (schema, pointer) => this.formula(schema, pointer),
      later: (schema, pointer) => this.later(schema, pointer),
      automaton: (pattern, pointer) => this.automaton(pattern, pointer),
    };
  }

  /** Everything reachable is compiled at once, so that what is refused is refused now. */
  start(): SchemaState {
    const start = this.formula(this.root, '');
    const parts: SchemaState[] = [];
    for (let pending = this.pending.pop(); pending; pending = this.pending.pop())
      parts.push(this.formula(pending.schema, pending.pointer));
    // Inner parts first: judging one asks for those inside it.
    for (const part of parts.reverse()) this.isPossible(part);
    return start;
  }

  /** Some value takes the state to its end. One that is being judged is taken to be possible: its own search will tell. */
  private isPossible(state: SchemaState): boolean {
    let possible = this.judged.get(state.id);
    if (possible === undefined) {
      this.judged.set(state.id, true);
      possible = state !== this.pool.never && this.completions.isLive(jsonAcceptor(this.pool, state));
      this.judged.set(state.id, possible);
    }
    return possible;
  }

  at(pointer: string): unknown {
    return this.targets.at(pointer).schema;
  }

  references(pointer: string): string[] {
    return this.targetsOf((this.at(pointer) ?? {}) as Schema, pointer).map((target) => target.pointer);
  }

  isSatisfiable(pointer: string): boolean {
    return this.isPossible(this.formula(this.at(pointer), pointer));
  }

  isSatisfiableWithout(pointer: string, keyword: string): boolean {
    const root: unknown = structuredClone(this.root);
    const place = new References(root, { refAlone: this.isOld }).at(pointer).schema as Schema;
    delete place[keyword];
    const pool = new StateInterner(new WorkBudget(explainingWork));
    try {
      const compiler = new Compiler(root, pool, '');
      compiler.start();
      return compiler.isSatisfiable(pointer);
    } catch {
      return false;
    }
  }

  private readonly pending: { schema: unknown; pointer: string }[] = [];

  private later(schema: unknown, pointer: string): Start {
    if (!this.compiled.has(pointer)) this.pending.push({ schema, pointer });
    return () => {
      const state = this.formula(schema, pointer);
      return this.isPossible(state) ? state : this.pool.never;
    };
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
    this.pool.budget.spend(schemaWork);
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
    return this.targetsOf(schema, pointer).map((target) => this.formula(target.schema, target.pointer));
  }

  private targetsOf(schema: Schema, pointer: string): Target[] {
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
    const { automata, budget } = this.pool;
    let automaton = automata.get(pattern);
    if (!automaton) {
      try {
        automaton = new Automaton(pattern);
      } catch (error) {
        throw new UnsupportedSchema(pointer, (error as Error).message);
      }
      budget.spend(automaton.size);
      automata.set(pattern, automaton);
    }
    return automaton;
  }

  private unevaluated(schema: Schema, pointer: string): SchemaState[] {
    const { shared: compiling } = this;
    const around: EvaluationContext = {
      pool: this.pool,
      formula: compiling.formula,
      references: (part, place) => this.targetsOf(part, place),
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
