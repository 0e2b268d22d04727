/** The settings a person changes while Lokal runs: defaults, and their changes on top. */

import { Compile } from 'typebox/compile';
import { regions } from '../../api/common.ts';
import { Settings, type SettingsPatch } from '../../api/console/console.ts';
import type { SettingsStore } from '../../db/choices/settings.ts';
import { ApiError } from '../../errors.ts';
import { type AuditLog, changesBetween } from '../audit/audit-log.ts';

export interface SettingsService {
  /** The current values; the same object until the next change. */
  get(): Settings;
  /**
   * Takes whole values of the named settings; the schema has checked them.
   * @throws ApiError conflict when sealed mode forbids one
   */
  update(patch: SettingsPatch): Settings;
}

const mebibyte = 1024 * 1024;

/** @param memoryBytes memory of this machine; engines may take three quarters of it */
export const defaultSettings = (memoryBytes: number): Settings => ({
  limits: {
    free: { requests_per_minute: 60, tokens_per_minute: 60_000, concurrent: 2 },
    professional: { requests_per_minute: 600, tokens_per_minute: 600_000, concurrent: 8 },
    enterprise: { requests_per_minute: 6_000, tokens_per_minute: 6_000_000, concurrent: 32 },
    test: { requests_per_minute: 120, tokens_per_minute: 120_000, concurrent: 8 },
  },
  call_seconds: { free: 600, professional: 1_800, enterprise: 3_600 },
  max_queue: 64,
  idle_unload_seconds: 600,
  memory_ceiling_mb: Math.max(1024, Math.floor((memoryBytes * 0.75) / mebibyte)),
  sealed: true,
  url_fetch: 'off',
  url_allowlist: [],
  cors_origins: [],
  body_limit_mb: 64,
  request_log_rows: 10_000,
  threads: 0,
  chat_history_days: 0,
  work_history_days: 0,
  video_frames: 'even',
  signed_packs_only: false,
  threat_summaries: 'rules',
  document_fields: 'rules',
  require_confinement: false,
  ollama_key: null,
  mcp_folders: [],
  responses_days: 0,
  machine_regions: [...regions],
  engine_queue_seconds: 30,
  files_days: 30,
  guardrails: [],
});

const checker = Compile(Settings);

/** Who allowed fetching before there was a seal, had left it. */
const withSeal = (defaults: Settings, kept: Record<string, unknown>) => ({
  ...defaults,
  sealed: defaults.sealed && (kept.url_fetch ?? 'off') === 'off',
  ...kept,
});

/** Sealing switches fetching off; while sealed it cannot be switched on. */
function sealedNext(current: Settings, patch: SettingsPatch): Settings {
  const next = { ...current, ...patch };
  if (!next.sealed || next.url_fetch === 'off') return next;
  if (patch.url_fetch === undefined) return { ...next, url_fetch: 'off' };
  throw new ApiError('conflict', 'Lokal is sealed: fetching URLs can be allowed once sealed mode is left.', {
    param: 'url_fetch',
  });
}

const pick = (settings: Settings, names: string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)));

export function createSettingsService(
  store: SettingsStore,
  defaults: Settings,
  audit: AuditLog,
): SettingsService {
  // A stored value that a later version no longer allows is passed over, not fatal.
  const stored = withSeal(defaults, store.all());
  let current: Settings = checker.Check(stored) ? stored : defaults;
  return {
    get: () => current,
    update(patch) {
      const next = sealedNext(current, patch);
      audit.act({ action: 'settings.change', changes: changesBetween(current, next) }, () =>
        store.set(pick(next, Object.keys({ ...patch, url_fetch: null }))),
      );
      current = next;
      return current;
    },
  };
}
