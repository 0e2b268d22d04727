import type { EngineOptions, EnginePack } from '../../engine.ts';
import type { VisionModel } from './model.ts';
import { openStarter } from './starter.ts';

/** @throws EngineError when the pack is not a vision pack */
export async function openVisionModel(pack: EnginePack, options: EngineOptions): Promise<VisionModel> {
  return openStarter(pack.folder, options);
}
