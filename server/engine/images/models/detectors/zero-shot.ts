/**
 * Scene scores by comparing a picture with sentences: CLIP (softmax over all labels) and SigLIP (each label by itself).
 * ONNX in the Hugging Face layout, text and picture in one graph: `logits_per_image` `[pictures, labels]`, with the
 * learnt scale and bias already in it. The labels are the pack's own and may be edited in its manifest.
 */
import type { Tokenizer } from '@huggingface/tokenizers';
import type { Session } from '../../../onnx/session.ts';
import { Tensor } from '../../../onnx/tensor.ts';
import type { Picture } from '../../input/picture.ts';
import { cropMiddle, stretch, toPlanes } from '../fit.ts';
import type { Preprocessing } from '../hf-files.ts';
import type { SceneModel } from '../model.ts';
import { roundScore } from './boxes.ts';

export interface ZeroShotConfig {
  preprocessing: Preprocessing;
  /** Label and the sentence it is compared by. */
  labels: readonly { id: string; prompt: string }[];
  activation: 'softmax' | 'sigmoid';
  /** Texts are padded to it. */
  textTokens: number;
  padToken: number;
}

/** @param logits of one picture, a number a label */
export function toScores(logits: Float32Array, activation: ZeroShotConfig['activation']): number[] {
  if (activation === 'sigmoid') return Array.from(logits, (logit) => 1 / (1 + Math.exp(-logit)));
  const most = logits.reduce((best, value) => Math.max(best, value), Number.NEGATIVE_INFINITY);
  const powers = Array.from(logits, (logit) => Math.exp(logit - most));
  const sum = powers.reduce((total, value) => total + value, 0);
  return powers.map((value) => value / sum);
}

export class ZeroShotScenes implements SceneModel {
  readonly #session: Session;
  readonly #config: ZeroShotConfig;
  readonly #ids: Tensor;
  readonly #mask: Tensor;

  constructor(session: Session, tokenizer: Tokenizer, config: ZeroShotConfig) {
    this.#session = session;
    this.#config = config;
    const { labels, textTokens, padToken } = config;
    const dims = [labels.length, textTokens];
    const ids = new BigInt64Array(labels.length * textTokens).fill(BigInt(padToken));
    const mask = new BigInt64Array(ids.length);
    for (const [row, { prompt }] of labels.entries()) {
      for (const [column, id] of cut(tokenizer.encode(prompt).ids, textTokens).entries()) {
        ids[row * textTokens + column] = BigInt(id);
        mask[row * textTokens + column] = 1n;
      }
    }
    this.#ids = new Tensor('int64', ids, dims);
    this.#mask = new Tensor('int64', mask, dims);
  }

  async score(pictures: readonly Picture[], signal: AbortSignal): Promise<Record<string, number>[]> {
    const { preprocessing, labels, activation } = this.#config;
    const fitted = await Promise.all(pictures.map((picture) => prepare(picture, preprocessing)));
    const { width, height } = fitted[0]!;
    const data = new Float32Array(fitted.length * 3 * width * height);
    for (const [index, pixels] of fitted.entries()) {
      toPlanes(pixels, preprocessing.normalization, data, index * 3 * width * height);
    }
    const inputs: Record<string, Tensor> = {
      input_ids: this.#ids,
      pixel_values: new Tensor('float32', data, [fitted.length, 3, height, width]),
    };
    if (this.#session.inputs.some(({ name }) => name === 'attention_mask'))
      inputs.attention_mask = this.#mask;
    const { logits_per_image: logits } = await this.#session.run(inputs, {
      signal,
      outputs: ['logits_per_image'],
    });
    const values = logits!.data as Float32Array;
    return pictures.map((_, row) => {
      const scores = toScores(values.subarray(row * labels.length, (row + 1) * labels.length), activation);
      return Object.fromEntries(labels.map(({ id }, index) => [id, roundScore(scores[index]!)]));
    });
  }
}

/** A text that is too long keeps its last token, which marks its end. */
const cut = (ids: number[], most: number): number[] =>
  ids.length <= most ? ids : [...ids.slice(0, most - 1), ids.at(-1)!];

async function prepare(picture: Picture, { size, crop, kernel }: Preprocessing) {
  if ('shortest' in size) {
    return cropMiddle(picture, {
      shortest: size.shortest,
      crop: crop ?? { width: size.shortest, height: size.shortest },
      kernel,
    });
  }
  return (await stretch(picture, size, kernel)).pixels;
}
