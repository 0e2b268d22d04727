/**
 * One request's format and tools as masks for its tokens and parsers for its text, which the engine asks without
 * knowing of JSON or schemas. A sequence without them says what it likes, and its text is text.
 */
import type { TokenMask } from '../../grammar/token-mask.ts';
import type { Vocabulary } from '../../grammar/vocabulary.ts';
import type { GenerateParams } from '../types.ts';

export type OutputPart =
  | { kind: 'text'; text: string }
  | { kind: 'tool'; call: number; id: string; name: string }
  | { kind: 'arguments'; call: number; text: string };

/** Tells tool calls from text. Fed with whole characters, stop strings already taken out; may hold text back. */
export interface OutputParser {
  push(text: string): OutputPart[];
  /** Nothing follows: hands out what was held back. */
  end(): OutputPart[];
  /** In the middle of a call. */
  readonly isInCall: boolean;
}

/** The part of a request that says what form its answer has. */
export type OutputRequest = Pick<GenerateParams, 'format' | 'tools' | 'toolChoice' | 'parallelToolCalls'>;

/** Made once a request; parsers once a choice. */
export interface OutputDescription {
  createParser(): OutputParser | null;
  /** JSON, or calls that must be made: what a stop string cuts is not whole, and ends with `length`. */
  isStructured: boolean;
  /** Control tokens whose text the parser must see (`[TOOL_CALLS]`); others are silent. */
  visibleTokens: readonly number[];
  /** Ways to tell of the schema or the tools in the prompt, the fullest first: the first that leaves room is taken. */
  wordings: readonly (() => Wording)[];
}

/** With the masks, of which there is one a choice. */
export interface CompiledOutput extends OutputDescription {
  createMask(): TokenMask;
}

/** The schema as it is; names, types and lists of values alone; not at all. The mask keeps to all of it in any case. */
export type SchemaWording = 'full' | 'outline' | 'none';

export interface Wording {
  schema: SchemaWording | null;
  /** Words for the system message where the chat template has no place for tools or for the format; null: none needed. */
  instructions: string | null;
  /** Tools the chat template is given; empty where `instructions` carry them or where none may be called. */
  templateTools: GenerateParams['tools'];
}

export interface OutputContext {
  vocabulary: Vocabulary;
  /** Source of the chat template, by which a model family is known; null: none. */
  template: string | null;
}
