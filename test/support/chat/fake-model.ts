/**
 * A model without tensors: its cache holds tokens instead of keys and values, and its logits follow from all tokens a row
 * has seen. So whatever a scheduler, cache or loop does wrong with slots changes what is generated.
 */
import type { ModelRun } from '../../../server/engine/chat/runners/model-runner.ts';
import type { KvStore } from '../../../server/engine/chat/schedule/kv-cache.ts';
import { Vocabulary } from '../../../server/engine/grammar/vocabulary.ts';

export const fakeVocabularySize = 64;
export const fakeEnd = 63;

export const fakeVocabulary = new Vocabulary({
  tokens: Array.from({ length: fakeVocabularySize }, (_, id) => ({
    id,
    piece: id === fakeEnd ? '<end>' : String.fromCharCode(64 + id),
    added: id === fakeEnd,
    control: id === fakeEnd,
  })),
  alphabet: 'plain',
  size: fakeVocabularySize,
  endIds: [fakeEnd],
});

/** Logits after `tokens`: any token, the end too, is as likely as another to be the highest. */
export function fakeLogits(tokens: readonly number[]): Float32Array {
  let hash = 2166136261;
  for (const token of tokens) hash = Math.imul(hash ^ (token + 1), 16777619);
  return Float32Array.from({ length: fakeVocabularySize }, (_, id) => {
    const mixed = Math.imul(hash ^ Math.imul(id + 1, 0x9e3779b1), 0x85ebca6b) >>> 0;
    return (mixed / 2 ** 32) * 6;
  });
}

/** What greedy decoding of the fake model gives. */
export function fakeGreedy(prompt: readonly number[], maxTokens: number): number[] {
  const tokens = [...prompt];
  while (tokens.length < prompt.length + maxTokens) {
    const logits = fakeLogits(tokens);
    const next = logits.indexOf(Math.max(...logits));
    if (next === fakeEnd) break;
    tokens.push(next);
  }
  return tokens.slice(prompt.length);
}

export class FakeModel implements KvStore {
  readonly vocabulary = fakeVocabularySize;
  readonly slots: number[][];
  readonly runs: ModelRun[] = [];
  /** Called before each run; may throw, or wait. */
  onRun: (run: ModelRun, signal: AbortSignal) => void | Promise<void> = () => {};

  constructor(slots: number) {
    this.slots = Array.from({ length: slots }, () => []);
  }

  copy(from: number, to: number, length: number): void {
    this.slots[to] = this.slots[from]!.slice(0, length);
  }

  swap(one: number, other: number): void {
    [this.slots[one], this.slots[other]] = [this.slots[other]!, this.slots[one]!];
  }

  async run(run: ModelRun, signal: AbortSignal): Promise<Float32Array> {
    this.runs.push(structuredClone(run));
    await this.onRun(run, signal);
    signal.throwIfAborted();
    const places: Float32Array[] = [];
    for (const [index, { past, tokens }] of run.rows.entries()) {
      const slot = this.slots[run.slot + index];
      if (!slot) throw new Error(`there is no slot ${run.slot + index}`);
      if (slot.length < past) throw new Error(`slot ${run.slot + index} holds ${slot.length}, not ${past}`);
      slot.length = past;
      for (const token of tokens) {
        slot.push(token);
        places.push(fakeLogits(slot));
      }
    }
    const logits = new Float32Array(run.wanted.length * fakeVocabularySize);
    for (const [row, place] of run.wanted.entries()) logits.set(places[place]!, row * fakeVocabularySize);
    return logits;
  }
}
