import { EngineError } from '../engine.ts';
import { type Category, categories, type Scores } from './categories.ts';

/** Platt scaling of one category: probability = sigmoid(slope · logit + intercept). */
export interface Calibration {
  slope: number;
  intercept: number;
}

/** The `classifier` part of a starter pack's manifest. */
export interface StarterConfig {
  model: string;
  featureVersion: number;
  buckets: number;
  windowTokens: number;
  overlapTokens: number;
  calibration: Record<Category, Calibration>;
  thresholds: Scores;
}

function invalid(detail: string): EngineError {
  return new EngineError('model_not_installed', `The moderation pack is damaged: ${detail}.`);
}

/** Reads and checks `classifier` of a manifest. */
export function readStarterConfig(manifest: Record<string, unknown>): StarterConfig {
  const raw = manifest.classifier as Record<string, unknown> | undefined;
  if (!raw || typeof raw.model !== 'string') throw invalid('its manifest names no classifier');
  const config: StarterConfig = {
    model: raw.model,
    featureVersion: Number(raw.feature_version),
    buckets: Number(raw.buckets),
    windowTokens: Number(raw.window_tokens),
    overlapTokens: Number(raw.overlap_tokens),
    calibration: raw.calibration as Record<Category, Calibration>,
    thresholds: raw.thresholds as Scores,
  };
  for (const category of categories) {
    if (!(config.thresholds?.[category] >= 0)) throw invalid(`no threshold for ${category}`);
    if (!Number.isFinite(config.calibration?.[category]?.slope))
      throw invalid(`no calibration for ${category}`);
  }
  if (!(config.buckets > 1 && config.windowTokens > config.overlapTokens))
    throw invalid('its window is not valid');
  return config;
}
