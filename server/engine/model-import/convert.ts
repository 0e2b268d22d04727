/**
 * A model's files become a pack: one graph with its weights in a file beside it, and the tokenizer. Where the runtime's
 * kernels serve, the weights are packed for them. Streaming: no more of the weights than one piece is ever in memory.
 */

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CustomKernels } from '../engine.ts';
import { kernelVerdict } from '../onnx/kernels/support.ts';
import { openSession } from '../onnx/open.ts';
import { buildDecoder } from './graph/decoder.ts';
import type { ModelShape, WeightSource } from './graph/model-shape.ts';
import type { Preset } from './types.ts';
import { alignExternalData } from './weights/align-external-data.ts';
import type { WantedPrecision } from './weights/block.ts';
import { checkWeights } from './weights/check-weights.ts';
import { DataFile } from './weights/data-file.ts';
import { QuantizerPool } from './weights/quantizer-pool.ts';
import { ModelWriter, type PrecisionPolicy, type WriteReport } from './weights/weight-writer.ts';

export interface ConvertOptions {
  shape: ModelShape;
  source: WeightSource;
  /** A folder that is there and empty. */
  target: string;
  preset: Preset;
  /** The largest context to serve; no more than the model was made for. */
  context: number;
  /** Weights done so far, of all. */
  onProgress: (done: number, total: number) => void;
  signal: AbortSignal;
  /** Weights as the runtime's kernels want them; default: where it serves. */
  prepacked?: boolean;
  /** Default true. */
  customKernels?: CustomKernels;
}

export interface Converted {
  /** Bits a weight takes on average, scales included. */
  bitsPerWeight: number;
  /** Relative squared error of what was quantized here; 0 for an exact mapping. */
  relativeError: number;
  weights: number;
}

export interface ConvertedPack extends Converted {
  /** `graphName` suits this kind of processor only, and a portable graph lies beside. */
  prepacked: boolean;
}

export const graphName = 'model.onnx';
/** For processors whose kernels want another layout than the one this pack was imported on. */
export const portableGraphName = 'model.portable.onnx';
export const dataName = 'model.data';
const rawGraphName = 'raw.onnx';
const rawDataName = 'raw.data';

/** Packing pays on the runtime's kernels alone: custom ones take weights as they are, and floats need none. */
export const servesPrepacked = async (
  preset: Preset,
  customKernels: CustomKernels = true,
): Promise<boolean> => preset !== 'float32' && (await kernelVerdict(customKernels)).family === null;

/** @throws Error that says what is wrong with the weights; the caller removes the folder */
export async function convertDecoder(options: ConvertOptions): Promise<ConvertedPack> {
  const { preset, target } = options;
  const prepacked = options.prepacked ?? (await servesPrepacked(preset, options.customKernels));
  const converted = await writeGraph({
    ...options,
    precision: policies[preset],
    exactQ4_0: preset === 'exact',
    graph: prepacked ? rawGraphName : graphName,
    data: prepacked ? rawDataName : dataName,
  });
  if (prepacked) await prepack(target);
  return { ...converted, prepacked };
}

export interface WriteGraphOptions extends Omit<ConvertOptions, 'preset' | 'prepacked' | 'customKernels'> {
  precision: PrecisionPolicy;
  exactQ4_0: boolean;
  /** Names of the two files, in `target`. */
  graph: string;
  data: string;
}

/** The graph as any processor takes it: weights are packed while it loads. Small models ship like this. */
export async function writeGraph(options: WriteGraphOptions): Promise<Converted> {
  const { exactQ4_0, precision, shape, signal, source, target } = options;
  checkWeights(shape, source);
  const total = countWeights(shape);
  let done = 0;
  const data = await DataFile.create(join(target, options.data));
  const quantizers = new QuantizerPool();
  const writer = new ModelWriter({
    source,
    data,
    quantizers,
    precision,
    exactQ4_0,
    signal,
    onWeights: (count) => {
      done += count;
      options.onProgress(Math.min(done, total), total);
    },
  });
  try {
    const graph = await buildDecoder(shape, writer, { positions: options.context });
    await writeFile(join(target, options.graph), graph.toModel());
  } finally {
    await quantizers.close();
    await data.close();
  }
  return describeReport(writer.report);
}

/** Normal numbers in blocks of 256 lose 1.0 % of their square; outliers make it more, and the blocks shorter. */
const matrix: WantedPrecision = { bits: 4, block: 256, tolerance: 0.0125 };
const byTable =
  (table: WantedPrecision): PrecisionPolicy =>
  ([first]) =>
    first === 'embedding' || first === 'head' ? table : matrix;

const quality = byTable({ bits: 8, block: 256 });

export const policies: Record<Preset, PrecisionPolicy> = {
  quality,
  speed: byTable({ bits: 4, block: 64 }),
  exact: quality,
  float32: () => 'float32',
};

/** Saves the graph with its weights in the kernels' own layout, once, so that loading maps the file and computes nothing. */
async function prepack(target: string): Promise<void> {
  const session = await openSession(join(target, rawGraphName), {
    threads: 0,
    optimizedModelPath: join(target, graphName),
    config: {
      'session.save_external_prepacked_constant_initializers': '1',
      'session.optimized_model_external_initializers_file_name': dataName,
      // Sizes of splits and the like stay in the graph, where shape inference reads them.
      'session.optimized_model_external_initializers_min_size_in_bytes': '128',
    },
  });
  await session.close();
  const [model, portable, data] = [graphName, portableGraphName, dataName].map((name) =>
    join(target, name),
  ) as [string, string, string];
  await alignExternalData({ model, portable, data });
  await rm(join(target, rawGraphName));
  await rm(join(target, rawDataName));
}

function countWeights(shape: ModelShape): number {
  const { hidden, heads, kvHeads, headDim, ffn, vocab } = shape;
  const perLayer = hidden * headDim * (2 * heads + 2 * kvHeads) + 3 * hidden * ffn;
  return shape.layers.length * perLayer + vocab * hidden * (shape.tiedHead ? 1 : 2);
}

const describeReport = (report: WriteReport): Converted => ({
  bitsPerWeight: report.bits / report.weights,
  relativeError: report.squaredNorm === 0 ? 0 : report.squaredError / report.squaredNorm,
  weights: report.weights,
});
