/**
 * Our packs against llama.cpp with the same weights (speed, load time, memory, and what quantization costs on trained
 * weights) and against transformers.js (speed of one sequence).
 *
 * LOKAL_BENCH_CHAT_SHAPE=135m takes a small model, LOKAL_BENCH_LLAMA_WEIGHTS=q4_k_m gives llama.cpp such weights;
 * LOKAL_BENCH_CHAT_RUNS says how many rounds count (5); LOKAL_BENCH_CHAT_ONLY names presets and questions (and `kl`,
 * `transformers_js`), with commas between; LOKAL_BENCH_CHAT_FOLDER keeps weights and packs there for the next run of the same shape.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCustomKernels } from '../../server/config.ts';
import { type Converted, convertDecoder, policies } from '../../server/engine/model-import/convert.ts';
import { openModelFiles } from '../../server/engine/model-import/model-files.ts';
import type { Preset } from '../../server/engine/model-import/types.ts';
import { kernelVerdict } from '../../server/engine/onnx/kernels/support.ts';
import { type RandomFormat, writeRandomGguf } from '../support/chat/random-gguf.ts';
import { type LlamaSize, llama135m } from '../support/chat/random-weights.ts';
import { writeTransformersJsDecoder } from '../support/chat/transformers-js-decoder.ts';
import type { Limits } from './chat-load/contender.ts';
import {
  byLimits,
  hold,
  type Measured,
  type Pair,
  type Questions,
  questionsOf,
  toMeasured,
} from './chat-load/contest.ts';
import { llamaCppFolder } from './chat-load/peer.ts';
import { type Side, startSide } from './chat-load/side.ts';
import { benchSize } from './chat-load/size.ts';
import { hasWeights, measurePrecisions } from './chat-quality/precisions.ts';
import { withQ4_0 } from './chat-quality/q4-0.ts';
import { progress } from './measure.ts';
import type { BenchOptions } from './run.ts';

/** The peer's weights; ours are made of Q4_0 whatever it has. */
const peerFormats: Record<string, { format: RandomFormat; file: string }> = {
  q4_0: { format: 'q4_0', file: 'model.gguf' },
  q4_k_m: { format: 'q4_k_m', file: 'model-q4-k-m.gguf' },
};
const peerFormat = peerFormats[process.env.LOKAL_BENCH_LLAMA_WEIGHTS ?? ''] ?? peerFormats.q4_0!;
/** Rounds of a full run. */
const fullRuns = Number(process.env.LOKAL_BENCH_CHAT_RUNS) || 5;
const presets: Record<string, Preset> = { quality: 'quality', speed: 'speed', exact_q4_0: 'exact' };
const sides = {
  ours: new URL('./chat-load/ours.ts', import.meta.url),
  llamaCpp: new URL('./chat-load/llama-cpp.ts', import.meta.url),
  memory: new URL('./chat-load/memory.ts', import.meta.url),
  transformersJs: new URL('./chat-load/transformers-js.ts', import.meta.url),
};
/** What llama.cpp says of itself; null until it has been started. */
let peerBuild: string | null = null;
const only = process.env.LOKAL_BENCH_CHAT_ONLY?.split(',') ?? [];

type Comparison = Record<string, Measured>;

/** With milliseconds of processors a token. */
type WithEnergy = Comparison & { cpu_ms: Comparison };

interface Compared {
  measured: WithEnergy;
  /** Of decode_128: tokens a byte that memory gave. */
  perByte: Pair;
}

interface Report {
  [question: string]: Measured | Comparison | null;
  bits_per_weight: Measured;
  kl: Measured;
  memory_share: Measured | null;
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
  const kept = process.env.LOKAL_BENCH_CHAT_FOLDER;
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'lokal-bench-'));
  if (kept) mkdirSync(kept, { recursive: true });
  try {
    const setting = {
      folder,
      size: sizeOf(quick),
      questions: chosen(questionsOf(quick)),
      runs: quick ? 1 : fullRuns,
      quick,
    };
    // A smoke test installs nothing.
    if (!quick) process.env.LOKAL_BENCH_LLAMA_CPP = await llamaCppFolder();
    await writeWeights(setting, peerFormats.q4_0!);
    await writeWeights(setting, peerFormat);
    const divergence = isAsked('kl') || quick ? await measureDivergence(options) : {};
    const result: Record<string, Report> = {};
    for (const [name, preset] of Object.entries(chosen(presets))) {
      progress(`converting: ${preset}`);
      const { bitsPerWeight, weights } = await convert(setting, preset);
      const { measured, perByte } = await compare(setting, preset);
      const embeddings = setting.size.hidden * setting.size.vocab;
      const peerBits = (statSync(join(folder, peerFormat.file)).size * 8) / weights;
      // But for the rows of embeddings that are not looked up; keys and values are halves on both sides.
      const kept = cacheBytes(setting.size);
      const read = {
        ours: (weights * bitsPerWeight - embeddings * embeddingBits(preset)) / 8 + kept,
        peer: ((weights - embeddings) * peerBits) / 8 + kept,
      };
      result[name] = {
        ...measured,
        bits_per_weight: toMeasured(bitsPerWeight, peerBits),
        kl: toMeasured(divergence[preset] ?? null, divergence.exact ?? null),
        memory_share: memoryShare(perByte, read),
      };
    }
    return {
      processor: cpus()[0]?.model ?? 'unknown',
      kernels: (await kernelVerdict(readCustomKernels(process.env))).family,
      peer_build: peerBuild,
      peer_weights: peerFormat.format,
      ...result,
      transformers_js: isAsked('transformers_js') || quick ? await compareWithTransformersJs(setting) : null,
      memory_share: Object.values(result)[0]!.memory_share,
    };
  } finally {
    if (!kept) rmSync(folder, { recursive: true, force: true });
  }
}

async function writeWeights({ folder, size }: Setting, { file, format }: typeof peerFormat): Promise<void> {
  const model = join(folder, file);
  if (existsSync(model)) return;
  progress(`writing the weights: ${format}`);
  // Under its name once it is whole: a kept folder may outlive a run that was cut off.
  await writeRandomGguf(`${model}.part`, size, format);
  renameSync(`${model}.part`, model);
}

/** Asked for by name, or with everything else. */
const isAsked = (name: string): boolean => only.length === 0 || only.includes(name);

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
  const report = join(target, 'converted.json');
  if (existsSync(report)) return JSON.parse(readFileSync(report, 'utf8')) as Converted;
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  const { shape, weights } = await openModelFiles(join(folder, 'model.gguf'));
  const { signal } = new AbortController();
  const options = { shape, source: weights, target, preset, context: 4096, onProgress: () => {}, signal };
  const converted = await convertDecoder(options);
  await weights.close();
  writeFileSync(report, JSON.stringify(converted));
  return converted;
}

async function compare(setting: Setting, preset: Preset): Promise<Compared> {
  const { folder, questions, runs } = setting;
  const all: Comparison = {};
  const cpuMs: Comparison = {};
  let perByte: Pair = { ours: null, peer: null };
  for (const group of byLimits(questions)) {
    const ours = await startOurs(join(folder, preset), group.limits);
    const peer = await startPeer(setting, sides.llamaCpp, join(folder, peerFormat.file), group.limits);
    const memory = await startSide(sides.memory, join(folder, preset));
    peerBuild = peer?.build ?? null;
    try {
      const held = await hold({ ours, peer, memory, questions: group.questions, runs });
      perByte = held.perByte.decode_128 ?? perByte;
      Object.assign(all, held.rates);
      Object.assign(cpuMs, held.cpuMs);
      all.load ??= toMeasured(ours.loadMs, peer?.loadMs ?? null);
      all.memory ??= toMeasured(ours.privateMb, peer?.privateMb ?? null);
    } finally {
      for (const side of [ours, peer, memory]) side?.close();
    }
  }
  return { measured: Object.assign(all, { cpu_ms: cpuMs }) as WithEnergy, perByte };
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

/** Of a weight, with its share of a scale in float32 and of a zero point. */
function embeddingBits(preset: Preset): number {
  const policy = policies[preset](['embedding']);
  const { bits, block } = preset === 'exact' || policy === 'float32' ? { bits: 4, block: 32 } : policy;
  return bits + (32 + bits) / block;
}

/** Of decode_128. */
const cacheBytes = ({ heads, hidden, kvHeads, layers }: LlamaSize): number =>
  128 * layers * kvHeads * (hidden / heads) * 2 * 2;

/**
 * Decoding reads every weight once a token, and keys and values: that traffic as a share of what plain loads of the same weights
 * get right before and after. At 1 no code can be faster without reading less.
 */
function memoryShare(perByte: Pair, bytes: { ours: number; peer: number }): Measured | null {
  if (perByte.ours === null) return null;
  return toMeasured(perByte.ours * bytes.ours, perByte.peer && perByte.peer * bytes.peer);
}
