import { EngineError } from '../engine.ts';
import { pictureOf } from './input/picture.ts';
import type { VisionModel } from './models/model.ts';

/** A picture of two sizes with an edge in it: enough to run every part of the pack once. */
function probe(width: number, height: number) {
  const data = new Uint8Array(width * height * 3).fill(250);
  data.fill(30, 0, Math.floor(height / 2) * width * 3);
  return pictureOf({ width, height, data });
}

/** The smoke test of an import. @throws EngineError that says what is wrong with the pack */
export async function checkModel(model: VisionModel, signal: AbortSignal): Promise<null> {
  const pictures = [probe(160, 120), probe(90, 140)];
  for (const objects of (await model.objects?.detect(pictures, signal)) ?? []) {
    const sound = objects.every(({ bbox }) => bbox.every((value) => value >= 0 && value <= 1));
    if (!sound) throw new EngineError('internal_error', 'The detector gives boxes outside the picture.');
  }
  for (const scores of (await model.scenes?.score(pictures, signal)) ?? []) {
    if (!Object.values(scores).every((score) => score >= 0 && score <= 1)) {
      throw new EngineError('internal_error', 'The scene model gives scores outside 0 to 1.');
    }
  }
  await model.captions?.caption(pictures.slice(0, 1), 'en', signal);
  return null;
}
