import { refusePack } from './encoder-pack-files.ts';
import type { EmbedParams, EmbedResult } from './types.ts';

/** One text in each language of the service, and one of a single word. */
const smokeTexts = ['The invoice is due.', 'Invois ini perlu dibayar.', '这张发票已到期。', 'x'];

/**
 * An import's demands on an embedding pack once it is open: unit vectors of finite numbers that differ from text to text.
 * @throws EngineError that says what is wrong
 */
export async function checkVectors(
  embed: (params: EmbedParams) => Promise<EmbedResult>,
  dimensions: number,
): Promise<void> {
  const { vectors } = await embed({ texts: smokeTexts });
  const rows = smokeTexts.map((_text, index) =>
    vectors.subarray(index * dimensions, (index + 1) * dimensions),
  );
  if (new Set(rows.map(String)).size < 2) throw refusePack('every text gets the same vector.');
}
