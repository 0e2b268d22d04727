/** Parts the thinking of models that write it in `<think>` from their answer, as the engine says that a prompt's format has it. */
import type { GenerateEvent } from '../../engine/chat/types.ts';
import { type Caller, recordUse } from '../caller.ts';

export interface ReasoningEvent {
  kind: 'reasoning';
  choice: number;
  text: string;
}

interface Progress {
  part: 'start' | 'thinking' | 'answer';
  /** Text that may be the beginning of a mark. */
  held: string;
  /** White space behind a mark is no part of what follows. */
  isFresh: boolean;
  /** Pieces that may be thinking and are not counted yet. */
  uncounted: number;
}

const opening = '<think>';
const closing = '</think>';

export async function* splitReasoning(
  events: AsyncIterable<GenerateEvent>,
  caller: Caller,
): AsyncGenerator<GenerateEvent | ReasoningEvent> {
  const choices: Progress[] = [];
  let thinking: 'open' | 'tagged' | undefined;
  let tokens = 0;
  for await (const event of events) {
    if (event.kind === 'prompt') thinking = event.thinking;
    if (!thinking || event.kind === 'prompt' || event.kind === 'usage') {
      yield event;
      continue;
    }
    choices[event.choice] ??= {
      part: thinking === 'open' ? 'thinking' : 'start',
      held: '',
      isFresh: true,
      uncounted: 0,
    };
    const progress = choices[event.choice]!;
    if (event.kind !== 'text') {
      yield* flush(progress, event.choice);
      yield event;
    } else if (progress.part === 'answer' && !progress.isFresh) yield event;
    else {
      progress.uncounted += 1;
      const wasThinking = progress.part === 'thinking';
      const parts = [...advance(progress, event.choice, event.text)];
      const isThinking = progress.part === 'thinking' || parts.some(({ kind }) => kind === 'reasoning');
      if (wasThinking || isThinking) {
        tokens += progress.uncounted;
        progress.uncounted = 0;
        recordUse(caller, { reasoningTokens: tokens });
      }
      yield* parts;
    }
  }
}

function* advance(
  progress: Progress,
  choice: number,
  text: string,
): Generator<GenerateEvent | ReasoningEvent> {
  progress.held += text;
  if (progress.part === 'start') {
    const begun = progress.held.trimStart();
    if (begun.length < opening.length && opening.startsWith(begun)) return;
    const isTagged = begun.startsWith(opening);
    progress.part = isTagged ? 'thinking' : 'answer';
    if (isTagged) progress.held = begun.slice(opening.length);
    else progress.isFresh = false;
  }
  if (progress.part === 'thinking') {
    const end = progress.held.indexOf(closing);
    const sure = end < 0 ? progress.held.length - heldBack(progress.held) : end;
    yield* emit(progress, choice, sure);
    if (end < 0) return;
    progress.held = progress.held.slice(closing.length);
    progress.part = 'answer';
    progress.isFresh = true;
  }
  yield* emit(progress, choice, progress.held.length);
}

/** Lets go of the text that is held, at the end of a choice or before a call. */
function* flush(progress: Progress, choice: number): Generator<GenerateEvent | ReasoningEvent> {
  if (progress.part === 'start') {
    progress.part = 'answer';
    progress.isFresh = false;
  }
  yield* emit(progress, choice, progress.held.length);
}

function* emit(
  progress: Progress,
  choice: number,
  length: number,
): Generator<GenerateEvent | ReasoningEvent> {
  const whole = progress.held.slice(0, length);
  const text = progress.isFresh ? whole.trimStart() : whole;
  progress.held = progress.held.slice(length);
  if (text === '') return;
  progress.isFresh = false;
  yield { kind: progress.part === 'thinking' ? 'reasoning' : 'text', choice, text };
}

/** Characters at the end that may begin the closing mark. */
function heldBack(text: string): number {
  for (let length = Math.min(closing.length - 1, text.length); length > 0; length -= 1)
    if (closing.startsWith(text.slice(-length))) return length;
  return 0;
}
