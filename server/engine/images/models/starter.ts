/** The two networks of the vision starter: a detector of page and screen parts and a classifier of kinds of pictures. */
import type { EngineOptions } from '../../engine.ts';
import { openOnFirst } from '../../onnx/open.ts';
import type { Session } from '../../onnx/session.ts';
import { Tensor } from '../../onnx/tensor.ts';
import type { Picture, Pixels } from '../input/picture.ts';
import { roundScore, type ScoredBox, suppress, toObjects } from './detectors/boxes.ts';
import { type Fitted, letterbox, sameSize } from './fit.ts';
import type { Detector, SceneModel, VisionModel } from './model.ts';
import {
  readVisionStarterConfig,
  starterFiles,
  toNames,
  type VisionStarterConfig,
} from './starter-config.ts';

/** Equal sizes in one tensor `[n, height, width, 3]` of bytes. */
function toBytes(batch: readonly Pixels[]): Tensor {
  const [first] = batch;
  const { width, height } = first!;
  if (batch.length === 1) return new Tensor('uint8', asBytes(first!.data), [1, height, width, 3]);
  const data = new Uint8Array(batch.length * width * height * 3);
  for (const [index, pixels] of batch.entries()) data.set(pixels.data, index * width * height * 3);
  return new Tensor('uint8', data, [batch.length, height, width, 3]);
}

/** A Buffer is a Uint8Array, but tensors ask for the type itself. */
const asBytes = (data: Uint8Array): Uint8Array =>
  new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

const logit = (score: number): number => Math.log(score / (1 - score));

/** The probability that a detection of this score is right, from the pack's calibration (Platt scaling). */
function calibrate(score: number, { slope, intercept }: { slope: number; intercept: number }): number {
  const bounded = Math.min(1 - 1e-6, Math.max(1e-6, score));
  return 1 / (1 + Math.exp(-(slope * logit(bounded) + intercept)));
}

/**
 * Indoors, outdoors, day and night are learnt from drawn scenes. Of real photographs they tell hardly more than chance
 * (models/packs/vision-starter/README.md), and their scores say so.
 */
const attributeCurve = { slope: 0.05, intercept: 0 };

class StarterDetector implements Detector {
  readonly #session: Session;
  readonly #config: VisionStarterConfig['detector'];
  readonly #labels: string[];
  readonly #thresholds: number[];

  constructor(session: Session, config: VisionStarterConfig['detector']) {
    this.#session = session;
    this.#config = config;
    this.#labels = config.labels.map(({ id }) => id);
    this.#thresholds = this.#labels.map((id) => config.thresholds[id] ?? 0.5);
  }

  async detect(pictures: readonly Picture[], signal: AbortSignal) {
    const { size, stride, pad } = this.#config.input;
    const options = { side: size, grid: stride, square: false, at: 'corner', pad, kernel: 'linear' } as const;
    const fitted = await Promise.all(pictures.map((picture) => letterbox(picture, options)));
    const found: ScoredBox[][] = [];
    for (const group of sameSize(fitted)) found.push(...(await this.#run(group, signal)));
    return found.map((candidates, index) =>
      toObjects(candidates, this.#labels, {
        picture: pictures[index]!,
        placement: fitted[index]!.placement,
      }),
    );
  }

  async #run(group: readonly Fitted[], signal: AbortSignal): Promise<ScoredBox[][]> {
    const pixels = toBytes(group.map((each) => each.pixels));
    const { boxes, scores } = await this.#session.run({ pixels }, { signal });
    const cells = boxes!.dims[1]!;
    return group.map((_, index) =>
      this.#read(
        (boxes!.data as Float32Array).subarray(index * cells * 4, (index + 1) * cells * 4),
        (scores!.data as Float32Array).subarray(
          index * cells * this.#labels.length,
          (index + 1) * cells * this.#labels.length,
        ),
      ),
    );
  }

  #read(boxes: Float32Array, scores: Float32Array): ScoredBox[] {
    const count = this.#labels.length;
    const candidates: ScoredBox[] = [];
    for (let at = 0; at < scores.length; at++) {
      const label = at % count;
      const score = scores[at]!;
      if (!(score >= this.#thresholds[label]!)) continue;
      const cell = ((at - label) / count) * 4;
      candidates.push({
        label,
        score,
        box: [boxes[cell]!, boxes[cell + 1]!, boxes[cell + 2]!, boxes[cell + 3]!],
      });
    }
    const { nms, calibration } = this.#config;
    return suppress(candidates, nms.iou, nms.max_boxes).map((candidate) => {
      const curve = calibration[this.#labels[candidate.label]!];
      return curve ? { ...candidate, score: calibrate(candidate.score, curve) } : candidate;
    });
  }
}

class StarterScenes implements SceneModel {
  readonly #session: Session;
  readonly #config: VisionStarterConfig['scene'];

  constructor(session: Session, config: VisionStarterConfig['scene']) {
    this.#session = session;
    this.#config = config;
  }

  async score(pictures: readonly Picture[], signal: AbortSignal): Promise<Record<string, number>[]> {
    const { width, pad } = this.#config.input;
    const options = { side: width, grid: 1, square: true, at: 'middle', pad, kernel: 'linear' } as const;
    const fitted = await Promise.all(pictures.map((picture) => letterbox(picture, options)));
    const pixels = toBytes(fitted.map((each) => each.pixels));
    const { kinds, attributes } = await this.#session.run({ pixels }, { signal });
    return pictures.map((_, index) =>
      this.#toScores(rowOf(kinds!.data as Float32Array, index, pictures.length), {
        attributes: rowOf(attributes!.data as Float32Array, index, pictures.length),
      }),
    );
  }

  /** Kinds, their groups, and attributes, which mean something for photographs only and are weighed so. */
  #toScores(kinds: Float32Array, { attributes }: { attributes: Float32Array }): Record<string, number> {
    const scores: Record<string, number> = {};
    const groups = new Map<string, number>();
    for (const [index, { id, group }] of this.#config.kinds.entries()) {
      scores[id] = roundScore(kinds[index]!);
      groups.set(group, (groups.get(group) ?? 0) + kinds[index]!);
    }
    for (const [group, sum] of groups) scores[group] = roundScore(sum);
    const photograph = groups.get('photograph') ?? 0;
    for (const [index, { id }] of this.#config.attributes.entries()) {
      scores[id] = roundScore(calibrate(attributes[index]!, attributeCurve) * photograph);
    }
    return scores;
  }
}

const rowOf = (data: Float32Array, index: number, rows: number): Float32Array =>
  data.subarray((data.length / rows) * index, (data.length / rows) * (index + 1));

/** @throws EngineError when the pack is not as its README says */
export async function openVisionStarter(folder: string, options: EngineOptions): Promise<VisionModel> {
  const config = await readVisionStarterConfig(folder);
  const open = (path: string, graph?: string) =>
    openOnFirst(options.providers, starterFiles.path(folder, path), {
      threads: options.threads,
      memoryPattern: false,
      ...(graph && { graph }),
    });
  const detector = await open(config.detector.model, 'detector');
  const scenes = await open(config.scene.model).catch(async (error: unknown) => {
    await detector.session.close();
    throw error;
  });
  return {
    objects: new StarterDetector(detector.session, config.detector),
    scenes: new StarterScenes(scenes.session, config.scene),
    names: toNames(config),
    readsCodes: true,
    settlesShapes: true,
    provider: detector.provider,
    refused: detector.refused,
    close: async () => {
      await Promise.all([detector.session.close(), scenes.session.close()]);
    },
  };
}
