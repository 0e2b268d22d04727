import { type Category, categories, type Scores } from '../categories.ts';
import { refuseClassifierPack } from './classifier-pack-files.ts';

/** Platt scaling of one category: probability = sigmoid(slope · logit + intercept). */
export interface Calibration {
  slope: number;
  intercept: number;
}

/** A window of `tokens`, each sharing `overlap` with the one before. */
export interface WindowSize {
  tokens: number;
  overlap: number;
}

/** The script that most of a text is written in. */
export type Script = 'latin' | 'han';

/** The `classifier` part of a starter pack's manifest. */
export interface StarterConfig {
  model: string;
  featureVersion: number;
  buckets: number;
  /** Sizes of windows, longest first: a long one for what needs context, a short one for one sentence among many. */
  windows: WindowSize[];
  /** Words of one or two letters, or of one Chinese character, that are harm by themselves. */
  shortWords: ReadonlySet<string>;
  calibration: Record<Script, Record<Category, Calibration>>;
  thresholds: Scores;
}

/** Reads and checks `classifier` of a manifest. @throws EngineError internal_error that names the wrong key */
export function readStarterConfig(manifest: Record<string, unknown>): StarterConfig {
  const raw = manifest.classifier as Record<string, unknown> | undefined;
  if (!raw || typeof raw.model !== 'string') throw refuseClassifierPack('its manifest names no classifier');
  const config: StarterConfig = {
    model: raw.model,
    featureVersion: Number(raw.feature_version),
    buckets: Number(raw.buckets),
    windows: (raw.windows ?? []) as WindowSize[],
    shortWords: new Set((raw.short_words ?? []) as string[]),
    calibration: raw.calibration as StarterConfig['calibration'],
    thresholds: raw.thresholds as Scores,
  };
  for (const category of categories) {
    if (!(config.thresholds?.[category] >= 0)) throw refuseClassifierPack(`no threshold for ${category}`);
    for (const script of ['latin', 'han'] as const) {
      if (!Number.isFinite(config.calibration?.[script]?.[category]?.slope))
        throw refuseClassifierPack(`no calibration for ${category}`);
    }
  }
  const sound = config.windows.every(({ tokens, overlap }) => tokens > overlap && overlap >= 0);
  if (!(config.buckets > 1) || config.windows.length === 0 || !sound)
    throw refuseClassifierPack('its windows are not valid');
  return config;
}
