/**
 * The converter as an engine: a process of its own turns a model's files into a pack folder, so that hours of arithmetic
 * and hostile files stay away from the server. Its pack is the folder it writes to.
 */
import { basename } from 'node:path';
import type { CallContext, CustomKernels, Engine, EngineOptions, EnginePack } from '../engine.ts';
import { EngineError } from '../engine.ts';
import { describeFileDefect } from '../file-defect.ts';
import { convertDecoder } from './convert.ts';
import { writePackFiles } from './decoder-pack-files.ts';
import { estimateModel } from './estimate.ts';
import { estimateOnnx, importOnnxDecoder } from './import-onnx.ts';
import { openModelFiles } from './model-files.ts';
import { findOnnxDecoder } from './sources/onnx-decoder.ts';
import type { ConvertParams, ConvertProgress, ModelEstimate } from './types.ts';

/** Memory for keys and values grows with the context; who has it asks for more. */
const usualContext = 8192;

export async function openEngine(
  pack: EnginePack,
  { customKernels = true }: Pick<EngineOptions, 'customKernels'> = {},
): Promise<Engine<'model-import'>> {
  return {
    methods: {
      convert: (params, context) => convert(params, { target: pack.folder, customKernels }, context),
      estimate: ({ source }) => estimate(source, customKernels),
    },
    info: {},
    close: async () => {},
  };
}

async function* convert(
  params: ConvertParams,
  into: { target: string; customKernels: CustomKernels },
  { signal }: CallContext,
): AsyncGenerator<ConvertProgress> {
  try {
    const progress = new Progress();
    const done = writePack(params, { ...into, signal, onProgress: progress.report }).finally(progress.end);
    yield* progress.items();
    await done;
  } catch (error) {
    if (signal.aborted) throw error;
    throw toRefusal(error, params.source);
  }
}

interface PackWriting {
  target: string;
  customKernels: CustomKernels;
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
}

async function writePack(
  { source, preset, context: most }: ConvertParams,
  writing: PackWriting,
): Promise<void> {
  const contextOf = (model: { context: number }) => Math.min(model.context, most ?? usualContext);
  const decoder = await findOnnxDecoder(source);
  if (decoder) return importOnnxDecoder({ ...writing, decoder, source, context: contextOf(decoder) });
  const files = await openModelFiles(source);
  try {
    const { shape, weights } = files;
    const context = contextOf(shape);
    const converted = await convertDecoder({ ...writing, shape, source: weights, preset, context });
    await writePackFiles({ files, target: writing.target, preset, context, converted, source });
  } finally {
    await files.weights.close();
  }
}

/** Reads headers alone and writes nothing. */
async function estimate(source: string, customKernels: CustomKernels): Promise<ModelEstimate> {
  try {
    const decoder = await findOnnxDecoder(source);
    if (decoder) return estimateOnnx(decoder, Math.min(decoder.context, usualContext));
    const files = await openModelFiles(source);
    try {
      return await estimateModel(files, Math.min(files.shape.context, usualContext), customKernels);
    } finally {
      await files.weights.close();
    }
  } catch (error) {
    throw toRefusal(error, source);
  }
}

/** The converter's own messages name what is wrong with the person's file, whose name goes before; they hold no payload. */
const toRefusal = (error: unknown, source: string): EngineError =>
  error instanceof EngineError
    ? error
    : new EngineError(
        'invalid_value',
        `${JSON.stringify(basename(source))} is not imported: ${describeFileDefect(error)}.`,
        'path',
      );

/** Turns callbacks into items; only the latest is kept while nobody asks. */
class Progress {
  private latest: ConvertProgress | null = null;
  private ended = false;
  private wake = () => {};

  readonly report = (done: number, total: number): void => {
    this.latest = { done, total };
    this.wake();
  };

  readonly end = (): void => {
    this.ended = true;
    this.wake();
  };

  async *items(): AsyncGenerator<ConvertProgress> {
    while (!this.ended) {
      const item = this.latest;
      this.latest = null;
      if (item) yield item;
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
    }
  }
}
