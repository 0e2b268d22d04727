import type { EnginePack } from '../engine.ts';
import { openEngine, vectorSize } from './engine.ts';
import { refusePack } from './pack-files.ts';
import type { EmbedParams, EmbedResult } from './text-encoder.ts';

/** One text in each language of the service, and one of a single word. */
const smokeTexts = ['The invoice is due.', 'Invois ini perlu dibayar.', '这张发票已到期。', 'x'];

export interface EmbeddingCheck {
  dimensions: number;
  maxTokens: number;
  provider: string;
}

/**
 * What import asks of an embedding pack before it is taken in: it opens, and gives unit vectors of 1,024 finite numbers
 * that differ from text to text. Run it in a throw-away host. @throws EngineError that says what is wrong
 */
export async function checkPack(pack: EnginePack): Promise<EmbeddingCheck> {
  const engine = await openEngine(pack, { threads: 1, providers: ['cpu'] });
  try {
    const embed = engine.methods.embed as unknown as (
      params: EmbedParams,
      context: { signal: AbortSignal },
    ) => Promise<EmbedResult>;
    const { vectors } = await embed({ texts: smokeTexts }, { signal: new AbortController().signal });
    const rows = smokeTexts.map((_text, index) =>
      vectors.subarray(index * vectorSize, (index + 1) * vectorSize),
    );
    if (new Set(rows.map(String)).size < 2) throw refusePack('every text gets the same vector.');
    return {
      dimensions: vectorSize,
      maxTokens: engine.info.max_tokens as number,
      provider: engine.info.provider as string,
    };
  } finally {
    await engine.close();
  }
}
