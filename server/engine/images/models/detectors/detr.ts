/**
 * Detectors that answer with a set of queries: RT-DETR, D-FINE and RF-DETR (a sigmoid a class, the best query-and-class
 * pairs win) and DETR and YOLOS (softmax over classes with a last one for "no object"). ONNX in the Hugging Face layout:
 * `pixel_values` → `logits` `[n, queries, classes]` and `pred_boxes` `[n, queries, 4]`, centre and size, 0..1.
 */
import type { Session } from '../../../onnx/session.ts';
import { Tensor } from '../../../onnx/tensor.ts';
import type { Picture } from '../../input/picture.ts';
import { maxObjects } from '../../limits.ts';
import { type Fitted, sameSize, toPlanes } from '../fit.ts';
import { fitFor, type Preprocessing } from '../hf-files.ts';
import type { Detector } from '../model.ts';
import { fromCentre, type ScoredBox, toObjects } from './boxes.ts';

export interface DetrConfig {
  preprocessing: Preprocessing;
  labels: readonly string[];
  activation: 'sigmoid' | 'softmax';
  threshold: number;
}

/** Families whose classes are judged one by one. */
export const sigmoidFamilies = /^(rt_detr|d_fine|rf_detr|deformable_detr|conditional_detr|lw_detr|dfine)/;

/** Boxes come as shares of the canvas, and the canvas is the whole picture. */
const wholePicture = {
  picture: { width: 1, height: 1 },
  placement: { canvas: { width: 1, height: 1 }, scaleX: 1, scaleY: 1, left: 0, top: 0 },
};

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));

/** @param logits `[queries, classes]` of one picture @param boxes `[queries, 4]` */
export function readQueries(
  logits: Float32Array,
  boxes: Float32Array,
  { activation, threshold }: Pick<DetrConfig, 'activation' | 'threshold'>,
): ScoredBox[] {
  const queries = boxes.length / 4;
  const classes = logits.length / queries;
  const candidates: ScoredBox[] = [];
  for (let query = 0; query < queries; query++) {
    const row = logits.subarray(query * classes, (query + 1) * classes);
    const [x, y, width, height] = boxes.subarray(query * 4, query * 4 + 4);
    const box = fromCentre(x!, y!, width!, height!);
    for (const { label, score } of activation === 'sigmoid' ? eachClass(row) : bestClass(row)) {
      if (score >= threshold) candidates.push({ label, score, box });
    }
  }
  return candidates.sort((a, b) => b.score - a.score).slice(0, Math.min(queries, maxObjects));
}

function* eachClass(row: Float32Array): Generator<{ label: number; score: number }> {
  for (const [label, logit] of row.entries()) yield { label, score: sigmoid(logit) };
}

/** Softmax; the last class is no object. */
function* bestClass(row: Float32Array): Generator<{ label: number; score: number }> {
  const most = row.reduce((best, value) => Math.max(best, value), Number.NEGATIVE_INFINITY);
  const sum = row.reduce((total, value) => total + Math.exp(value - most), 0);
  const label = row.indexOf(most);
  if (label < row.length - 1) yield { label, score: 1 / sum };
}

export class DetrDetector implements Detector {
  readonly #session: Session;
  readonly #config: DetrConfig;

  constructor(session: Session, config: DetrConfig) {
    this.#session = session;
    this.#config = config;
  }

  async detect(pictures: readonly Picture[], signal: AbortSignal) {
    const fitted = await Promise.all(pictures.map((picture) => fitFor(picture, this.#config.preprocessing)));
    const found: ScoredBox[][] = [];
    for (const group of sameSize(fitted)) found.push(...(await this.#run(group, signal)));
    return found.map((candidates) => toObjects(candidates, this.#config.labels, wholePicture));
  }

  async #run(group: readonly Fitted[], signal: AbortSignal): Promise<ScoredBox[][]> {
    const { width, height } = group[0]!.pixels;
    const rows = group.length;
    const data = new Float32Array(rows * 3 * width * height);
    for (const [index, { pixels }] of group.entries()) {
      toPlanes(pixels, this.#config.preprocessing.normalization, data, index * 3 * width * height);
    }
    const inputs: Record<string, Tensor> = {
      pixel_values: new Tensor('float32', data, [rows, 3, height, width]),
    };
    // DETR masks padding; there is none, since only pictures of one size run together.
    const mask = this.#session.inputs.find(({ name }) => name === 'pixel_mask');
    if (mask) {
      const [, maskHeight, maskWidth] = mask.dims.map((dim) => (typeof dim === 'number' ? dim : undefined));
      const dims = [rows, maskHeight ?? height, maskWidth ?? width];
      const count = dims.reduce((product, dim) => product * dim, 1);
      inputs.pixel_mask = new Tensor('int64', new BigInt64Array(count).fill(1n), dims);
    }
    const { logits, pred_boxes: boxes } = await this.#session.run(inputs, { signal });
    const part = (data: Float32Array, index: number) =>
      data.subarray((data.length / rows) * index, (data.length / rows) * (index + 1));
    return group.map((_, index) =>
      readQueries(
        part(logits!.data as Float32Array, index),
        part(boxes!.data as Float32Array, index),
        this.#config,
      ),
    );
  }
}
