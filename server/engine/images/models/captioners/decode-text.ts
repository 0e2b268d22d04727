/** Writing text after an encoder has seen the picture: greedy steps of a decoder, with or without a KV cache. */
import { elementCount } from '../../../onnx/element-types.ts';
import type { Session } from '../../../onnx/session.ts';
import { Tensor } from '../../../onnx/tensor.ts';

export interface TextDecoder {
  session: Session;
  /** Inputs that are the same at every step, e.g. `encoder_hidden_states`; those it does not take are left out. */
  fixed: Record<string, Tensor>;
  /** Token ids of one step to the decoder's input: ids themselves, or their embeddings. */
  embed(ids: number[]): Promise<Record<string, Tensor>>;
}

export interface DecodeOptions {
  start: readonly number[];
  end: number;
  maxTokens: number;
  /** No run of so many tokens comes twice; 0 allows all. */
  uniqueRun: number;
  /** Instead of the most likely first token. */
  forcedFirst?: number | undefined;
  signal: AbortSignal;
}

/** Names of merged exports: `past_key_values.0.decoder.key` in, `present.0.decoder.key` out. */
const pastPrefix = 'past_key_values.';
const presentPrefix = 'present.';

/** Ids of the text, without the start and the end. */
export async function decodeText(decoder: TextDecoder, options: DecodeOptions): Promise<number[]> {
  const { session } = decoder;
  const pastNames = session.inputs.map(({ name }) => name).filter((name) => name.startsWith(pastPrefix));
  const fixed = Object.entries(decoder.fixed).filter(([name]) => takes(session, name));
  let past = emptyPast(session, pastNames);
  const written: number[] = [];
  for (let step = 0; step < options.maxTokens; step++) {
    options.signal.throwIfAborted();
    const all = [...options.start, ...written];
    const cached = pastNames.length > 0 && step > 0;
    const outputs = await session.run(
      {
        ...Object.fromEntries(fixed),
        ...past,
        ...(await decoder.embed(cached ? all.slice(-1) : all)),
        ...branchInput(session, cached),
      },
      { signal: options.signal },
    );
    const next =
      step === 0 && options.forcedFirst !== undefined
        ? options.forcedFirst
        : chooseNext(lastLogits(outputs.logits!), all, options.uniqueRun);
    if (next === options.end) break;
    written.push(next);
    past = nextPast(outputs, past, cached);
  }
  return written;
}

const takes = (session: Session, name: string): boolean =>
  session.inputs.some((input) => input.name === name);

function branchInput(session: Session, cached: boolean): Record<string, Tensor> {
  return takes(session, 'use_cache_branch')
    ? { use_cache_branch: new Tensor('bool', Uint8Array.of(cached ? 1 : 0), [1]) }
    : {};
}

/** Length zero in the one dimension that grows; the batch is one. */
function emptyPast(session: Session, names: readonly string[]): Record<string, Tensor> {
  return Object.fromEntries(
    names.map((name) => {
      const { dims, type } = session.inputs.find((input) => input.name === name)!;
      const sizes = dims.map((dim, index) => (typeof dim === 'number' ? dim : index === 0 ? 1 : 0));
      return [name, Tensor.zeros(type!, sizes)];
    }),
  );
}

/** The encoder's keys and values come with the first step only; later steps give empty ones in their place. */
function nextPast(
  outputs: Record<string, Tensor>,
  past: Record<string, Tensor>,
  cached: boolean,
): Record<string, Tensor> {
  return Object.fromEntries(
    Object.keys(past).map((name) => {
      const present = outputs[presentPrefix + name.slice(pastPrefix.length)];
      const keep =
        present === undefined || (cached && name.includes('.encoder.')) || elementCount(present.dims) === 0;
      return [name, keep ? past[name]! : present];
    }),
  );
}

function lastLogits({ data, dims }: Tensor): Float32Array {
  const vocabulary = dims.at(-1)!;
  return (data as Float32Array).subarray(data.length - vocabulary);
}

/** The most likely token that does not repeat a run of tokens. */
export function chooseNext(logits: Float32Array, before: readonly number[], uniqueRun: number): number {
  const banned = new Set<number>();
  if (uniqueRun > 0 && before.length >= uniqueRun) {
    const head = before.slice(before.length - uniqueRun + 1).join();
    for (let at = 0; at + uniqueRun <= before.length; at++) {
      if (before.slice(at, at + uniqueRun - 1).join() === head) banned.add(before[at + uniqueRun - 1]!);
    }
  }
  let best = -1;
  for (let id = 0; id < logits.length; id++) {
    if (!banned.has(id) && (best < 0 || logits[id]! > logits[best]!)) best = id;
  }
  return best;
}
