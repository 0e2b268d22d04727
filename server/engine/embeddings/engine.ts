/** The engine behind `svc-embed-base`. */
import type { Engine, EngineOptions, EnginePack } from '../engine.ts';
import { checkVectors } from './check-encoder.ts';
import { openTextEncoder } from './encoder/text-encoder.ts';
import { refusePack } from './encoder-pack-files.ts';

/** Promised to callers by the role. */
export const vectorSize = 1024;

/** @throws EngineError when the pack is not an embedding pack for the role */
export async function openEngine(pack: EnginePack, options: EngineOptions): Promise<Engine<'embeddings'>> {
  const encoder = await openTextEncoder(pack.folder, pack.manifest, options);
  const { config, limits, placed } = encoder;
  if (config.dimensions !== vectorSize) {
    await encoder.close();
    throw refusePack(`encoder.dimensions is ${config.dimensions}; svc-embed-base needs ${vectorSize}.`);
  }
  return {
    methods: {
      embed: (params, { signal }) => encoder.embed(params, signal),
      tokenIds: async (params, { signal }) => ({ rows: await encoder.tokenIds(params, signal) }),
    },
    check: ({ signal }) => checkVectors((params) => encoder.embed(params, signal), vectorSize),
    info: {
      provider: placed.provider,
      refusedProviders: placed.refused,
      max_tokens: config.maxTokens,
      batch_tokens: limits.rows === 1 ? null : limits.tokens,
    },
    close: () => encoder.close(),
  };
}
