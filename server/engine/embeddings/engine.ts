/** The engine behind `svc-embed-base`. */
import { type Engine, EngineError, type EngineOptions, type EnginePack } from '../engine.ts';
import { checkVectors } from './check-encoder.ts';
import { openTextEncoder, type TextEncoder } from './encoder/text-encoder.ts';
import { refusePack } from './encoder-pack-files.ts';
import { type CrossEncoder, checkScores, isReranker, openCrossEncoder } from './rerank/cross-encoder.ts';

/** Promised to callers by the role. */
export const vectorSize = 1024;

/**
 * A pack of vectors, and beside it the cross-encoder chosen for the task `rerank`; a cross-encoder alone where the role has
 * no other pack.
 * @throws EngineError when a pack is none for the role
 */
export async function openEngine(pack: EnginePack, options: EngineOptions): Promise<Engine<'embeddings'>> {
  const encoder = isReranker(pack) ? null : await openVectors(pack, options);
  try {
    const chosen = isReranker(pack) ? pack : pack.tasks?.rerank;
    const reranker = chosen ? await openCrossEncoder(chosen, options) : null;
    return toEngine(encoder, reranker);
  } catch (error) {
    await encoder?.close();
    throw error;
  }
}

async function openVectors(pack: EnginePack, options: EngineOptions): Promise<TextEncoder> {
  const encoder = await openTextEncoder(pack.folder, pack.manifest, options);
  const { dimensions } = encoder.config;
  if (dimensions === vectorSize) return encoder;
  await encoder.close();
  throw refusePack(`encoder.dimensions is ${dimensions}; svc-embed-base needs ${vectorSize}.`);
}

function toEngine(encoder: TextEncoder | null, reranker: CrossEncoder | null): Engine<'embeddings'> {
  const vectors = () => encoder ?? missing('vectors');
  const pairs = () => reranker ?? missing('the scores of pairs');
  const { provider, refused } = (encoder ?? reranker!).placed;
  return {
    methods: {
      embed: async (params, { signal }) => vectors().embed(params, signal),
      tokenIds: async (params, { signal }) => ({ rows: await vectors().tokenIds(params, signal) }),
      rerank: async (params, { signal }) => pairs().rerank(params, signal),
    },
    check: async ({ signal }) => {
      if (encoder) await checkVectors((params) => encoder.embed(params, signal), vectorSize);
      if (reranker) await checkScores((params) => reranker.rerank(params, signal));
    },
    info: {
      provider,
      refusedProviders: refused,
      max_tokens: encoder ? encoder.config.maxTokens : reranker!.maxTokens,
      batch_tokens: encoder && encoder.limits.rows !== 1 ? encoder.limits.tokens : null,
    },
    close: async () => {
      await Promise.all([encoder?.close(), reranker?.close()]);
    },
  };
}

function missing(what: string): never {
  throw new EngineError('model_not_installed', `No pack is bound to svc-embed-base for ${what}.`);
}
