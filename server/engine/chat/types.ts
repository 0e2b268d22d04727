/** Messages between the chat service and an engine, item by item. No HTTP, no JSON of the wire. */
import type { ChatMessage, ReasoningEffort, Tool } from '../../api/services/chat.ts';

export type OutputFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | { type: 'json_schema'; schema: Record<string, unknown>; strict: boolean };

export type ToolChoice = { mode: 'none' | 'auto' | 'required' } | { mode: 'function'; name: string };

/** A text to go on with; with `suffix` the answer is what stands between the two. */
export interface RawPrompt {
  text: string;
  suffix: string | null;
}

/** A text as it is, or the prompt of a request. */
export type TokenizeParams = { text: string } | { request: GenerateParams };

export interface TokenizedText {
  tokens: number[];
  /** Positions of one sequence, prompt and answer together. */
  context: number;
  /** The text of each token, as far as it is whole characters; empty for a request's prompt. */
  pieces: string[];
}

export interface GenerateParams {
  messages: ChatMessage[];
  tools: Tool[];
  toolChoice: ToolChoice;
  parallelToolCalls: boolean;
  format: OutputFormat;
  /** Tokens to generate at most, each choice. */
  maxTokens: number;
  temperature: number;
  topP: number;
  /** 0: off. */
  topK: number;
  minP: number;
  presencePenalty: number;
  frequencyPenalty: number;
  logitBias: Record<string, number>;
  seed: number | null;
  stop: string[];
  choices: number;
  /** Alternatives to report for every token; null: no log probabilities. */
  topLogprobs: number | null;
  /** Absent: as the chat format has it by itself. */
  reasoningEffort?: ReasoningEffort;
  /** In place of the messages' prompt: a text without a chat format. */
  raw?: RawPrompt;
  /** Fair queueing is between these. */
  owner: string;
}

export interface TokenScore {
  token: string;
  logprob: number;
  bytes: number[] | null;
  top: { token: string; logprob: number; bytes: number[] | null }[];
}

/** `content_filter` is given by the server's guardrails alone. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** A format's thinking: begun by the prompt itself, or by the model's own `<think>`; it ends with `</think>`. */
export type Thinking = 'open' | 'tagged';

export type GenerateEvent =
  /** First of all, once. `schema`: how the prompt tells of the schema or the tools, where it had no room for all of it. */
  | { kind: 'prompt'; tokens: number; schema?: 'outline' | 'none'; thinking?: Thinking }
  | { kind: 'text'; choice: number; text: string; scores?: TokenScore[] }
  /** A tool call begins; its arguments follow in fragments. `call` counts from 0 within the choice. */
  | { kind: 'tool'; choice: number; call: number; id: string; name: string }
  | { kind: 'arguments'; choice: number; call: number; text: string }
  /** Last of a choice; `tokens` it generated; `stop`: the string that ended it, where one did. */
  | { kind: 'finish'; choice: number; reason: FinishReason; tokens: number; stop?: string }
  /** Of engines that learn it at the end: in place of all that was counted so far. */
  | { kind: 'usage'; promptTokens: number; completionTokens: number; estimated: boolean };
