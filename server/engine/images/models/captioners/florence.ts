/**
 * Florence-2: one model that writes captions and boxes as text. ONNX in the Hugging Face layout: `vision_encoder`,
 * `embed_tokens`, `encoder_model`, `decoder_model_merged`. The picture's features stand before the embedded task
 * prompt; boxes come as `label<loc_x0><loc_y0><loc_x1><loc_y1>` in thousandths of the picture. English only.
 */

import type { Tokenizer } from '@huggingface/tokenizers';
import type { Session } from '../../../onnx/session.ts';
import { Tensor } from '../../../onnx/tensor.ts';
import type { Box } from '../../../vision/geometry.ts';
import type { Picture } from '../../input/picture.ts';
import type { FoundObject } from '../../types.ts';
import { roundBox } from '../detectors/boxes.ts';
import type { Preprocessing } from '../hf-files.ts';
import type { Captioner, Detector } from '../model.ts';
import { decodeText } from './decode-text.ts';
import { toInput } from './image-to-text.ts';

export interface FlorenceParts {
  vision: Session;
  embed: Session;
  encoder: Session;
  decoder: Session;
  tokenizer: Tokenizer;
  preprocessing: Preprocessing;
  startToken: number;
  endToken: number;
  forcedFirst: number | undefined;
  /** Which of its tasks answer ours. */
  captionTask: keyof typeof captionPrompts;
  objectTask: keyof typeof objectPrompts;
}

/** The sentences that its tasks were trained with (processing_florence2.py). */
export const captionPrompts = {
  caption: 'What does the image describe?',
  detailed_caption: 'Describe in detail what is shown in the image.',
  more_detailed_caption: 'Describe with a paragraph what is shown in the image.',
} as const;
export const objectPrompts = {
  detection: 'Locate the objects with category name in the image.',
  dense_regions: 'Locate the objects in the image, with their descriptions.',
} as const;

const maxTokens = 1024;
const bins = 1000;
/** It gives no scores. Greedy boxes of a model that was trained to name what it sees are mostly right. */
const assumedConfidence = 0.5;

/** Labels and boxes out of the text; a box without a label of its own has the one before. */
export function readLocations(text: string): FoundObject[] {
  const objects: FoundObject[] = [];
  let label = '';
  for (const [, name, ...places] of text.matchAll(/([^<]+)?<loc_(\d+)><loc_(\d+)><loc_(\d+)><loc_(\d+)>/g)) {
    label = name?.trim() || label;
    const box = places.map((bin) => Math.min(1, (Number(bin) + 0.5) / bins)) as Box;
    if (label !== '' && box[2] > box[0] && box[3] > box[1]) {
      objects.push({ label, confidence: assumedConfidence, bbox: roundBox(box) });
    }
  }
  return objects;
}

const withoutMarks = (text: string): string => text.replaceAll(/<\/?s>|<pad>/g, '').trim();

export class Florence implements Captioner, Detector {
  readonly languages = ['en'] as const;
  readonly #parts: FlorenceParts;
  /** Caption and boxes of one picture share what the vision encoder saw. */
  readonly #seen = new WeakMap<Picture, Promise<Tensor>>();

  constructor(parts: FlorenceParts) {
    this.#parts = parts;
  }

  async caption(pictures: readonly Picture[], _language: string, signal: AbortSignal): Promise<string[]> {
    const captions: string[] = [];
    const prompt = captionPrompts[this.#parts.captionTask];
    for (const picture of pictures) captions.push(await this.#answer(picture, prompt, signal));
    return captions;
  }

  async detect(pictures: readonly Picture[], signal: AbortSignal): Promise<FoundObject[][]> {
    const found: FoundObject[][] = [];
    const prompt = objectPrompts[this.#parts.objectTask];
    for (const picture of pictures) found.push(readLocations(await this.#answer(picture, prompt, signal)));
    return found;
  }

  async #answer(picture: Picture, prompt: string, signal: AbortSignal): Promise<string> {
    const { encoder, decoder, tokenizer, startToken, endToken, forcedFirst } = this.#parts;
    const { states, mask } = await this.#encode(picture, prompt, signal);
    const hidden = await encoder.run({ inputs_embeds: states, attention_mask: mask }, { signal });
    const ids = await decodeText(
      {
        session: decoder,
        fixed: {
          encoder_hidden_states: hidden[encoder.outputs[0]!.name]!,
          encoder_attention_mask: mask,
        },
        embed: async (step) => ({ inputs_embeds: await this.#embed(step, signal) }),
      },
      { start: [startToken], end: endToken, maxTokens, uniqueRun: 3, forcedFirst, signal },
    );
    return withoutMarks(tokenizer.decode(ids, { skip_special_tokens: false }));
  }

  /** Picture features, then the prompt's embeddings: `[1, places, width]`. */
  async #encode(picture: Picture, prompt: string, signal: AbortSignal) {
    const features = await this.#look(picture, signal);
    const ids = this.#parts.tokenizer.encode(prompt).ids.filter((id: number) => Number.isInteger(id));
    const words = await this.#embed(ids, signal);
    const width = features.dims.at(-1)!;
    const places = features.dims[1]! + words.dims[1]!;
    const data = new Float32Array(places * width);
    data.set(features.data as Float32Array);
    data.set(words.data as Float32Array, features.data.length);
    return {
      states: new Tensor('float32', data, [1, places, width]),
      mask: new Tensor('int64', new BigInt64Array(places).fill(1n), [1, places]),
    };
  }

  #look(picture: Picture, signal: AbortSignal): Promise<Tensor> {
    const { vision, preprocessing } = this.#parts;
    const known = this.#seen.get(picture);
    if (known) return known;
    const seen = toInput(picture, preprocessing)
      .then((pixels) => vision.run({ pixel_values: pixels }, { signal }))
      .then((outputs) => outputs[vision.outputs[0]!.name]!);
    this.#seen.set(picture, seen);
    return seen;
  }

  async #embed(ids: readonly number[], signal: AbortSignal): Promise<Tensor> {
    const { embed } = this.#parts;
    const input = new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]);
    const outputs = await embed.run({ [embed.inputs[0]!.name]: input }, { signal });
    return outputs[embed.outputs[0]!.name]!;
  }
}
