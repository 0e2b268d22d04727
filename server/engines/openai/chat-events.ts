/**
 * Chunks of OpenAI's protocol as events of a chat engine. What they say is not believed: an answer is whole where every choice
 * has its finish reason and the stream its end marker.
 */
import type { FinishReason, GenerateEvent, GenerateParams, TokenScore } from '../../engine/chat/types.ts';
import { EngineFault } from '../fault.ts';

interface WireChunk {
  error?: unknown;
  choices?: WireChoice[];
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown } | null;
}

interface WireChoice {
  index?: number;
  delta?: { content?: unknown; tool_calls?: WireCall[] | null };
  /** Of /v1/completions. */
  text?: unknown;
  logprobs?: { content?: WireScore[] | null } | null;
  finish_reason?: string | null;
}

interface WireCall {
  index?: number;
  id?: unknown;
  function?: { name?: unknown; arguments?: unknown };
}

interface WireScore {
  token?: unknown;
  logprob?: unknown;
  bytes?: number[] | null;
  top_logprobs?: WireScore[];
}

interface OpenChoice {
  pieces: number;
  calls: number;
  finished: boolean;
}

const mostChoices = 8;
const mostCalls = 128;

const invalid = (why: string) => new EngineFault('invalid', why);

/** @param asked for what can be plausible @throws EngineFault */
export async function* toGenerateEvents(
  events: AsyncIterable<string>,
  asked: Pick<GenerateParams, 'choices' | 'maxTokens'> & { promptBytes: number },
): AsyncGenerator<GenerateEvent> {
  const choices: OpenChoice[] = [];
  let usage: WireChunk['usage'];
  let isDone = false;
  let begun = false;
  for await (const data of events) {
    if (isDone) throw invalid('it goes on behind its end marker');
    if (data === '[DONE]') {
      isDone = true;
      continue;
    }
    const chunk = parseChunk(data);
    if (chunk.error) throw new EngineFault('failed', 'it reported an error in its answer');
    usage = chunk.usage ?? usage;
    if (!begun) {
      begun = true;
      yield { kind: 'prompt', tokens: estimateTokens(asked.promptBytes) };
    }
    for (const choice of chunk.choices ?? []) yield* readChoice(choice, choices, asked);
  }
  if (!isDone) throw new EngineFault('cut', 'its stream ended without an end marker');
  for (let index = 0; index < asked.choices; index += 1)
    if (!choices[index]?.finished) throw invalid('a choice of its answer has no finish reason');
  const counted = choices.reduce((sum, { pieces }) => sum + pieces, 0);
  yield toUsageEvent(usage, { ...asked, counted });
}

function parseChunk(data: string): WireChunk {
  try {
    const chunk: unknown = JSON.parse(data);
    if (typeof chunk === 'object' && chunk !== null) return chunk;
  } catch {}
  throw invalid('a chunk of its answer is not a JSON object');
}

function* readChoice(
  wire: WireChoice,
  choices: OpenChoice[],
  asked: Pick<GenerateParams, 'choices' | 'maxTokens'>,
): Generator<GenerateEvent> {
  const choice = wire.index ?? 0;
  if (!Number.isInteger(choice) || choice < 0 || choice >= Math.min(asked.choices, mostChoices))
    throw invalid('it answers a choice that nobody asked for');
  choices[choice] ??= { pieces: 0, calls: 0, finished: false };
  const open = choices[choice];
  const text = wire.delta?.content ?? wire.text;
  const calls = wire.delta?.tool_calls ?? [];
  if (open.finished) {
    if ((typeof text === 'string' && text !== '') || calls.length > 0)
      throw invalid('a choice of its answer goes on behind its end');
    return;
  }
  const scores = wire.logprobs?.content?.map(toScore);
  if ((typeof text === 'string' && text !== '') || (scores && scores.length > 0)) {
    open.pieces += 1;
    yield {
      kind: 'text',
      choice,
      text: typeof text === 'string' ? text : '',
      ...(scores && scores.length > 0 ? { scores } : {}),
    };
  }
  for (const call of calls) yield* readCall(call, choice, open);
  if (open.pieces > asked.maxTokens + 16) throw invalid('its answer is longer than was asked for');
  if (wire.finish_reason === null || wire.finish_reason === undefined) return;
  open.finished = true;
  yield { kind: 'finish', choice, reason: toReason(wire.finish_reason, open), tokens: open.pieces };
}

function* readCall(wire: WireCall, choice: number, open: OpenChoice): Generator<GenerateEvent> {
  const call = wire.index ?? Math.max(open.calls - 1, 0);
  const { name, arguments: text } = wire.function ?? {};
  if (call === open.calls) {
    if (typeof name !== 'string' || name === '') throw invalid('a tool call of its answer has no name');
    if (call >= mostCalls) throw invalid('its answer calls too many tools');
    open.calls += 1;
    const id =
      typeof wire.id === 'string' && wire.id !== '' ? wire.id.slice(0, 200) : `call_${choice}_${call}`;
    yield { kind: 'tool', choice, call, id, name };
  } else if (call > open.calls || call < 0) throw invalid('the tool calls of its answer are out of order');
  if (typeof text === 'string' && text !== '') {
    open.pieces += 1;
    yield { kind: 'arguments', choice, call, text };
  }
}

function toReason(reason: string, { calls }: OpenChoice): FinishReason {
  if (reason === 'length') return 'length';
  if (reason === 'tool_calls' && calls === 0) throw invalid('it calls tools and names none');
  if (reason === 'stop' || reason === 'tool_calls') return calls > 0 ? 'tool_calls' : 'stop';
  throw invalid('its answer ends for a reason that is not known');
}

const toScore = ({ top_logprobs: top, ...score }: WireScore): TokenScore => ({
  ...toAlternative(score),
  top: (top ?? []).map(toAlternative),
});

function toAlternative({ token, logprob, bytes }: WireScore): TokenScore['top'][0] {
  if (typeof token !== 'string' || typeof logprob !== 'number')
    throw invalid('a log probability of its answer is malformed');
  return { token, logprob, bytes: bytes ?? null };
}

/** A token has some four bytes, as long as nothing better is known. */
export const estimateTokens = (bytes: number): number => Math.max(1, Math.ceil(bytes / 4));

/** Their counts where they can be true; a token has at least a byte, a chat template adds some. */
function toUsageEvent(
  usage: WireChunk['usage'],
  asked: { choices: number; maxTokens: number; promptBytes: number; counted: number },
): GenerateEvent {
  const { prompt_tokens: prompt, completion_tokens: completion } = usage ?? {};
  const most = asked.choices * (asked.maxTokens + 16);
  const isPlausible =
    isCount(prompt) &&
    isCount(completion) &&
    prompt > 0 &&
    prompt <= asked.promptBytes + 8_192 &&
    completion <= most;
  return isPlausible
    ? { kind: 'usage', promptTokens: prompt, completionTokens: completion, estimated: false }
    : {
        kind: 'usage',
        promptTokens: estimateTokens(asked.promptBytes),
        completionTokens: asked.counted,
        estimated: true,
      };
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;
