/** The engine behind `svc-shield-base`. */
import type { CallContext, Engine, EngineOptions, EnginePack } from '../engine.ts';
import type { Classifier } from './classifier.ts';
import { type ClassifyParams, classify } from './classify.ts';
import { openStarter } from './starter-classifier.ts';

/** @throws EngineError when the pack is no text classifier this engine reads. */
export async function openEngine(pack: EnginePack, options: EngineOptions): Promise<Engine> {
  const classifier: Classifier = await openStarter(pack, options);
  const run = (params: ClassifyParams, { signal }: CallContext) => classify(classifier, params, signal);
  return {
    methods: { classify: run as Engine['methods'][string] },
    info: { provider: classifier.provider, thresholds: classifier.thresholds },
    close: () => classifier.close(),
  };
}
