/** Everything that analysis knows apart from rules: data files of the pack, read once at opening. */
import type { EnginePack } from '../engine.ts';
import { type AnomalyWords, loadAnomalyWords } from './anomalies/anomaly-words.ts';
import { type AnswerTexts, loadAnswerTexts } from './answer/answer-texts.ts';
import { type LogSources, loadLogSources } from './readers/log-sources.ts';
import { loadConcepts } from './text/concepts.ts';
import { type Learnt, loadLearnt } from './text/learnt.ts';
import { loadTextSignatures, type TextSignatures } from './text/text-signatures.ts';
import { WebDetector } from './web/detect-web.ts';
import { loadWebKnowledge } from './web/web-knowledge.ts';

export interface Knowledge {
  sources: LogSources;
  texts: AnswerTexts;
  anomalies: AnomalyWords;
  web: WebDetector;
  signatures: TextSignatures;
  learnt: Learnt;
}

/** @throws EngineError internal_error when the pack lacks a file or it is not as its schema asks */
export async function loadKnowledge(pack: Pick<EnginePack, 'folder' | 'starter'>): Promise<Knowledge> {
  const [sources, texts, anomalies, web, signatures, concepts] = await Promise.all([
    loadLogSources(pack),
    loadAnswerTexts(pack),
    loadAnomalyWords(pack),
    loadWebKnowledge(pack),
    loadTextSignatures(pack),
    loadConcepts(pack),
  ]);
  return {
    sources,
    texts,
    anomalies,
    web: new WebDetector(web),
    signatures,
    learnt: loadLearnt(pack, concepts),
  };
}
