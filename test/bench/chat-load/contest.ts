/** Two sides are asked the same in turn. */
import { median, progress, rounded } from '../measure.ts';
import type { Question } from './contender.ts';
import type { Side } from './side.ts';

export interface Measured {
  ours: number | null;
  peer: number | null;
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
    four: decode(4, 128),
    eight: decode(8, 128),
  };
}

export interface Contest {
  ours: Side;
  peer: Side | null;
  questions: Questions;
  /** Of each side and question, besides one before them that does not count. */
  runs: number;
}

/** Medians of tokens per second, by question. */
export async function hold({ ours, peer, questions, runs }: Contest): Promise<Record<string, Measured>> {
  const measured: Record<string, Measured> = {};
  for (const [key, question] of Object.entries(questions)) {
    const rates: { ours: number[]; peer: number[] } = { ours: [], peer: [] };
    for (let round = 0; round <= runs; round += 1) {
      const pair = { ours: await ours.ask(question), peer: await peer?.ask(question) };
      if (round === 0) continue;
      rates.ours.push(pair.ours);
      if (pair.peer !== undefined) rates.peer.push(pair.peer);
    }
    measured[key] = toMeasured(median(rates.ours), rates.peer.length > 0 ? median(rates.peer) : null);
    progress(`${key}: ${JSON.stringify(measured[key])}`);
  }
  return measured;
}

export function toMeasured(ours: number | null, peer: number | null): Measured {
  const ratio = ours === null || peer === null ? null : rounded(ours / peer);
  return { ours: ours && rounded(ours), peer: peer && rounded(peer), ratio };
}
