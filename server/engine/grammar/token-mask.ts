/**
 * The seam for structure: what a sequence may say next, and what its text means. The engine knows no JSON and no schema;
 * it asks these, in this order at every step of a sequence:
 *
 *   run starts → `mask.allowed(left)` while the model runs → sample → `mask.accept(token)` → `parser.push(text)`
 *
 * structure/ implements them; a sequence without a plan says what it likes and its text is text.
 */
import type { GenerateParams } from '../chat/generation.ts';
import type { Vocabulary } from './vocabulary.ts';

/** One sequence's state. Everything is synchronous: it runs on the host's thread while the model runs on others. */
export interface TokenMask {
  /**
   * Tokens that may come next, as a bitset over the vocabulary: token `id` is bit `id & 31` of word `id >>> 5`. At least
   * one bit is set. End-of-text ids (`Vocabulary.endIds`) are among them exactly where the output may end. `null`: any.
   * Read before the next call of this mask only, so each may have one buffer.
   *
   * `left` is how many tokens may still be generated, this one included and the end-of-text token not counted: allow what
   * can be closed within them. Called once or more for a state; must not change it.
   */
  allowed(left: number): Uint32Array | null;
  /** The sequence goes on with `token`, one of those allowed. Not called for end-of-text tokens. */
  accept(token: number): void;
  /** Whether what was accepted is whole: at `maxTokens` the finish reason is `length` either way. */
  readonly complete: boolean;
}

export type OutputPart =
  | { kind: 'text'; text: string }
  | { kind: 'tool'; call: number; id: string; name: string }
  | { kind: 'arguments'; call: number; text: string };

/** Tells tool calls from text. Fed with whole characters, stop strings already taken out; may hold text back. */
export interface OutputParser {
  push(text: string): OutputPart[];
  /** Nothing follows: hands out what was held back. */
  end(): OutputPart[];
}

/** What one request asks of its output. Made once a request; masks and parsers once a choice. */
export interface OutputPlan {
  createMask(): TokenMask | null;
  createParser(): OutputParser | null;
  /** Control tokens whose text the parser must see (`[TOOL_CALLS]`); others are silent. */
  visibleTokens: readonly number[];
  /** Words for the system message where the chat template has no place for tools or for the format; null: none needed. */
  instructions: string | null;
  /** Tools the chat template is given; empty where `instructions` carry them or where none may be called. */
  templateTools: GenerateParams['tools'];
}

export interface PlanContext {
  vocabulary: Vocabulary;
  /** Source of the chat template, by which a model family is known; null: none. */
  template: string | null;
}

/**
 * What `format`, `tools`, `toolChoice` and `parallelToolCalls` ask for; null: nothing but text.
 * @throws EngineError invalid_value that names the keyword of a schema that cannot be honoured, before any work
 */
export type PlanOutput = (params: GenerateParams, context: PlanContext) => OutputPlan | null;
