/**
 * The converter as an engine: a process of its own turns a model's files into a pack folder, so that hours of arithmetic
 * and hostile files stay away from the server. Its pack is the folder it writes to.
 */
import type { CallContext, Engine, EnginePack } from '../../engine.ts';
import { EngineError } from '../../engine.ts';
import { convertDecoder, type Preset } from './convert.ts';
import { estimateModel, type ModelEstimate } from './estimate.ts';
import { openModelFiles } from './model-files.ts';
import { writePackFiles } from './pack-files.ts';

export interface ConvertParams {
  /** A folder with config.json and safetensors, or a .gguf file. */
  source: string;
  preset: Preset;
  /** The largest context to serve; null: the model's own, up to 8,192. */
  context: number | null;
}

export type ConvertItem = { kind: 'progress'; done: number; total: number } | { kind: 'result' };

/** Memory for keys and values grows with the context; who has it asks for more. */
const usualContext = 8192;

export async function openEngine(pack: EnginePack): Promise<Engine> {
  return {
    methods: {
      convert: (params: ConvertParams, context) => convert(params, pack.folder, context),
      estimate: ({ source }: Pick<ConvertParams, 'source'>) => estimate(source),
    },
    info: {},
    close: async () => {},
  };
}

async function* convert(
  params: ConvertParams,
  target: string,
  { signal }: CallContext,
): AsyncGenerator<ConvertItem> {
  try {
    const files = await openModelFiles(params.source);
    try {
      const { shape } = files;
      const context = Math.min(shape.context, params.context ?? usualContext);
      const progress = new Progress();
      const done = convertDecoder({
        shape,
        source: files.weights,
        target,
        preset: params.preset,
        context,
        onProgress: progress.report,
        signal,
      }).finally(progress.end);
      yield* progress.items();
      const converted = await done;
      await writePackFiles({
        files,
        target,
        preset: params.preset,
        context,
        converted,
        source: params.source,
      });
      yield { kind: 'result' };
    } finally {
      await files.weights.close();
    }
  } catch (error) {
    if (signal.aborted) throw error;
    throw toRefusal(error);
  }
}

/** Reads headers alone and writes nothing. */
async function estimate(source: string): Promise<ModelEstimate> {
  try {
    const files = await openModelFiles(source);
    try {
      return estimateModel(files, Math.min(files.shape.context, usualContext));
    } finally {
      await files.weights.close();
    }
  } catch (error) {
    throw toRefusal(error);
  }
}

/** The converter's own messages name what is wrong with the person's file; they hold no payload. */
const toRefusal = (error: unknown): EngineError =>
  error instanceof EngineError ? error : new EngineError('invalid_value', (error as Error).message, 'path');

/** Turns callbacks into items; only the latest is kept while nobody asks. */
class Progress {
  private latest: ConvertItem | null = null;
  private ended = false;
  private wake = () => {};

  readonly report = (done: number, total: number): void => {
    this.latest = { kind: 'progress', done, total };
    this.wake();
  };

  readonly end = (): void => {
    this.ended = true;
    this.wake();
  };

  async *items(): AsyncGenerator<ConvertItem> {
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
