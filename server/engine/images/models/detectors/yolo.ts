/**
 * Detectors of YOLO's shape: one float picture `[n, 3, side, side]` 0..1, letterboxed on gray 114, and one output whose
 * layout tells the generation:
 *
 *   [n, 4 + classes, cells]   v8, v9, 11: centre and size in pixels, a score a class
 *   [n, cells, 5 + classes]   v5, v7: the same with objectness before the classes
 *   [n, up to 1000, 6]        v10 and other end-to-end exports: corners, score, class, doubles already removed
 */
import type { Session } from '../../../onnx/session.ts';
import { Tensor } from '../../../onnx/tensor.ts';
import type { Picture } from '../../input/picture.ts';
import { type Fitted, letterbox, toPlanes } from '../fit.ts';
import type { Detector } from '../model.ts';
import { fromCentre, type ScoredBox, suppress, toObjects } from './boxes.ts';

export interface YoloConfig {
  side: number;
  labels: readonly string[];
  threshold: number;
  iou: number;
}

const mostEndToEnd = 1000;
const gray = [114, 114, 114] as const;
const bytesToShares = { scale: 1 / 255, mean: [0, 0, 0], std: [1, 1, 1] } as const;

/** @param data one picture's output of shape `[rows, columns]` */
export function readYolo(
  data: Float32Array,
  [rows, columns]: readonly [number, number],
  { threshold, iou }: Pick<YoloConfig, 'threshold' | 'iou'>,
): ScoredBox[] {
  if (columns === 6 && rows <= mostEndToEnd) return readEndToEnd(data, threshold);
  const candidates =
    rows < columns
      ? readCells({ data, cells: columns, classes: rows - 4, first: 4, step: columns, across: 1 }, threshold)
      : readCells({ data, cells: rows, classes: columns - 5, first: 5, step: 1, across: columns }, threshold);
  return suppress(candidates, iou);
}

interface Cells {
  data: Float32Array;
  cells: number;
  classes: number;
  /** Values before the classes: 4 of the box, and objectness where there are 5. */
  first: 4 | 5;
  /** From one value of a cell to its next, and from one cell to the next. */
  step: number;
  across: number;
}

function readCells({ data, cells, classes, first, step, across }: Cells, threshold: number): ScoredBox[] {
  const candidates: ScoredBox[] = [];
  for (let cell = 0; cell < cells; cell++) {
    const value = (index: number) => data[cell * across + index * step]!;
    const objectness = first === 5 ? value(4) : 1;
    if (objectness < threshold) continue;
    let label = 0;
    for (let index = 1; index < classes; index++)
      if (value(first + index) > value(first + label)) label = index;
    const score = objectness * value(first + label);
    if (score < threshold) continue;
    candidates.push({ label, score, box: fromCentre(value(0), value(1), value(2), value(3)) });
  }
  return candidates;
}

function readEndToEnd(data: Float32Array, threshold: number): ScoredBox[] {
  const candidates: ScoredBox[] = [];
  for (let at = 0; at < data.length; at += 6) {
    const [x0, y0, x1, y1, score, label] = data.subarray(at, at + 6);
    if (score! >= threshold)
      candidates.push({ label: Math.round(label!), score: score!, box: [x0!, y0!, x1!, y1!] });
  }
  return candidates.sort((a, b) => b.score - a.score);
}

export class YoloDetector implements Detector {
  readonly #session: Session;
  readonly #config: YoloConfig;
  /** Exports with a fixed batch take one picture at a time. */
  readonly #batch: number;

  constructor(session: Session, config: YoloConfig) {
    this.#session = session;
    this.#config = config;
    const [rows] = session.inputs[0]?.dims ?? [];
    this.#batch = typeof rows === 'number' ? rows : Number.POSITIVE_INFINITY;
  }

  async detect(pictures: readonly Picture[], signal: AbortSignal) {
    const options = {
      side: this.#config.side,
      grid: 1,
      square: true,
      at: 'middle',
      pad: gray,
      kernel: 'linear',
    } as const;
    const fitted = await Promise.all(pictures.map((picture) => letterbox(picture, options)));
    const found: ScoredBox[][] = [];
    if (this.#batch >= fitted.length) found.push(...(await this.#run(fitted, signal)));
    else for (const each of fitted) found.push(...(await this.#run([each], signal)));
    return found.map((candidates, index) =>
      toObjects(candidates, this.#config.labels, {
        picture: pictures[index]!,
        placement: fitted[index]!.placement,
      }),
    );
  }

  async #run(fitted: readonly Fitted[], signal: AbortSignal): Promise<ScoredBox[][]> {
    const { side } = this.#config;
    const size = 3 * side * side;
    const data = new Float32Array(fitted.length * size);
    for (const [index, { pixels }] of fitted.entries()) toPlanes(pixels, bytesToShares, data, index * size);
    const input = new Tensor('float32', data, [fitted.length, 3, side, side]);
    const outputs = await this.#session.run({ [this.#session.inputs[0]!.name]: input }, { signal });
    const output = outputs[this.#session.outputs[0]!.name]!;
    const [, rows = 0, columns = 0] = output.dims;
    const values = output.data as Float32Array;
    return fitted.map((_, index) =>
      readYolo(
        values.subarray(index * rows * columns, (index + 1) * rows * columns),
        [rows, columns],
        this.#config,
      ),
    );
  }
}
