/**
 * The prompt of a request, in the fullest of its wordings that the context has room for. Its length is judged before it is
 * tokenized whole, piece by piece, and other requests are heard in between.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EngineError } from '../engine.ts';
import type { OutputDescription, SchemaWording, Wording } from './output/compiled-output.ts';
import type { PromptTemplate } from './text/prompt.ts';
import { encodeRawPrompt } from './text/raw-prompt.ts';
import type { ChatTokenizer } from './text/tokenizer.ts';
import type { GenerateParams, RawPrompt } from './types.ts';

export interface PromptModel {
  tokenizer: ChatTokenizer;
  template: PromptTemplate;
  /** Positions of one sequence, prompt and answer together. */
  positions: number;
  /** Positions of requests that are answered by reading, where these are more. */
  context?: number;
}

export interface FittedPrompt {
  tokens: number[];
  /** The wording of the request's schema or tools; null: there are none. */
  schema: SchemaWording | null;
}

/** Characters tokenized at a time: some tens of milliseconds. */
const pieceLength = 16_384;
/** Of the context, what a full wording leaves to the answer at least. */
const answerShare = 0.25;

/** @throws EngineError context_length_exceeded, invalid_value; the reason of `signal` once it is aborted */
export async function fitPrompt(
  parts: PromptModel,
  params: GenerateParams,
  { output, signal }: { output: OutputDescription | null; signal: AbortSignal },
): Promise<FittedPrompt> {
  checkSize(parts, params);
  if (params.raw) return { tokens: fitRaw(parts, params.raw), schema: null };
  const tools = params.toolChoice.mode === 'none' ? [] : params.tools;
  const plain: Wording = { schema: null, instructions: null, templateTools: tools };
  const wordings = output?.wordings ?? [() => plain];
  const room = parts.positions - Math.min(params.maxTokens, Math.floor(parts.positions * answerShare));
  for (const [index, make] of wordings.entries()) {
    const wording = make();
    const isLast = index === wordings.length - 1;
    const tokens = await encodeWithin(parts, render(parts, params, wording), {
      most: isLast ? parts.positions - 1 : room,
      signal,
    });
    if (tokens?.length === 0)
      throw new EngineError(
        'invalid_value',
        'The messages hold nothing that the model can read.',
        'messages',
      );
    if (tokens) return { tokens, schema: wording.schema };
  }
  throw tooLong(parts.positions, parts);
}

function fitRaw(parts: PromptModel, raw: RawPrompt): number[] {
  const tokens = encodeRawPrompt(parts.tokenizer, raw);
  if (tokens.length >= parts.positions) throw tooLong(tokens.length, parts);
  if (tokens.length > 0) return tokens;
  throw new EngineError('invalid_value', 'The prompt holds nothing that the model can read.', 'messages');
}

/** No token is longer than the longest: more text than so many of them hold is refused unread. */
function checkSize(parts: PromptModel, { messages }: GenerateParams): void {
  let length = 0;
  for (const { content } of messages)
    for (const part of typeof content === 'string' ? [content] : (content ?? []).map(({ text }) => text))
      length += part.length;
  const least = Math.ceil(length / parts.tokenizer.vocabulary.longest);
  if (least > parts.positions) throw tooLong(least, parts);
}

function tooLong(least: number, { context, positions }: PromptModel): EngineError {
  const sizes = `The messages take ${least} tokens or more; the model has a context of ${positions}, answer included.`;
  const reading =
    context !== undefined && context > positions
      ? ` It takes up to ${context} where it answers a question from a text that comes with it.`
      : '';
  return new EngineError('context_length_exceeded', sizes + reading, 'messages');
}

const render = (
  { template, tokenizer }: PromptModel,
  { format, messages, reasoningEffort: effort }: GenerateParams,
  { instructions, templateTools }: Wording,
): string =>
  template.render({
    messages,
    tools: templateTools,
    instructions,
    controlPieces: tokenizer.vocabulary.controlPieces(),
    // A form has no room for thinking before it.
    reasoningEffort: effort && format.type !== 'text' ? 'none' : effort,
  });

/** The tokens of a text; null where there are more than `most`. Pieces have about as many: one more or less at each border. */
async function encodeWithin(
  { tokenizer }: PromptModel,
  text: string,
  { most, signal }: { most: number; signal: AbortSignal },
): Promise<number[] | null> {
  let count = 0;
  for (let from = 0; text.length > pieceLength && from < text.length; from += pieceLength) {
    count += tokenizer.encode(text.slice(from, from + pieceLength)).length - 2;
    if (count > most) return null;
    await nextTurn();
    signal.throwIfAborted();
  }
  const tokens = tokenizer.encode(text);
  return tokens.length > most ? null : tokens;
}
