/** The images engine with the starter pack, as a host opens it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { EnginePack } from '../../../server/engine/engine.ts';
import { openEngine } from '../../../server/engine/images/engine.ts';
import type { AnalyzeResult, ImageAnalyzeParams } from '../../../server/engine/images/types.ts';

const folder = fileURLToPath(new URL('../../../models/packs/vision-starter', import.meta.url));

export interface Analyzer {
  analyze(
    bytes: Uint8Array,
    params?: Partial<ImageAnalyzeParams>,
    signal?: AbortSignal,
  ): Promise<AnalyzeResult>;
  check(): Promise<unknown>;
  close(): Promise<void>;
}

export async function openAnalyzer(
  pack: Omit<EnginePack, 'ref'> = starterPack(),
  threads = 1,
  onProgress?: (done: number, frames: number) => void,
): Promise<Analyzer> {
  const engine = await openEngine(
    { ref: 'test@1', starter: starterPack(), ...pack },
    { threads, providers: ['cpu'] },
  );
  const never = () => new AbortController().signal;
  return {
    analyze: async (bytes, params = {}, signal = never()) => {
      const asked: ImageAnalyzeParams = {
        bytes,
        tasks: ['caption', 'objects', 'scene_graph'],
        language: 'en',
        frames: { maxFrames: 16, sampling: 'even' },
        ...params,
      };
      for await (const item of engine.methods.analyze(asked, { signal })) {
        if (item.kind === 'result') return item.result;
        onProgress?.(item.done, item.frames);
      }
      throw new Error('The engine gave no result.');
    },
    check: async () => engine.check?.({ signal: never() }),
    close: () => engine.close(),
  };
}

export const starterPack = () => ({
  folder,
  manifest: JSON.parse(readFileSync(`${folder}/manifest.json`, 'utf8')) as Record<string, unknown>,
});
