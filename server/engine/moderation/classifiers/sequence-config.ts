import { defaultThresholds } from '../../default-thresholds.ts';
import { type Category, isCategory, type Scores } from '../categories.ts';
import { refuseClassifierPack } from './classifier-pack-files.ts';

/**
 * The `classifier` part of the manifest of an imported sequence classifier (a Hugging Face model in ONNX):
 * `{"kind":"sequence-classification","model":"model.onnx","tokenizer":"tokenizer.json","activation":"softmax",
 *   "max_tokens":512,"labels":[[],["harassment","hate_speech"]],"thresholds":{"harassment":0.6}}`.
 * `labels` has one entry an output, in the model's order: the categories it speaks for, none for a safe label.
 */
export interface SequenceConfig {
  model: string;
  tokenizer: string;
  activation: 'softmax' | 'sigmoid';
  maxTokens: number;
  labels: Category[][];
  thresholds: Scores;
}

function readLabels(raw: unknown): Category[][] {
  if (!Array.isArray(raw) || raw.length === 0) throw refuseClassifierPack('classifier.labels is no list');
  return raw.map((names) => {
    const list: unknown[] = Array.isArray(names) ? names : [names];
    const unknown = list.find((name) => typeof name !== 'string' || !isCategory(name));
    if (unknown !== undefined)
      throw refuseClassifierPack(`classifier.labels names ${JSON.stringify(unknown)}`);
    return list as Category[];
  });
}

/** @throws EngineError internal_error that names the wrong key of `classifier` */
export function readSequenceConfig(manifest: Record<string, unknown>): SequenceConfig {
  const raw = (manifest.classifier ?? {}) as Record<string, unknown>;
  const activation = raw.activation ?? 'softmax';
  if (activation !== 'softmax' && activation !== 'sigmoid')
    throw refuseClassifierPack('classifier.activation is neither softmax nor sigmoid');
  const maxTokens = Number(raw.max_tokens ?? 512);
  if (!(maxTokens >= 8)) throw refuseClassifierPack('classifier.max_tokens is not a number from 8 on');
  return {
    model: String(raw.model ?? 'model.onnx'),
    tokenizer: String(raw.tokenizer ?? 'tokenizer.json'),
    activation,
    maxTokens,
    labels: readLabels(raw.labels),
    thresholds: defaultThresholds(manifest),
  };
}

/** Probabilities of the categories from one row of logits. Softmax outputs add up; independent ones: the highest counts. */
export function categoryScores(logits: Float32Array, config: SequenceConfig, empty: Scores): Scores {
  const scores = { ...empty };
  const highest = Math.max(...logits);
  const total = logits.reduce((sum, logit) => sum + Math.exp(logit - highest), 0);
  for (const [index, named] of config.labels.entries()) {
    const logit = logits[index] ?? Number.NEGATIVE_INFINITY;
    const sigmoid = 1 / (1 + Math.exp(-logit));
    const share = Math.exp(logit - highest) / total;
    for (const category of named) {
      scores[category] =
        config.activation === 'sigmoid'
          ? Math.max(scores[category], sigmoid)
          : Math.min(1, scores[category] + share);
    }
  }
  return scores;
}
