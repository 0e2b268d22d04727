/** Detector and recognizer on onnxruntime: PP-OCR exports, the shipped ones or those of an imported pack. */

import { EngineError } from '../../../engine.ts';
import { foldAffine } from '../../../onnx/graph/fold-affine.ts';
import { openSession } from '../../../onnx/open.ts';
import type { Session } from '../../../onnx/session.ts';
import { Tensor } from '../../../onnx/tensor.ts';
import type { RecognitionAssets } from './assets.ts';
import type { PixelTensor, TextModels, TopKScores } from './text-models.ts';
import { withTopK } from './top-k-graph.ts';

/** Runs one function at a time for each lane, so that two crops are read at once and no more. */
class Lanes {
  #free: number;
  #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}

const toTensor = ({ data, count, height, width }: PixelTensor): Tensor =>
  new Tensor('float32', data, [count, 3, height, width]);

export class OnnxTextModels implements TextModels {
  readonly characters: readonly string[];
  readonly cropHeightPx = 48;
  readonly #detector: Session;
  readonly #reader: Session;
  readonly #lanes: Lanes;

  private constructor(
    sessions: { detector: Session; reader: Session },
    characters: string[],
    threads: number,
  ) {
    this.#detector = sessions.detector;
    this.#reader = sessions.reader;
    this.characters = characters;
    this.#lanes = new Lanes(threads);
  }

  /** @throws OnnxError for files that are no models, EngineError for models of another kind. */
  static async open(assets: RecognitionAssets, threads: number): Promise<OnnxTextModels> {
    const characters = ['', ...assets.dictionary, ' '];
    // Sizes change from page to page: a plan for one of them would be remade each time.
    const detector = await openSession(foldAffine(assets.detector), {
      threads,
      memoryPattern: false,
      // Threads that wait by spinning take a core from whatever else is read.
      config: { 'session.intra_op.allow_spinning': '0' },
    });
    try {
      const model = withTopK(foldAffine(assets.recognizer), characters.length);
      // Crops are short: two runs at once use two cores better than two threads in one run.
      const reader = await openSession(model, { threads: 1, memoryPattern: false });
      return new OnnxTextModels({ detector, reader }, characters, threads);
    } catch (error) {
      await detector.close();
      throw error;
    }
  }

  async findText(pixels: PixelTensor): Promise<Float32Array> {
    using input = toTensor(pixels);
    const result = await this.#detector.run({ [this.#detector.inputs[0]!.name]: input });
    return Object.values(result)[0]!.data as Float32Array;
  }

  read(crops: PixelTensor): Promise<TopKScores> {
    return this.#lanes.run(async () => {
      using input = toTensor(crops);
      const outputs = ['best_scores', 'best_classes', 'blank_scores'];
      const result = await this.#reader.run({ [this.#reader.inputs[0]!.name]: input }, { outputs });
      const scores = result.best_scores!;
      return {
        timesteps: scores.dims[1]!,
        scores: scores.data as Float32Array,
        classes: Int32Array.from(result.best_classes!.data as BigInt64Array, Number),
        blanks: result.blank_scores!.data as Float32Array,
      };
    });
  }

  /** @throws EngineError where the recognizer has another number of classes than its dictionary. */
  async check(): Promise<void> {
    const [height, width] = [this.cropHeightPx, 96];
    const white = { data: new Float32Array(3 * height * width).fill(1), count: 1, height, width };
    await this.read(white);
    const classes = this.#reader.outputs[0]!.dims.at(-1);
    if (typeof classes === 'number' && classes !== this.characters.length)
      throw new EngineError(
        'internal_error',
        `The recognizer has ${classes} classes and its dictionary ${this.characters.length}.`,
      );
  }

  async close(): Promise<void> {
    await Promise.all([this.#detector.close(), this.#reader.close()]);
  }
}
