/** Two sides are asked the same in turn. */
import { median, progress, rounded } from '../measure.ts';
import type { Limits, Question, Rate } from './contender.ts';
import type { Side } from './side.ts';

export interface Pair {
  ours: number | null;
  peer: number | null;
}

export interface Measured extends Pair {
  ratio: number | null;
}

export type Questions = Record<string, Question>;

export function questionsOf(quick: boolean): Questions {
  const steps = quick ? 4 : 32;
  const long = quick ? 64 : 2048;
  const decode = (sequences: number, context: number): Question => ({
    decode: { sequences, context, steps },
  });
  return {
    decode_128: decode(1, 128),
    decode_2048: decode(1, long),
    prefill_512: { prefill: quick ? 64 : 512 },
    prefill_2048: { prefill: long },
    decode_8192: decode(1, quick ? 128 : 8192),
    four: decode(4, 128),
    eight: decode(8, 128),
    sixteen: decode(16, 128),
  };
}

/** Questions by what they need memory for: a peer is slower with more of it than that. */
export function byLimits(questions: Questions): { limits: Limits; questions: Questions }[] {
  const groups = new Map<string, { limits: Limits; questions: Questions }>();
  for (const [name, question] of Object.entries(questions)) {
    const { context = question.prefill!, sequences = 1 } = question.decode ?? {};
    const usual = sequences <= 8 && context <= 2048;
    const limits = usual ? { sequences: 8, positions: 2304 } : { sequences, positions: context + 256 };
    const key = JSON.stringify(limits);
    const group = groups.get(key) ?? { limits, questions: {} };
    group.questions[name] = question;
    groups.set(key, group);
  }
  return [...groups.values()];
}

export interface Contest {
  ours: Side;
  peer: Side | null;
  /** Says how fast the weights can be read, before and after each answer of either side. */
  memory?: Side | null;
  questions: Questions;
  /** Of each side and question, besides one before them that does not count. */
  runs: number;
}

export interface Held {
  /** Tokens per second, by question. */
  rates: Record<string, Measured>;
  /** Milliseconds of processors a token. */
  cpuMs: Record<string, Measured>;
  /** Tokens a byte that memory gave right before and after: of each answer by itself, since memory is others' as well. */
  perByte: Record<string, Pair>;
}

/** Medians. */
export async function hold({ memory, ours, peer, questions, runs }: Contest): Promise<Held> {
  const held: Held = { rates: {}, cpuMs: {}, perByte: {} };
  for (const [key, question] of Object.entries(questions)) {
    const found: Record<'ours' | 'peer', Rate[]> = { ours: [], peer: [] };
    const shares: Record<'ours' | 'peer', number[]> = { ours: [], peer: [] };
    const listen = async () => (memory ? (await memory.ask(question)).rate : null);
    let before = await listen();
    for (let round = 0; round <= runs; round += 1)
      for (const [name, side] of Object.entries({ ours, peer }) as ['ours' | 'peer', Side | null][]) {
        if (!side) continue;
        const answer = await side.ask(question);
        const after = await listen();
        if (round > 0) {
          found[name].push(answer);
          if (before !== null && after !== null) shares[name].push(answer.rate / ((before + after) / 2));
        }
        before = after;
      }
    const middle = (of: keyof Rate) => (side: readonly Rate[]) =>
      side.length > 0 ? median(side.map((each) => each[of])) : null;
    held.rates[key] = toMeasured(middle('rate')(found.ours), middle('rate')(found.peer));
    held.cpuMs[key] = toMeasured(middle('cpuMs')(found.ours), middle('cpuMs')(found.peer));
    const share = (side: readonly number[]) => (side.length > 0 ? median([...side]) : null);
    held.perByte[key] = { ours: share(shares.ours), peer: share(shares.peer) };
    progress(
      `${key}: ${JSON.stringify(held.rates[key])}, CPU ms a token: ${JSON.stringify(held.cpuMs[key])}`,
    );
  }
  return held;
}

export function toMeasured(ours: number | null, peer: number | null): Measured {
  const ratio = ours === null || peer === null ? null : rounded(ours / peer);
  return { ours: ours && rounded(ours), peer: peer && rounded(peer), ratio };
}
