/** The documents engine: parses documents in a thread of its host, which holds the networks of text recognition. */

import type { CallContext, Engine, EngineOptions, EnginePack, OpenEngine } from '../engine.ts';
import { OnnxTextModels } from '../vision/ocr/models/onnx-models.ts';
import { packAssets } from '../vision/ocr/models/pack-assets.ts';
import { recognize } from '../vision/ocr/recognize.ts';
import { deadlineMs } from './limits.ts';
import { ParsingThread } from './parsing-thread.ts';
import type {
  GroundedFields,
  GroundParams,
  PageImageParams,
  PageLine,
  PageLinesParams,
  ParseItem,
  ParseParams,
} from './types.ts';

async function first<T>(items: AsyncGenerator<unknown>): Promise<T> {
  for await (const item of items) return item as T;
  throw new Error('the parsing thread gave no answer');
}

export interface DocumentsEngine extends Engine {
  methods: {
    /** Progress items, then one result. */
    parse(params: ParseParams, context: CallContext): AsyncGenerator<ParseItem>;
    /** One page as PNG. */
    pageImage(params: PageImageParams, context: CallContext): Promise<{ png: Uint8Array }>;
    /** The lines of one page, as they were read. */
    pageLines(params: PageLinesParams, context: CallContext): Promise<{ lines: PageLine[] }>;
    pageCount(params: { bytes: Uint8Array }, context: CallContext): Promise<{ pages: number }>;
    /** What a chat pack answered: kept where it stands on the pages. */
    groundValues(params: GroundParams, context: CallContext): Promise<GroundedFields>;
    /** The smoke test of an import: the networks open and run. */
    check(params: null, context: CallContext): Promise<null>;
  };
}

/** Sessions that open at the first scan: born-digital documents never need them. */
class LazyModels {
  readonly #pack: EnginePack;
  readonly #threads: number;
  #opened: Promise<OnnxTextModels> | null = null;

  constructor(pack: EnginePack, threads: number) {
    this.#pack = pack;
    this.#threads = threads;
  }

  open(): Promise<OnnxTextModels> {
    this.#opened ??= packAssets(this.#pack)
      .then((assets) => OnnxTextModels.open(assets, this.#threads))
      .catch((error: unknown) => {
        this.#opened = null;
        throw error;
      });
    return this.#opened;
  }

  async close(): Promise<void> {
    await (await this.#opened?.catch(() => null))?.close();
  }
}

export const openEngine = (async (pack: EnginePack, options: EngineOptions): Promise<DocumentsEngine> => {
  const lazy = new LazyModels(pack, options.threads);
  const thread = new ParsingThread(() => lazy.open());
  return {
    methods: {
      parse: (params, { signal }) =>
        thread.call({ method: 'parse', params }, signal) as AsyncGenerator<ParseItem>,
      pageImage: async (params, { signal }) => ({
        png: await first<Uint8Array>(thread.call({ method: 'pageImage', params }, signal)),
      }),
      pageLines: async (params, { signal }) => ({
        lines: await first<PageLine[]>(thread.call({ method: 'pageLines', params }, signal)),
      }),
      pageCount: async (params, { signal }) => ({
        pages: await first<number>(thread.call({ method: 'pageCount', params }, signal)),
      }),
      groundValues: (params, { signal }) =>
        first<GroundedFields>(thread.call({ method: 'groundValues', params }, signal)),
      check: async () => {
        const white = { width: 64, height: 64, data: new Uint8Array(3 * 64 * 64).fill(255) };
        const models = await lazy.open();
        await recognize(white, models);
        await models.check();
        return null;
      },
    },
    info: {
      reader: 'pdf.js',
      recognizer: pack.manifest.recognition ? pack.ref : 'PP-OCRv4',
      provider: 'cpu',
      deadline_ms: deadlineMs,
    },
    close: async () => {
      await thread.close();
      await lazy.close();
    },
  };
}) satisfies OpenEngine;
