/** The engine behind `svc-vision-pro`. */
import type { Engine, EngineOptions, EnginePack } from '../engine.ts';
import { type Analyst, analyze } from './analyze.ts';
import { readCaptionWords } from './caption/caption-words.ts';
import { checkModel } from './check-vision.ts';
import { openCombined } from './models/combine.ts';
import { TextReader } from './text.ts';
import { VideoReader } from './video/video-reader.ts';

/** @throws EngineError when the pack is not a vision pack */
export async function openEngine(pack: EnginePack, options: EngineOptions): Promise<Engine<'images'>> {
  const words = await readCaptionWords(pack);
  const model = await openCombined(pack, options);
  const analyst: Analyst = {
    model,
    videos: new VideoReader(),
    texts: new TextReader(options.threads),
    words,
  };
  return {
    methods: { analyze: (params, { signal }) => analyze(params, analyst, signal) },
    check: ({ signal }) => checkModel(model, signal),
    info: {
      provider: model.provider,
      refusedProviders: model.refused,
      tasks: [
        ...(model.objects ? ['objects'] : []),
        ...(model.scenes ? ['scene_graph'] : []),
        ...(model.captions ? ['caption'] : []),
      ],
    },
    close: async () => {
      await Promise.all([analyst.videos.close(), analyst.texts.close(), model.close()]);
    },
  };
}
