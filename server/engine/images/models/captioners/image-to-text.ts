/** Captions by a picture encoder and a text decoder: ViT-GPT-2 and its like (`vision-encoder-decoder`). English only. */
import type { Tokenizer } from '@huggingface/tokenizers';
import type { Session } from '../../../onnx/session.ts';
import { Tensor } from '../../../onnx/tensor.ts';
import type { Picture } from '../../input/picture.ts';
import { toPlanes } from '../fit.ts';
import { fitFor, type Preprocessing } from '../hf-files.ts';
import type { Captioner } from '../model.ts';
import { decodeText } from './decode-text.ts';

export interface ImageToTextParts {
  encoder: Session;
  decoder: Session;
  tokenizer: Tokenizer;
  preprocessing: Preprocessing;
  startToken: number;
  endToken: number;
}

const maxTokens = 40;

export class ImageToText implements Captioner {
  readonly languages = ['en'] as const;
  readonly #parts: ImageToTextParts;

  constructor(parts: ImageToTextParts) {
    this.#parts = parts;
  }

  async caption(pictures: readonly Picture[], _language: string, signal: AbortSignal): Promise<string[]> {
    const captions: string[] = [];
    for (const picture of pictures) captions.push(await this.#write(picture, signal));
    return captions;
  }

  async #write(picture: Picture, signal: AbortSignal): Promise<string> {
    const { encoder, decoder, tokenizer, startToken, endToken } = this.#parts;
    const seen = await encoder.run(
      { pixel_values: await toInput(picture, this.#parts.preprocessing) },
      { signal },
    );
    const ids = await decodeText(
      {
        session: decoder,
        fixed: { encoder_hidden_states: seen[encoder.outputs[0]!.name]! },
        embed: async (step) => ({
          input_ids: new Tensor('int64', BigInt64Array.from(step, BigInt), [1, step.length]),
        }),
      },
      { start: [startToken], end: endToken, maxTokens, uniqueRun: 3, signal },
    );
    return tokenizer.decode(ids, { skip_special_tokens: true }).trim();
  }
}

export async function toInput(picture: Picture, preprocessing: Preprocessing): Promise<Tensor> {
  const { pixels } = await fitFor(picture, preprocessing);
  const { width, height } = pixels;
  const data = new Float32Array(3 * width * height);
  toPlanes(pixels, preprocessing.normalization, data);
  return new Tensor('float32', data, [1, 3, height, width]);
}
