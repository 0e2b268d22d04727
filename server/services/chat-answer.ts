/** An engine's events, as one chat completion or as its chunks (contract.md "Chat"). Pure. */
import type { ChatCompletion, ChatCompletionChunk, ChatUsage, ToolCall } from '../api/chat.ts';
import type { FinishReason, GenerateEvent, TokenScore } from '../engine/chat/types.ts';
import { ApiError } from '../errors.ts';
import type { AnswerIdentity } from './model-call.ts';

export interface AnswerHead extends AnswerIdentity {
  model: string;
}

interface Choice {
  text: string;
  scores: TokenScore[] | null;
  calls: ToolCall[];
  reason: FinishReason | null;
}

export async function toCompletion(
  head: AnswerHead,
  events: AsyncIterable<GenerateEvent>,
): Promise<ChatCompletion> {
  const choices: Choice[] = [];
  const usage = emptyUsage();
  for await (const event of events) {
    count(usage, event);
    if (event.kind !== 'prompt') collect(choiceAt(choices, event.choice), event);
  }
  return { object: 'chat.completion', ...head, choices: choices.map(toWireChoice), usage };
}

function choiceAt(choices: Choice[], index: number): Choice {
  choices[index] ??= { text: '', scores: null, calls: [], reason: null };
  return choices[index];
}

function collect(choice: Choice, event: Exclude<GenerateEvent, { kind: 'prompt' }>): void {
  if (event.kind === 'text') {
    choice.text += event.text;
    if (event.scores) choice.scores = [...(choice.scores ?? []), ...event.scores];
  } else if (event.kind === 'tool') {
    choice.calls[event.call] = {
      id: event.id,
      type: 'function',
      function: { name: event.name, arguments: '' },
    };
  } else if (event.kind === 'arguments') choice.calls[event.call]!.function.arguments += event.text;
  else choice.reason = event.reason;
}

function toWireChoice(choice: Choice, index: number): ChatCompletion['choices'][0] {
  if (choice.reason === null) throw new ApiError('internal_error', 'The engine ended before its answer did.');
  const { text, calls, scores } = choice;
  return {
    index,
    message: {
      role: 'assistant',
      content: calls.length > 0 && text === '' ? null : text,
      refusal: null,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
    logprobs: scores && { content: scores.map(toWireScore), refusal: null },
    finish_reason: choice.reason,
  };
}

const toWireScore = ({ top, ...score }: TokenScore) => ({ ...score, top_logprobs: top });

/**
 * Chunks of a streamed answer: the first of each choice carries the role, the last its finish reason, and with
 * `includeUsage` one more follows with no choice and the totals.
 */
export async function* toChunks(
  head: AnswerHead,
  events: AsyncIterable<GenerateEvent>,
  includeUsage: boolean,
): AsyncGenerator<ChatCompletionChunk> {
  const usage = emptyUsage();
  const begun = new Set<number>();
  const chunk = (
    choices: ChatCompletionChunk['choices'],
    totals: ChatUsage | null = null,
  ): ChatCompletionChunk => ({
    object: 'chat.completion.chunk',
    ...head,
    choices,
    ...(includeUsage ? { usage: totals } : {}),
  });
  for await (const event of events) {
    count(usage, event);
    if (event.kind === 'prompt') continue;
    if (!begun.has(event.choice)) {
      begun.add(event.choice);
      yield chunk([
        {
          index: event.choice,
          // As in the whole answer: an answer that calls a tool has no content.
          delta: { role: 'assistant', content: event.kind === 'tool' ? null : '' },
          logprobs: null,
          finish_reason: null,
        },
      ]);
    }
    yield chunk([toDelta(event)]);
  }
  if (includeUsage) yield chunk([], usage);
}

function toDelta(event: Exclude<GenerateEvent, { kind: 'prompt' }>): ChatCompletionChunk['choices'][0] {
  const base = { index: event.choice, delta: {}, logprobs: null, finish_reason: null };
  switch (event.kind) {
    case 'text':
      return {
        ...base,
        delta: { content: event.text },
        logprobs: event.scores ? { content: event.scores.map(toWireScore), refusal: null } : null,
      };
    case 'tool':
      return {
        ...base,
        delta: {
          tool_calls: [
            {
              index: event.call,
              id: event.id,
              type: 'function',
              function: { name: event.name, arguments: '' },
            },
          ],
        },
      };
    case 'arguments':
      return { ...base, delta: { tool_calls: [{ index: event.call, function: { arguments: event.text } }] } };
    case 'finish':
      return { ...base, finish_reason: event.reason };
  }
}

const emptyUsage = (): ChatUsage => ({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 });

function count(usage: ChatUsage, event: GenerateEvent): void {
  if (event.kind === 'prompt') usage.prompt_tokens = event.tokens;
  if (event.kind === 'finish') usage.completion_tokens += event.tokens;
  usage.total_tokens = usage.prompt_tokens + usage.completion_tokens;
}
