/**
 * Chooses where a decoder runs. A driver can load a graph, run it and still be wrong, or be slower than the processor; so each
 * provider is validated first, by a short run, and serves only when it gives the processor's answers and gives them sooner.
 */
import type { EngineOptions } from '../../engine.ts';
import { OnnxError } from '../../onnx/errors.ts';
import type { PlacedSession } from '../../onnx/open.ts';
import { disagreement } from '../../onnx/providers/canary.ts';
import type { Limits } from '../limits.ts';
import type { ChatPack } from '../pack.ts';
import type { KvStore } from '../schedule/kv-cache.ts';
import { DeviceRunner } from './device-runner.ts';
import { ExternalDecoderRunner } from './external-decoder-runner.ts';
import { ModelRunner } from './model-runner.ts';

/** Our own graph, or one that came as ONNX, whose cache is as it says. */
export type Runner = Pick<ModelRunner, 'vocabulary' | 'positionBytes' | 'run' | 'close'> &
  Partial<Pick<ModelRunner, 'calibrate'>> & { allocate(limits: Limits): KvStore };

export interface SelectedRunner extends Omit<PlacedSession, 'session'> {
  runner: Runner;
}

/** @throws EngineError and OnnxError when not even the processor takes the graph */
export async function selectProvider(
  pack: ChatPack,
  {
    customKernels = true,
    providers,
    threads,
  }: Pick<EngineOptions, 'customKernels' | 'providers' | 'threads'>,
): Promise<SelectedRunner> {
  const { context, graphPath, io, settings } = pack;
  if (io)
    return {
      runner: await ExternalDecoderRunner.open(graphPath, io, { threads, customKernels }),
      provider: 'cpu',
      refused: [],
    };
  const int8KvCache = settings.int8_kv_cache === true;
  const processor = await ModelRunner.open(graphPath, { threads, int8KvCache, customKernels });
  const onlyProcessor = int8KvCache || context < validationPositions;
  const devices = onlyProcessor ? [] : providers.filter((name) => name !== 'cpu');
  const refused: SelectedRunner['refused'] = [];
  try {
    const expected = devices.length > 0 ? await runValidation(processor) : null;
    for (const provider of devices) {
      const tried = await validateDevice(pack, { provider, threads }, expected!);
      if (typeof tried !== 'string') {
        await processor.close();
        return { runner: tried, provider, refused };
      }
      refused.push({ provider, detail: tried });
    }
  } catch (error) {
    await processor.close();
    throw error;
  }
  return { runner: processor, provider: 'cpu', refused };
}

/** More tokens than a vector of a faulty driver; then some after them, as speculation runs; then one by one. */
const validation = { prompt: 48, draft: 4, single: 6 };
const validationPositions = validation.prompt + validation.draft + validation.single;
/**
 * The processor's kernels round what they multiply to 8 bits: at every place .9986 or more was measured between them and
 * float32. A device whose attention left out a model's softcap came to .989, one that was wrong beyond 32 tokens to .8 to .99.
 */
const leastCosine = 0.995;

export interface Validation {
  /** Of every wanted place. */
  logits: Float32Array[];
  /** Milliseconds of a prompt and as many single tokens. */
  time: number;
}

/** Runs the validation in the first slot of a runner; its cache is made for it. */
export async function runValidation(runner: Runner): Promise<Validation> {
  const { draft, prompt, single } = validation;
  runner.allocate({ slots: 2, positions: validationPositions });
  const { signal } = new AbortController();
  const token = (place: number) => (place * 29 + 7) % runner.vocabulary;
  const logits: Float32Array[] = [];
  const run = async (past: number, count: number): Promise<number> => {
    const tokens = Array.from({ length: count }, (_, at) => token(past + at));
    const wanted = tokens.map((_, at) => at).slice(-draft);
    const start = performance.now();
    const all = await runner.run({ slot: 0, rows: [{ tokens, past }], wanted }, signal);
    const time = performance.now() - start;
    const width = runner.vocabulary;
    for (const index of wanted.keys()) logits.push(all.slice(index * width, (index + 1) * width));
    return time;
  };
  // The first run of a shape compiles and allocates.
  await run(0, prompt);
  const promptTime = await run(0, prompt);
  await run(prompt, draft);
  const times: number[] = [];
  for (let at = 0; at < single; at += 1) times.push(await run(prompt + draft + at, 1));
  return { logits, time: promptTime + prompt * Math.min(...times) };
}

/** The runner, or why it is not to serve. */
async function validateDevice(
  { graphPath, portablePath }: ChatPack,
  options: { provider: string; threads: number },
  expected: Validation,
): Promise<DeviceRunner | string> {
  let runner: DeviceRunner | null = null;
  try {
    // Weights packed for the processor's kernels are of no use to others.
    runner = await DeviceRunner.open(portablePath ?? graphPath, options);
    const reason = objection(expected, await runValidation(runner));
    if (reason === null) return runner;
    await runner.close();
    return reason;
  } catch (error) {
    await runner?.close();
    if (!(error instanceof OnnxError)) throw error;
    return error.detail;
  }
}

/** Reason against a provider; null: none. */
export function objection(processor: Validation, device: Validation): string | null {
  for (const [place, expected] of processor.logits.entries()) {
    const apart = disagreement(expected, device.logits[place]!, { leastCosine, largestDifference: 1 });
    if (apart !== undefined) return apart;
  }
  if (device.time < processor.time) return null;
  return `it is slower than the processor (${(processor.time / device.time).toFixed(2)} of its speed)`;
}
