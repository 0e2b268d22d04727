/** Several packs as one model: that of the role, and for single tasks the packs chosen for them. */
import type { EngineOptions, EnginePack } from '../../engine.ts';
import type { VisionModel } from './model.ts';
import { openVisionModel } from './open.ts';

type TaskModels = { [task in 'caption' | 'objects' | 'scene_graph']?: VisionModel };

/** Opens a pack that is chosen twice once. @throws EngineError when one of them is not a vision pack */
export async function openCombined(pack: EnginePack, options: EngineOptions): Promise<VisionModel> {
  const opened = new Map<string, VisionModel>();
  const open = async (each: EnginePack): Promise<VisionModel> => {
    const model = opened.get(each.ref) ?? (await openVisionModel(each, options));
    opened.set(each.ref, model);
    return model;
  };
  const close = async () => {
    await Promise.all([...opened.values()].map((model) => model.close()));
  };
  try {
    const base = await open(pack);
    const models: TaskModels = {};
    for (const [task, each] of Object.entries(pack.tasks ?? {}))
      models[task as keyof TaskModels] = await open(each);
    return { ...combine(base, models), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A pack without a captioner that is chosen for captions has them written from what all of them found. */
function combine(base: VisionModel, { caption, objects, scene_graph: scenes }: TaskModels): VisionModel {
  const [captioner, detector, classifier] = [caption ?? base, objects ?? base, scenes ?? base];
  const names = [classifier, detector, captioner].find((model) => model.names)?.names;
  const refused = [...new Set([base, captioner, detector, classifier])].flatMap((model) => model.refused);
  return {
    ...(captioner.captions && { captions: captioner.captions }),
    ...(detector.objects && { objects: detector.objects }),
    ...(classifier.scenes && { scenes: classifier.scenes }),
    ...(names && { names }),
    readsCodes: detector.readsCodes === true,
    settlesShapes: detector.settlesShapes === true,
    provider: base.provider,
    refused,
    close: base.close,
  };
}
