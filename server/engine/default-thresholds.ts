import { type ModerationCategory, moderationCategories } from '../api/services/moderations.ts';

const defaultThreshold = 0.5;

/** A pack's thresholds where a request names none: `classifier.thresholds` of its manifest, else one half. */
export function defaultThresholds(
  manifest: Readonly<Record<string, unknown>>,
): Record<ModerationCategory, number> {
  const { thresholds = {} } = (manifest.classifier ?? {}) as { thresholds?: Record<string, number> };
  return Object.fromEntries(
    moderationCategories.map((category) => [category, thresholds[category] ?? defaultThreshold]),
  ) as Record<ModerationCategory, number>;
}
