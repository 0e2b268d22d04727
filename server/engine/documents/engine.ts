/** The documents engine: parses documents in threads of its host, which holds the networks of text recognition. */

import { availableParallelism } from 'node:os';
import type { Engine, EngineOptions, EnginePack } from '../engine.ts';
import { OnnxTextModels } from '../vision/ocr/models/onnx-models.ts';
import { packAssets } from '../vision/ocr/models/pack-assets.ts';
import { recognize } from '../vision/ocr/recognize.ts';
import {
  deadlineMs,
  maxHostResidentBytes,
  maxHostResidentBytesOfSmall,
  maxResidentBytesForSecondThread,
  maxResidentBytesToBegin,
  minSecondThreadProcessors,
} from './limits.ts';
import { ParsingThread } from './thread/parsing-thread.ts';
import { ParsingThreads } from './thread/parsing-threads.ts';
import { readVocabulary } from './vocabulary/read-vocabulary.ts';

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

export async function openEngine(pack: EnginePack, options: EngineOptions, replaceHost?: () => void) {
  const lazy = new LazyModels(pack, options.threads);
  const data = await readVocabulary(pack);
  const openThread = (maxResidentBytes: number) =>
    new ParsingThread(() => lazy.open(), { data, maxResidentBytes, ...(replaceHost && { replaceHost }) });
  const hasRoom = (): boolean =>
    availableParallelism() >= minSecondThreadProcessors &&
    process.memoryUsage.rss() < maxResidentBytesForSecondThread;
  const isFull = (): boolean => process.memoryUsage.rss() > maxResidentBytesToBegin;
  const thread = new ParsingThreads(
    openThread(maxHostResidentBytes),
    () => (hasRoom() ? openThread(maxHostResidentBytesOfSmall) : null),
    { isFull, replace: replaceHost },
  );
  return {
    methods: {
      parse: (params, context) => thread.stream('parse', params, context),
      pageCount: (params, context) => thread.call('pageCount', params, context),
      pageImage: (params, context) => thread.call('pageImage', params, context),
      pageLines: (params, context) => thread.call('pageLines', params, context),
      redact: (params, context) => thread.call('redact', params, context),
      searchablePdf: (params, context) => thread.call('searchablePdf', params, context),
      groundValues: (params, context) => thread.call('groundValues', params, context),
    },
    check: async () => {
      const white = { width: 64, height: 64, data: new Uint8Array(3 * 64 * 64).fill(255) };
      const models = await lazy.open();
      await recognize(white, models);
      await models.check();
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
  } satisfies Engine<'documents'>;
}

export type DocumentsEngine = Awaited<ReturnType<typeof openEngine>>;
