/** The engine behind `svc-shield-base`. */
import type { Engine, EngineOptions, EnginePack } from '../engine.ts';
import { checkClassifier } from './classifiers/check-classifier.ts';
import type { Classifier } from './classifiers/classifier.ts';
import { refuseClassifierPack } from './classifiers/classifier-pack-files.ts';
import { openSequenceClassifier } from './classifiers/sequence-classifier.ts';
import { openStarterClassifier } from './classifiers/starter-classifier.ts';
import { classify } from './classify.ts';
import type { PackDetectors } from './detectors.ts';
import { openGuard } from './guard/guard-classifier.ts';
import { loadPiiDetector } from './pii/detect-pii.ts';
import { loadSentenceRules } from './sentence-rules.ts';
import { loadSimplified } from './text/simplified.ts';

/** Ways to read a pack, by `classifier.kind` of its manifest. */
const openers: Record<
  string,
  (pack: EnginePack, options: EngineOptions, detectors: PackDetectors) => Promise<Classifier>
> = {
  'hashed-ngrams': openStarterClassifier,
  'sequence-classification': openSequenceClassifier,
  'guard-chat': openGuard,
};

/** @throws EngineError when the pack is no text classifier this engine reads. */
export async function openEngine(pack: EnginePack, options: EngineOptions): Promise<Engine<'moderation'>> {
  const kind = String((pack.manifest.classifier as { kind?: unknown } | undefined)?.kind);
  const open = openers[kind];
  if (!open) throw refuseClassifierPack(`its manifest names the classifier kind ${JSON.stringify(kind)}`);
  const simplified = await loadSimplified(pack);
  const [detectPii, rules] = await Promise.all([loadPiiDetector(pack), loadSentenceRules(pack, simplified)]);
  const detectors = { detectPii, rules, simplified };
  const classifier = await open(pack, options, detectors);
  const moderator = { classifier, ...detectors };
  return {
    methods: { classify: (params, { signal }) => classify(moderator, params, signal) },
    check: ({ signal }) =>
      checkClassifier(classifier, (params) => classify(moderator, params, signal), signal),
    info: { provider: classifier.provider, thresholds: classifier.thresholds },
    close: () => classifier.close(),
  };
}
