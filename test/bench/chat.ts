/** Speed, load time and memory of our packs against llama.cpp with the same weights. */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Converted, convertDecoder, type Preset } from '../../server/engine/chat/convert/convert.ts';
import { openModelFiles } from '../../server/engine/chat/convert/model-files.ts';
import { writeRandomGguf } from '../support/chat/random-gguf.ts';
import { llama1b, llama135m } from '../support/chat/random-weights.ts';
import { measureReadBandwidth } from './chat-load/bandwidth.ts';
import type { FromContender, Question } from './chat-load/contender.ts';
import { median, progress, rounded } from './measure.ts';
import type { BenchOptions } from './run.ts';

/** Bits of a Q4_0 weight. */
const q4Bits = 4.5;
const presets: Record<string, Preset> = { quality: 'quality', speed: 'speed', exact_q4_0: 'exact' };

interface Measured {
  ours: number | null;
  peer: number | null;
  ratio: number | null;
}

interface Side {
  loadMs: number;
  privateMb: number | null;
  ask(question: Question): Promise<number>;
  close(): void;
}

export async function run({ quick }: BenchOptions): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), 'lokal-bench-'));
  try {
    const size = quick
      ? { ...llama135m, hidden: 512, heads: 8, kvHeads: 4, layers: 2, vocab: 2048 }
      : llama1b;
    const gguf = join(folder, 'model.gguf');
    progress('writing the weights');
    await writeRandomGguf(gguf, size);
    const result: Record<string, object> = {};
    const weightBytes: Record<string, number> = {};
    for (const [name, preset] of Object.entries(presets)) {
      progress(`converting: ${preset}`);
      const pack = join(folder, preset);
      const { bitsPerWeight, weights } = await convert(gguf, pack, preset);
      const measured = await compare({ pack, gguf, quick, name });
      result[name] = { ...measured, bits_per_weight: toMeasured(bitsPerWeight, q4Bits) };
      weightBytes[name] = (bitsPerWeight * weights) / 8;
    }
    return {
      ...result,
      transformers_js: null,
      bandwidth_share: await bandwidthShare(result.quality as Comparison, weightBytes.quality!),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function convert(gguf: string, target: string, preset: Preset): Promise<Converted> {
  mkdirSync(target);
  const { shape, weights } = await openModelFiles(gguf);
  const { signal } = new AbortController();
  const options = { shape, source: weights, target, preset, context: 4096, onProgress: () => {}, signal };
  const converted = await convertDecoder(options);
  await weights.close();
  return converted;
}

interface Contest {
  pack: string;
  gguf: string;
  quick: boolean;
  name: string;
}

type Comparison = Record<string, Measured | null>;

async function compare({ gguf, name, pack, quick }: Contest): Promise<Comparison> {
  const runs = quick ? 1 : 5;
  const ours = await start(new URL('./chat-load/ours.ts', import.meta.url), pack);
  if (!ours) throw new Error('our side did not start');
  const peer = await start(new URL('./chat-load/llama-cpp.ts', import.meta.url), gguf);
  const steps = quick ? 4 : 32;
  const decode = (sequences: number, context: number): Question => ({
    decode: { sequences, context, steps },
  });
  const long = quick ? 64 : 2048;
  const questions: Record<string, Question> = {
    decode_128: decode(1, 128),
    decode_2048: decode(1, long),
    prefill_512: { prefill: quick ? 64 : 512 },
    prefill_2048: { prefill: long },
    four: decode(4, 128),
    eight: decode(8, 128),
  };
  const measured: Comparison = {};
  try {
    for (const [key, question] of Object.entries(questions)) {
      const rates: { ours: number[]; peer: number[] } = { ours: [], peer: [] };
      for (let round = 0; round <= runs; round += 1) {
        const pair = { ours: await ours.ask(question), peer: await peer?.ask(question) };
        if (round === 0) continue;
        rates.ours.push(pair.ours);
        if (pair.peer !== undefined) rates.peer.push(pair.peer);
      }
      measured[key] = toMeasured(median(rates.ours), rates.peer.length > 0 ? median(rates.peer) : null);
      progress(`${name} ${key}: ${JSON.stringify(measured[key])}`);
    }
    measured.load = toMeasured(ours.loadMs, peer?.loadMs ?? null);
    measured.memory = toMeasured(ours.privateMb, peer?.privateMb ?? null);
    // Needs trained weights: random ones have no distribution worth keeping.
    measured.kl = null;
    return measured;
  } finally {
    ours.close();
    peer?.close();
  }
}

function toMeasured(ours: number | null, peer: number | null): Measured {
  const ratio = ours === null || peer === null ? null : rounded(ours / peer);
  return { ours: ours && rounded(ours), peer: peer && rounded(peer), ratio };
}

/** Decoding reads every weight once a token: that traffic as a share of what the memory gives. */
async function bandwidthShare({ decode_128: decode }: Comparison, weightBytes: number): Promise<number> {
  const bandwidth = await measureReadBandwidth(availableParallelism());
  return rounded((weightBytes * decode!.ours!) / bandwidth);
}

/** Null where llama.cpp is not there; why, on stderr. */
async function start(script: URL, model: string): Promise<Side | null> {
  const name = basename(script.pathname);
  const child = fork(script, [model, String(availableParallelism())], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const first = await answerOf(child);
  if (!('ready' in first)) {
    progress(`${name}: ${'absent' in first ? first.absent : 'it did not say that it is ready'}`);
    child.kill();
    return null;
  }
  return {
    ...first.ready,
    async ask(question) {
      child.send(question);
      const answer = await answerOf(child);
      if (!('rate' in answer)) throw new Error(`${name} gave no rate`);
      return answer.rate;
    },
    close: () => void child.kill(),
  };
}

/** The child's next message. @throws Error when it ends instead */
function answerOf(child: ChildProcess): Promise<FromContender> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`a contender ended with code ${code}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as FromContender);
    });
  });
}
