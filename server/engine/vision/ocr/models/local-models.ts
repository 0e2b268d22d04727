/** The shipped networks in this process, opened at first use and kept. */

import { shippedAssets } from './assets.ts';
import { OnnxTextModels } from './onnx-models.ts';
import type { TextModels } from './text-models.ts';

const threads = 2;
let opened: Promise<TextModels> | null = null;

/** @throws EngineError internal_error when the shipped models cannot be opened */
export function localTextModels(): Promise<TextModels> {
  opened ??= shippedAssets()
    .then((assets) => OnnxTextModels.open(assets, threads))
    .catch((error: unknown) => {
      opened = null;
      throw error;
    });
  return opened;
}
