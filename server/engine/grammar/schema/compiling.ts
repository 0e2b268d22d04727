/** Shared by the families of keywords while a schema is compiled (compile.ts). */
import type { Automaton } from '../regex/automaton.ts';
import type { SchemaState, StateInterner } from './schema-state.ts';
import type { Start } from './states/objects.ts';

export type Schema = Record<string, unknown>;

export class UnsupportedSchema extends Error {
  /** JSON pointer to the keyword. */
  readonly pointer: string;
  constructor(pointer: string, message: string) {
    super(message);
    this.name = 'UnsupportedSchema';
    this.pointer = pointer;
  }
}

export interface Compiling {
  pool: StateInterner;
  /** Goes before a pointer where it names states: schemas of one interner have pointers in common. */
  scope: string;
  /** Of a schema on the same value, now. */
  formula(schema: unknown, pointer: string): SchemaState;
  /** Of a part of the value: asked for when the part begins, so that schemas may hold themselves. */
  later(schema: unknown, pointer: string): Start;
  /** @throws UnsupportedSchema */
  automaton(pattern: string, pointer: string): Automaton;
}

/** A keyword's limit, where it is one. */
export const count = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && value >= 0 ? Math.ceil(value) : otherwise;
