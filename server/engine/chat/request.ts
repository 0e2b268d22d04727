/** One request, from its messages to its events: prompt, choices, and their end. */

import { randomInt } from 'node:crypto';
import { EventQueue } from './event-queue.ts';
import { fitPrompt } from './fit-prompt.ts';
import type { Generator } from './generator.ts';
import { describeOutput } from './output/compile-output.ts';
import type { OutputDescription } from './output/compiled-output.ts';
import type { MaskThreads } from './output/mask-threads.ts';
import type { RequestMasks, SequenceMasks } from './output/masks.ts';
import { toolCallFormatOf, writeCalls } from './output/tool-formats.ts';
import { answerByReading } from './reader/answer.ts';
import type { OpenReading } from './reader/open-reading.ts';
import { messageText } from './reader/split.ts';
import type { LogProbabilities } from './sampling/log-probabilities.ts';
import { Sequence, type TokenListener } from './schedule/sequence.ts';
import { ChoiceOutput } from './text/choice-output.ts';
import type { PromptTemplate } from './text/prompt.ts';
import { Repetition } from './text/repetition.ts';
import type { ChatTokenizer } from './text/tokenizer.ts';
import type { GenerateEvent, GenerateParams, Thinking } from './types.ts';

export interface RequestParts {
  generator: Pick<Generator, 'add' | 'cancel'>;
  tokenizer: ChatTokenizer;
  template: PromptTemplate;
  /** Source of the chat template. */
  templateSource: string | null;
  maskThreads: Pick<MaskThreads, 'compile'>;
  /** Of packs that answer by reading where they can. */
  reading: OpenReading | null;
  /** Positions of one sequence, prompt and answer together. */
  positions: number;
  /** The same of answers by reading, which need none of the decoder's; `positions` where there are none. */
  context: number;
}

/**
 * @throws EngineError before any work: context_length_exceeded, invalid_value
 */
export async function* generate(
  parts: RequestParts,
  params: GenerateParams,
  signal: AbortSignal,
): AsyncGenerator<GenerateEvent> {
  signal.throwIfAborted();
  const { masks, output } = await prepareOutput(parts, params, signal);
  try {
    yield* generateMasked({ parts, params, masks, output }, signal);
  } finally {
    masks?.close();
  }
}

/** @throws EngineError invalid_value that names the keyword of a schema that cannot be honoured */
export async function prepareOutput(
  { maskThreads, templateSource, tokenizer }: RequestParts,
  params: GenerateParams,
  signal: AbortSignal,
): Promise<Pick<Setup, 'masks' | 'output'>> {
  const output = describeOutput(params, { vocabulary: tokenizer.vocabulary, template: templateSource });
  if (!output) return { masks: null, output };
  const { format, owner, parallelToolCalls, toolChoice, tools } = params;
  const request = { format, parallelToolCalls, toolChoice, tools };
  return { masks: await maskThreads.compile(request, { owner, signal }), output };
}

async function* generateMasked(
  { parts, params, masks, output }: Omit<Setup, 'prompt' | 'events' | 'isGuarded'>,
  signal: AbortSignal,
): AsyncGenerator<GenerateEvent> {
  const dictated = await readTokens({ parts, params, masks }, signal);
  const roomy = dictated ? { ...parts, positions: parts.context } : parts;
  const { schema, tokens: prompt } = await fitPrompt(roomy, params, { output, signal });
  const events = new EventQueue<GenerateEvent>();
  // Packs that bring a reader have a small decoder beside it, which does not find out of a loop by itself.
  const isGuarded = parts.reading !== null && !dictated && !masks && !params.raw;
  const sequences = createSequences({ parts: roomy, params, masks, output, prompt, events, isGuarded });
  const stop = () => events.end();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (const sequence of sequences) {
      if (dictated) dictate(sequence, dictated);
      else parts.generator.add(sequence);
    }
    const thinking = thinkingOf(parts, params, prompt);
    yield {
      kind: 'prompt',
      tokens: prompt.length,
      ...(schema && schema !== 'full' ? { schema } : {}),
      ...(thinking ? { thinking } : {}),
    };
    yield* events;
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', stop);
    for (const sequence of sequences) parts.generator.cancel(sequence);
  }
}

/** The answer of the pack's reader as tokens; null: the decoder is asked. */
async function readTokens(
  { masks, params, parts }: Pick<Setup, 'masks' | 'params' | 'parts'>,
  signal: AbortSignal,
): Promise<number[] | null> {
  const { reading, templateSource, tokenizer } = parts;
  const wantsScores = params.topLogprobs !== null || Object.keys(params.logitBias).length > 0;
  if (!reading || params.raw || wantsScores || isTooLong(params)) return null;
  const answer = await answerByReading(params, { ...reading, signal });
  if (!answer) return null;
  const calls = toolCallFormatOf(templateSource);
  const text = answer.calls.length > 0 ? writeCalls(calls, answer.calls) : answer.text;
  const tokens = tokenizer.encode(text);
  return masks && !(await allows(masks.open(), tokens, tokenizer.vocabulary.endIds)) ? null : tokens;
}

/** Characters of a text that is read: about as many as fit `readingContext` tokens. */
const longestRead = 100_000;

const isTooLong = ({ messages }: GenerateParams): boolean =>
  messages.reduce((sum, { content }) => sum + messageText({ content }).length, 0) > longestRead;

/** True where `tokens` are a whole answer under the masks. */
async function allows(
  masks: SequenceMasks,
  tokens: readonly number[],
  ends: readonly number[],
): Promise<boolean> {
  const steps = await masks.next(tokens);
  const has = (mask: Uint32Array | null | undefined, token: number) =>
    mask === null || (mask !== undefined && ((mask[token >>> 5]! >>> (token & 31)) & 1) === 1);
  return (
    tokens.every((token, at) => has(steps[at], token)) && ends.some((end) => has(steps[tokens.length], end))
  );
}

/** Hands a sequence tokens that nobody needs to compute. */
function dictate({ listener, maxTokens }: Sequence, tokens: readonly number[]): void {
  const isStopped = tokens.slice(0, maxTokens).some((token) => listener.token(token, null));
  listener.finish(!isStopped && tokens.length > maxTokens ? 'length' : 'stop');
}

/** Tokens at the end of a prompt that are looked at. */
const tailTokens = 16;

/** Formats tell by their template that thinking is theirs, and by the prompt's end that it has begun or is left out. */
function thinkingOf(
  { templateSource, tokenizer }: RequestParts,
  { raw, format }: GenerateParams,
  prompt: readonly number[],
): Thinking | undefined {
  if (raw || format.type !== 'text' || !templateSource?.includes('</think>')) return undefined;
  const bytes = prompt.slice(-tailTokens).map((token) => tokenizer.vocabulary.bytesOf(token));
  const tail = Buffer.concat(bytes).toString().trimEnd();
  if (tail.endsWith('</think>')) return undefined;
  return tail.endsWith('<think>') ? 'open' : 'tagged';
}

interface Setup {
  parts: RequestParts;
  params: GenerateParams;
  output: OutputDescription | null;
  masks: RequestMasks | null;
  prompt: readonly number[];
  events: EventQueue<GenerateEvent>;
  /** Ends an answer that repeats itself. */
  isGuarded: boolean;
}

function createSequences(setup: Setup): Sequence[] {
  const { events, masks, params, parts, prompt } = setup;
  const seed = params.seed ?? randomInt(2 ** 47);
  const logitBias = new Map(
    Object.entries(params.logitBias).map(([token, bias]) => [Number(token), bias] as const),
  );
  const sequences: Sequence[] = [];
  let open = params.choices;
  for (let choice = 0; choice < params.choices; choice += 1) {
    const output = createOutput(setup, choice);
    const { vocabulary } = parts.tokenizer;
    const repetition = setup.isGuarded ? new Repetition((token) => vocabulary.bytesOf(token)) : null;
    const listener = createListener({ output, repetition }, events, () => {
      open -= 1;
      if (open === 0) events.end();
    });
    sequences.push(
      new Sequence({
        owner: params.owner,
        prompt,
        maxTokens: Math.min(params.maxTokens, parts.positions - prompt.length),
        sampling: { ...params, logitBias, random: { seed, choice } },
        masks: masks?.open() ?? null,
        topLogprobs: params.topLogprobs,
        batchInvariant: params.seed !== null,
        leader: sequences[0] ?? null,
        listener,
      }),
    );
  }
  return sequences;
}

function createOutput({ params, parts, output }: Setup, choice: number): ChoiceOutput {
  const { stripFirstSpace, vocabulary } = parts.tokenizer;
  return new ChoiceOutput({
    choice,
    vocabulary,
    stripFirstSpace,
    visible: new Set(output?.visibleTokens),
    stop: [...params.stop, ...(params.raw ? [] : parts.template.stops)],
    parser: output?.createParser() ?? null,
    isStructured: output?.isStructured ?? false,
  });
}

function createListener(
  { output, repetition }: { output: ChoiceOutput; repetition: Repetition | null },
  events: EventQueue<GenerateEvent>,
  onEnd: () => void,
): TokenListener {
  let tokens = 0;
  return {
    token(token: number, probabilities: LogProbabilities | null) {
      tokens += 1;
      events.push(...output.push(token, probabilities));
      return repetition?.push(token) || output.stopped;
    },
    finish(reason) {
      events.push(...output.finish(reason, tokens));
      onEnd();
    },
    fail: (error) => events.end(error),
  };
}
