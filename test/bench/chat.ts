/**
 * Our packs against llama.cpp with the same weights (speed, load time, memory, and what quantization costs on trained
 * weights) and against transformers.js (speed of one sequence).
 *
 * LOKAL_BENCH_CHAT_SHAPE=135m takes a small model; LOKAL_BENCH_CHAT_ONLY names presets and questions, with commas between.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCustomKernels } from '../../server/config.ts';
import { type Converted, convertDecoder, policies } from '../../server/engine/model-import/convert.ts';
import { openModelFiles } from '../../server/engine/model-import/model-files.ts';
import type { Preset } from '../../server/engine/model-import/types.ts';
import { kernelVerdict } from '../../server/engine/onnx/kernels/support.ts';
import { measureReadBandwidth } from '../../server/engine/onnx/providers/read-bandwidth.ts';
import { writeRandomGguf } from '../support/chat/random-gguf.ts';
import { type LlamaSize, llama135m } from '../support/chat/random-weights.ts';
import { writeTransformersJsDecoder } from '../support/chat/transformers-js-decoder.ts';
import type { Limits } from './chat-load/contender.ts';
import {
  byLimits,
  hold,
  type Measured,
  type Questions,
  questionsOf,
  toMeasured,
} from './chat-load/contest.ts';
import { llamaCppFolder } from './chat-load/peer.ts';
import { type Side, startSide } from './chat-load/side.ts';
import { benchSize } from './chat-load/size.ts';
import { hasWeights, measurePrecisions } from './chat-quality/precisions.ts';
import { withQ4_0 } from './chat-quality/q4-0.ts';
import { progress, rounded } from './measure.ts';
import type { BenchOptions } from './run.ts';

/** Bits of a Q4_0 weight. */
const q4Bits = 4.5;
const presets: Record<string, Preset> = { quality: 'quality', speed: 'speed', exact_q4_0: 'exact' };
const sides = {
  ours: new URL('./chat-load/ours.ts', import.meta.url),
  llamaCpp: new URL('./chat-load/llama-cpp.ts', import.meta.url),
  transformersJs: new URL('./chat-load/transformers-js.ts', import.meta.url),
};
/** What llama.cpp says of itself; null until it has been started. */
let peerBuild: string | null = null;
const only = process.env.LOKAL_BENCH_CHAT_ONLY?.split(',') ?? [];

type Comparison = Record<string, Measured>;

/** With milliseconds of processors a token. */
type WithEnergy = Comparison & { cpu_ms: Comparison };

interface Report {
  [question: string]: Measured | Comparison | number | null;
  bits_per_weight: Measured;
  kl: Measured;
  bandwidth_share: number | null;
}

interface Setting {
  folder: string;
  size: LlamaSize;
  questions: Questions;
  runs: number;
  /** A smoke test goes on without a peer. */
  quick: boolean;
}

export async function run(options: BenchOptions): Promise<object> {
  const { quick } = options;
  const folder = mkdtempSync(join(tmpdir(), 'lokal-bench-'));
  try {
    const setting = {
      folder,
      size: sizeOf(quick),
      questions: chosen(questionsOf(quick)),
      runs: quick ? 1 : 5,
      quick,
    };
    // A smoke test installs nothing.
    if (!quick) process.env.LOKAL_BENCH_LLAMA_CPP = await llamaCppFolder();
    progress('writing the weights');
    await writeRandomGguf(join(folder, 'model.gguf'), setting.size);
    const divergence = await measureDivergence(options);
    const bandwidth = await measureReadBandwidth(availableParallelism());
    const result: Record<string, Report> = {};
    for (const [name, preset] of Object.entries(chosen(presets))) {
      progress(`converting: ${preset}`);
      const { bitsPerWeight, weights } = await convert(setting, preset);
      const measured = await compare(setting, preset);
      result[name] = {
        ...measured,
        bits_per_weight: toMeasured(bitsPerWeight, q4Bits),
        kl: toMeasured(divergence[preset] ?? null, divergence.exact ?? null),
        bandwidth_share: bandwidthShare(measured, (weights * bitsPerWeight) / 8 / bandwidth),
      };
    }
    return {
      processor: cpus()[0]?.model ?? 'unknown',
      kernels: (await kernelVerdict(readCustomKernels(process.env))).family,
      peer_build: peerBuild,
      ...result,
      transformers_js: await compareWithTransformersJs(setting),
      bandwidth_share: Object.values(result)[0]!.bandwidth_share,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sizeOf(quick: boolean): LlamaSize {
  if (quick) return { ...llama135m, hidden: 512, heads: 8, kvHeads: 4, layers: 2, vocab: 2048 };
  return benchSize();
}

/** Those that are asked for, or all where none of their kind is. */
function chosen<Of>(all: Record<string, Of>): Record<string, Of> {
  const some = Object.entries(all).filter(([name]) => only.includes(name));
  return some.length > 0 ? Object.fromEntries(some) : all;
}

/** Nats from float32, on trained weights: random ones have no distribution worth keeping. Empty where none are there. */
async function measureDivergence(options: BenchOptions): Promise<Record<string, number>> {
  if (!hasWeights(options)) {
    progress(
      'kl is not measured: models/recipes/lingua-starter/weights.sh gets trained weights, --weights names others',
    );
    return {};
  }
  const ours = (preset: Preset) => ({ precision: policies[preset], exactQ4_0: false });
  const q4_0 = { precision: policies.exact, exactQ4_0: true, source: withQ4_0 };
  const recipes = { quality: ours('quality'), speed: ours('speed'), exact: q4_0 };
  const rows = await measurePrecisions(recipes, options);
  return Object.fromEntries(rows.map(({ kl, name }) => [name, kl]));
}

async function convert({ folder }: Setting, preset: Preset): Promise<Converted> {
  const target = join(folder, preset);
  mkdirSync(target);
  const { shape, weights } = await openModelFiles(join(folder, 'model.gguf'));
  const { signal } = new AbortController();
  const options = { shape, source: weights, target, preset, context: 4096, onProgress: () => {}, signal };
  const converted = await convertDecoder(options);
  await weights.close();
  return converted;
}

async function compare(setting: Setting, preset: Preset): Promise<WithEnergy> {
  const { folder, questions, runs } = setting;
  const all: Comparison = {};
  const cpuMs: Comparison = {};
  for (const group of byLimits(questions)) {
    const ours = await startOurs(join(folder, preset), group.limits);
    const peer = await startPeer(setting, sides.llamaCpp, join(folder, 'model.gguf'), group.limits);
    peerBuild = peer?.build ?? null;
    try {
      const held = await hold({ ours, peer, questions: group.questions, runs });
      Object.assign(all, held.rates);
      Object.assign(cpuMs, held.cpuMs);
      all.load ??= toMeasured(ours.loadMs, peer?.loadMs ?? null);
      all.memory ??= toMeasured(ours.privateMb, peer?.privateMb ?? null);
    } finally {
      ours.close();
      peer?.close();
    }
  }
  return Object.assign(all, { cpu_ms: cpuMs }) as WithEnergy;
}

/** @throws Error where it is not there, but for a smoke test: figures without a peer say nothing */
async function startPeer(
  { quick }: Setting,
  script: URL,
  model: string,
  limits?: Limits,
): Promise<Side | null> {
  const peer = await startSide(script, model, limits);
  if (!peer && !quick) throw new Error('a peer did not start');
  return peer;
}

async function startOurs(pack: string, limits?: Limits) {
  const ours = await startSide(sides.ours, pack, limits);
  if (!ours) throw new Error('our side did not start');
  return ours;
}

/** Its published 4-bit exports have Q4_0's blocks; ours are the presets that were made. */
async function compareWithTransformersJs(setting: Setting) {
  const { folder, questions, runs, size } = setting;
  const asked = Object.entries(questions).filter(([name]) => ['decode_128', 'decode_2048'].includes(name));
  if (asked.length === 0) return null;
  progress('transformers.js');
  const model = join(folder, 'transformers-js');
  await writeTransformersJsDecoder(model, size);
  const peer = await startPeer(setting, sides.transformersJs, model);
  const measured: Record<string, Comparison> = Object.fromEntries(asked.map(([name]) => [name, {}]));
  try {
    for (const [preset, source] of Object.entries(chosen(presets))) {
      const ours = await startOurs(join(folder, source));
      const { rates } = await hold({ ours, peer, questions: Object.fromEntries(asked), runs }).finally(() =>
        ours.close(),
      );
      for (const [name, found] of Object.entries(rates)) measured[name]![preset] = found;
    }
    return { ...measured, peer_weights: 'q4: Q4_0 in MatMulNBits, block 32' };
  } finally {
    peer?.close();
  }
}

/** Decoding reads every weight once a token: that traffic as a share of what the memory gives. */
const bandwidthShare = ({ decode_128: decode }: Comparison, readSeconds: number): number | null =>
  decode ? rounded(decode.ours! * readSeconds) : null;
