/** What a chat bench measures, the same for both sides: a model that computes prompts and steps. */
import { readFileSync } from 'node:fs';
import { median } from '../measure.ts';

export interface Contender {
  /** Computes a whole prompt of one sequence anew. */
  prefill(sequence: number, tokens: readonly number[]): Promise<void>;
  /** Forgets what comes after the first `length` positions of a sequence. */
  rewind(sequence: number, length: number): void;
  /** One token more for the first `tokens.length` sequences; resolves to the likeliest next ones. */
  step(tokens: readonly number[], pasts: readonly number[]): Promise<number[]>;
}

/** What a contender's process is asked. */
export interface Question {
  /** Tokens of a prompt: answers tokens per second of computing it. */
  prefill?: number;
  /** Sequences, and the context they have: answers tokens per second, all together. */
  decode?: { sequences: number; context: number; steps: number };
}

export type FromContender =
  | { ready: { loadMs: number; privateMb: number | null; build?: string } }
  | { answer: Rate }
  | { absent: string };

/** Tokens per second, and what a token takes of processors. */
export interface Rate {
  rate: number;
  cpuMs: number;
}

/** For how many sequences of how many positions each there must be memory. */
export interface Limits {
  sequences: number;
  positions: number;
}

/** As the parent says them on the command line, behind the model. */
export const readLimits = ([sequences = '8', positions = '2304']: readonly string[]): Limits => ({
  sequences: Number(sequences),
  positions: Number(positions),
});

export interface Loaded {
  ask: Answer;
  /** Version, and the instruction sets it takes here. */
  build?: string;
}

export type Answer = (question: Question) => Promise<Rate>;

export const promptOf = (length: number, seed: number) =>
  Array.from({ length }, (_, at) => 300 + ((at * 37 + seed * 101) % 1500));

/** Asks a contender as the questions say. Contexts that the last question left behind are used again. */
export function answering(contender: Contender): Answer {
  let prompted = { sequences: 0, length: 0 };
  return async ({ decode, prefill }) => {
    if (prefill !== undefined) {
      prompted = { sequences: 0, length: 0 };
      return prefillRate(contender, promptOf(prefill, Math.floor(Math.random() * 1000)));
    }
    const { context, sequences, steps } = decode!;
    const length = context - Math.floor(steps / 2);
    const known = prompted.length === length ? prompted.sequences : 0;
    for (let at = 0; at < known; at += 1) contender.rewind(at, length);
    for (let at = known; at < sequences; at += 1) await contender.prefill(at, promptOf(length, at));
    prompted = { sequences: Math.max(sequences, known), length };
    return decodeRate(contender, { sequences, length, steps });
  };
}

async function prefillRate(contender: Contender, tokens: number[]): Promise<Rate> {
  const cpu = cpuClock();
  const start = performance.now();
  await contender.prefill(0, tokens);
  return { rate: (tokens.length * 1000) / (performance.now() - start), cpuMs: cpu() / tokens.length };
}

/** Milliseconds of processors that this process has taken since. */
export function cpuClock(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { system, user } = process.cpuUsage(start);
    return (system + user) / 1000;
  };
}

interface Decoding {
  sequences: number;
  /** Of their contexts, before the first step. */
  length: number;
  steps: number;
}

async function decodeRate(contender: Contender, { length, sequences, steps }: Decoding): Promise<Rate> {
  let tokens = new Array<number>(sequences).fill(400);
  const times: number[] = [];
  const cpu = cpuClock();
  for (let step = 0; step < steps; step += 1) {
    const start = performance.now();
    tokens = await contender.step(tokens, new Array<number>(sequences).fill(length + step));
    times.push(performance.now() - start);
  }
  return { rate: (sequences * 1000) / median(times), cpuMs: cpu() / steps / sequences };
}

/** Memory that is this process's alone (Linux). */
function privateMb(): number | null {
  try {
    const kilobytes = /RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    return kilobytes ? Number(kilobytes) / 1024 : null;
  } catch {
    return null;
  }
}

/** Loads and then answers the parent's questions one by one. */
export async function serveContender(load: () => Promise<Loaded>): Promise<void> {
  const send = (message: FromContender) => void process.send!(message);
  process.on('disconnect', () => process.exit(0));
  const before = privateMb() ?? 0;
  const start = performance.now();
  const { ask, build } = await load();
  const loadMs = performance.now() - start;
  const after = privateMb();
  process.on('message', (question: Question) => {
    void ask(question).then((answer) => send({ answer }));
  });
  send({ ready: { loadMs, privateMb: after === null ? null : after - before, build } });
}
