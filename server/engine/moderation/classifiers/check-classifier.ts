import type { ClassifyParams, ClassifyResult } from '../types.ts';
import type { Classifier } from './classifier.ts';
import { refuseClassifierPack } from './classifier-pack-files.ts';

/** One harmless and one harmful text in each language of the service. */
const smokeTexts = [
  'The invoice is due on Friday.',
  'I will kill you and burn your house down.',
  'Invois ini perlu dibayar sebelum hari Jumaat.',
  'Aku akan bunuh kau dan bakar rumah kau.',
  '这张发票星期五到期。',
  '我要杀了你，烧掉你的房子。',
];

/**
 * Smoke test of an imported moderation pack: it gives probabilities, and not the same for every text.
 * @throws EngineError that says what is wrong
 */
export async function checkClassifier(
  classifier: Classifier,
  classify: (params: ClassifyParams) => Promise<ClassifyResult>,
  signal: AbortSignal,
): Promise<void> {
  await classifier.check?.(signal);
  const answers = [];
  for (const text of smokeTexts) answers.push(Object.values((await classify({ text })).scores));
  if (!answers.flat().every((score) => score >= 0 && score <= 1))
    throw refuseClassifierPack('its scores are no probabilities');
  if (new Set(answers.map(String)).size < 2) throw refuseClassifierPack('every text gets the same scores');
}
