/**
 * Thread that compiles schemas and makes masks: a schema may be costly anywhere, and what decodes beside it must not wait
 * for it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { toFailure } from '../../answer-call.ts';
import type { TokenMask } from '../../grammar/token-mask.ts';
import { Vocabulary } from '../../grammar/vocabulary.ts';
import { compileOutput } from './compile-output.ts';
import type { CompiledOutput } from './compiled-output.ts';
import type { FromMaskThread, MaskThreadData, ToMaskThread } from './mask-messages.ts';

interface Request {
  compiled: CompiledOutput | null;
  choices: Map<number, TokenMask | null>;
}

const { template, vocabulary: data } = workerData as MaskThreadData;
const context = { template, vocabulary: new Vocabulary(data) };
const requests = new Map<number, Request>();

parentPort?.on('message', (message: ToMaskThread) => {
  if (message.type === 'close') requests.delete(message.request);
  else parentPort?.postMessage({ id: message.id, ...answer(message) } satisfies FromMaskThread);
});

type Question = Exclude<ToMaskThread, { type: 'close' }>;
type Reply = { masks: (Uint32Array | null)[] } | { failure: ReturnType<typeof toFailure> };

function answer(question: Question): Reply {
  try {
    if (question.type === 'masks') return { masks: masksOf(question) };
    const compiled = compileOutput(question.output, context);
    requests.set(question.request, { compiled, choices: new Map() });
    return { masks: [] };
  } catch (error) {
    return { failure: toFailure(error, 'The mask could not be made.') };
  }
}

function masksOf({
  accepted,
  choice,
  draft,
  request,
}: Extract<Question, { type: 'masks' }>): (Uint32Array | null)[] {
  const { choices, compiled } = requests.get(request)!;
  let mask = choices.get(choice);
  if (mask === undefined) {
    mask = compiled?.createMask() ?? null;
    choices.set(choice, mask);
  }
  if (!mask) return [null, ...draft.map(() => null)];
  for (const token of accepted) mask.accept(token);
  return [mask.allowed(), ...masksAlong(draft, mask)];
}

/** Behind each token of a draft that keeps to the masks before it; a draft is a guess, and ends where its masks cost too much. */
function masksAlong(draft: readonly number[], start: TokenMask): (Uint32Array | null)[] {
  const masks: (Uint32Array | null)[] = [];
  let mask = start;
  try {
    for (const token of draft) {
      const allowed = mask.allowed();
      if (allowed && (allowed[token >>> 5]! & (1 << (token & 31))) === 0) break;
      if (context.vocabulary.isEnd(token)) break;
      mask = mask.fork();
      mask.accept(token);
      masks.push(mask.allowed());
    }
  } catch {
    return masks;
  }
  return masks;
}
