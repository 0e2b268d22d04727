/** Text recognition for engines that hold their own sessions: open once, recognise pictures, close. */

import type { RgbImage } from '../media/rgb-image.ts';
import { type RecognitionAssets, shippedAssets } from './assets.ts';
import { OnnxTextModels } from './onnx-models.ts';
import type { RecognisedLine } from './read-lines.ts';
import { recognise } from './recognise.ts';

export interface TextRecogniser {
  /**
   * Lines of an upright picture from top to bottom, with words, places in its pixels and confidence. Empty where no
   * text is. Calls may overlap.
   */
  recognise(image: RgbImage): Promise<RecognisedLine[]>;
  close(): Promise<void>;
}

/** @param assets those that ship when left out */
export async function openTextRecogniser(
  threads: number,
  assets?: RecognitionAssets,
): Promise<TextRecogniser> {
  const models = await OnnxTextModels.open(assets ?? (await shippedAssets()), threads);
  return { recognise: (image) => recognise(image, models), close: () => models.close() };
}
