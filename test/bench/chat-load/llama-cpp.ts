/**
 * llama.cpp's side, through node-llama-cpp's own batching: `llama-cpp.ts MODEL.gguf THREADS [SEQUENCES POSITIONS]`, with the package's folder
 * (peer.ts) in LOKAL_BENCH_LLAMA_CPP.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  answering,
  type Contender,
  type FromContender,
  type Loaded,
  readLimits,
  serveContender,
} from './contender.ts';

const [path = '', threads = '1', ...sizes] = process.argv.slice(2);
const { positions, sequences } = readLimits(sizes);
const batch = 512;

/** The parts of the package that are used; the batch calls are not of its public interface. */
interface NativeContext {
  setThreads(threads: number): void;
  disposeSequence(sequence: number): void;
  /** Of positions `from` to `to`; −1: to the end. */
  removeTokenCellsFromSequence(sequence: number, from: number, to: number): boolean;
  initBatch(size: number): void;
  addToBatch(sequence: number, past: number, tokens: Uint32Array, wanted: Uint32Array): number[];
  decodeBatch(): Promise<void>;
  sampleToken(index: number, sampler: unknown): Promise<number>;
}

async function load(): Promise<Loaded> {
  const folder = process.env.LOKAL_BENCH_LLAMA_CPP;
  if (!folder) throw new Error('LOKAL_BENCH_LLAMA_CPP names no folder of node-llama-cpp');
  const dist = join(folder, 'dist');
  const importFrom = (file: string) => import(pathToFileURL(join(dist, file)).href);
  const { getLlama, LlamaLogLevel } = await importFrom('index.js');
  const { LlamaSampler } = await importFrom('evaluator/LlamaContext/LlamaSampler.js');
  const llama = await getLlama({
    ...{ gpu: false, build: 'never', skipDownload: true, progressLogs: false },
    ...{ logLevel: LlamaLogLevel.error, maxThreads: Number(threads) },
  });
  const model = await llama.loadModel({ modelPath: path, checkTensors: false });
  const context = await model.createContext({
    ...{ contextSize: positions, sequences, batchSize: batch, threads: Number(threads) },
    ignoreMemorySafetyChecks: true,
  });
  const native = context._ctx as NativeContext;
  native.setThreads(Number(threads));
  const sampler = new LlamaSampler(model);
  sampler._sampler.applyConfig({ temperature: 0, topK: 0 });
  const contender = toContender(native, (index) => native.sampleToken(index, sampler._sampler));
  const taken = [...llama.systemInfo.matchAll(/(\w+) = 1/g)].map(([, name]) => name);
  return {
    ask: answering(contender),
    build: `llama.cpp ${llama.llamaCppRelease.release}: ${taken.join(' ')}`,
  };
}

function toContender(native: NativeContext, sample: (index: number) => Promise<number>): Contender {
  return {
    async prefill(sequence, tokens) {
      native.disposeSequence(sequence);
      for (let past = 0; past < tokens.length; past += batch) {
        const part = Uint32Array.from(tokens.slice(past, past + batch));
        native.initBatch(part.length);
        const [index] = native.addToBatch(sequence, past, part, Uint32Array.of(part.length - 1));
        await native.decodeBatch();
        await sample(index!);
      }
    },
    rewind: (sequence, length) => void native.removeTokenCellsFromSequence(sequence, length, -1),
    async step(tokens, pasts) {
      native.initBatch(tokens.length);
      const places = tokens.map(
        (token, at) => native.addToBatch(at, pasts[at]!, Uint32Array.of(token), Uint32Array.of(0))[0]!,
      );
      await native.decodeBatch();
      const next: number[] = [];
      for (const place of places) next.push(await sample(place));
      return next;
    },
  };
}

try {
  await serveContender(load);
} catch (error) {
  const absent: FromContender = { absent: (error as Error).message };
  process.send!(absent);
}
