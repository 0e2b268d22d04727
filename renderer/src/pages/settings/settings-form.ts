/** Settings as they are typed: what is out of bounds, and what changed. Bounds are those of the server's schema. */
import type { Settings, SettingsPatch } from '../../../../server/api/console/console.ts';

type Bounds = readonly [min: number, max: number];

const limitBounds = {
  requests_per_minute: [1, 1_000_000],
  tokens_per_minute: [1, 1_000_000_000],
  concurrent: [1, 1024],
} as const satisfies Record<string, Bounds>;

export type LimitName = keyof typeof limitBounds;
export const limitNames = Object.keys(limitBounds) as LimitName[];
export const limitPlans = ['free', 'professional', 'enterprise', 'test'] as const;

/** Plans whose calls may take a time of their own. */
export const callPlans = ['free', 'professional', 'enterprise'] as const;
const callBounds: Bounds = [1, 86_400];

const numberBounds = {
  max_queue: [0, 10_000],
  idle_unload_seconds: [0, 604_800],
  memory_ceiling_mb: [256, 4_194_304],
  body_limit_mb: [1, 1024],
  request_log_rows: [0, 1_000_000],
  threads: [0, 256],
  engine_queue_seconds: [0, 600],
  responses_days: [0, 3650],
  files_days: [0, 3650],
} as const satisfies Partial<Record<keyof Settings, Bounds>>;

export type NumberName = keyof typeof numberBounds;

export interface SettingsProblem {
  reason: 'range' | 'origin' | 'host';
  values: { min: number; max: number };
}

export function checkSettings(form: Settings): Map<string, SettingsProblem> {
  const problems = new Map<string, SettingsProblem>();
  const checkNumber = (path: string, value: number, [min, max]: Bounds) => {
    if (!Number.isInteger(value) || value < min || value > max)
      problems.set(path, { reason: 'range', values: { min, max } });
  };
  for (const plan of limitPlans) {
    for (const name of limitNames)
      checkNumber(`limits.${plan}.${name}`, form.limits[plan][name], limitBounds[name]);
  }
  for (const plan of callPlans) checkNumber(`call_seconds.${plan}`, form.call_seconds[plan], callBounds);
  for (const name of Object.keys(numberBounds) as NumberName[])
    checkNumber(name, form[name], numberBounds[name]);
  if (!form.cors_origins.every((origin) => /^https?:\/\/[^*/]+$/.test(origin))) {
    problems.set('cors_origins', { reason: 'origin', values: { min: 0, max: 0 } });
  }
  if (!form.url_allowlist.every((host) => /^[a-z0-9.-]+$/i.test(host))) {
    problems.set('url_allowlist', { reason: 'host', values: { min: 0, max: 0 } });
  }
  return problems;
}

export function toPatch(saved: Settings, form: Settings): SettingsPatch {
  const changed = (Object.keys(form) as (keyof Settings)[]).filter(
    (key) => JSON.stringify(form[key]) !== JSON.stringify(saved[key]),
  );
  return Object.fromEntries(changed.map((key) => [key, form[key]])) as SettingsPatch;
}

/**
 * A form over settings that have changed since: its own changes stand, everything else is as it is saved now.
 * `isForeign`: some of it was changed by another, and not to what stood in the form.
 */
export function rebase(
  form: Settings,
  base: Settings,
  saved: Settings,
): { form: Settings; isForeign: boolean } {
  const changed = toPatch(base, saved);
  const isForeign = Object.keys(toPatch(form, { ...form, ...changed })).some(
    (key) => key !== 'work_history_days',
  );
  return { form: { ...saved, ...toPatch(base, form) }, isForeign };
}
