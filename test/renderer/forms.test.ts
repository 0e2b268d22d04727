import { describe, expect, it } from 'vitest';
import { mergeEntry, mergeHost } from '../../renderer/src/api/queries.ts';
import {
  checkForm,
  dayIn,
  emptyForm,
  fromKey,
  refusedModels,
  toChange,
  toKeyRequest,
} from '../../renderer/src/pages/keys/key-form.ts';
import { filterKeys, requestsByDay, sparklineDays } from '../../renderer/src/pages/keys/key-rows.ts';
import { filterRequests, keysOf, noRequestFilter } from '../../renderer/src/pages/requests/request-filter.ts';
import { checkSettings, rebase, toPatch } from '../../renderer/src/pages/settings/settings-form.ts';
import type { RequestEntry, Settings } from '../../server/api/console/console.ts';
import type { ApiKey } from '../../server/api/keys.ts';

describe('the form of a key', () => {
  it('offers days from now as the field takes them', () => {
    expect(dayIn(7, new Date(2026, 11, 28, 12).getTime())).toBe('2027-01-04');
  });
  it('knows the models that the plan free never has; a test key has them all', () => {
    expect(refusedModels({ ...emptyForm, plan: 'free' })).toEqual(['svc-lingua-7b']);
    expect(refusedModels({ ...emptyForm, plan: 'free', class: 'test' })).toEqual([]);
    expect(refusedModels(emptyForm)).toEqual([]);
  });

  it('names what is wrong, field by field', () => {
    const now = Date.UTC(2026, 5, 15);
    expect(checkForm({ ...emptyForm, name: ' ' }, now)).toEqual({ name: 'name_missing' });
    expect(checkForm({ ...emptyForm, name: 'x'.repeat(101), expires: '2026-06-01' }, now)).toEqual({
      name: 'name_long',
      expires: 'expires_past',
    });
    expect(checkForm({ ...emptyForm, name: 'k', cidrs: ['10.0.0.0/40'] }, now)).toEqual({ cidrs: 'cidr' });
    expect(checkForm({ ...emptyForm, name: 'k', cidrs: ['10.0.0.0/8'], plan: 'free' }, now)).toEqual({
      cidrs: 'cidr_plan',
    });
    const onlyBeta = { ...emptyForm, name: 'k', models: ['svc-lingua-7b' as const], plan: 'free' as const };
    expect(checkForm(onlyBeta, now)).toEqual({ models: 'models_plan' });
    expect(checkForm({ ...onlyBeta, class: 'test' }, now)).toEqual({});
    expect(checkForm({ ...emptyForm, name: 'k', expires: '2026-06-15' }, now)).toEqual({});
  });
  it('sends only what was chosen', () => {
    expect(toKeyRequest({ ...emptyForm, name: ' k ' })).toEqual({
      name: 'k',
      class: 'live',
      plan: 'professional',
    });
    expect(toKeyRequest({ ...emptyForm, name: 'k', scopes: ['chat'], cidrs: [' ::1 '] })).toMatchObject({
      scopes: ['chat'],
      allowed_cidrs: ['::1'],
    });
  });
  it('changes a key, and its end only with its day', () => {
    const key = {
      name: 'k',
      class: 'live',
      plan: 'professional',
      scopes: ['chat'],
      models: null,
      allowed_cidrs: ['10.0.0.0/8'],
      expires: Math.floor(new Date('2026-06-15T12:34:56').getTime() / 1000),
    } as ApiKey;
    const form = fromKey(key);
    expect(form).toMatchObject({ name: 'k', models: [], cidrs: ['10.0.0.0/8'], expires: '2026-06-15' });
    expect(toChange(form, key)).toEqual({
      name: 'k',
      plan: 'professional',
      scopes: ['chat'],
      models: null,
      allowed_cidrs: ['10.0.0.0/8'],
    });
    expect(toChange({ ...form, expires: '' }, key).expires).toBeNull();
    expect(toChange({ ...form, expires: '2026-06-16' }, key).expires).toBe(
      Math.floor(new Date('2026-06-16T23:59:59').getTime() / 1000),
    );
    expect(toChange({ ...form, models: ['svc-embed-base'], cidrs: [] }, key)).toMatchObject({
      models: ['svc-embed-base'],
      allowed_cidrs: [],
    });
  });
});

describe('rows of keys', () => {
  const key = (name: string, status: ApiKey['status'], created: number) =>
    ({
      name,
      status,
      created,
      prefix: 'sk-svc-live-',
      last_four: 'abcd',
      class: 'live',
      plan: 'free',
      scopes: ['chat'],
    }) as ApiKey;
  it('put working keys first and match every word', () => {
    const keys = [key('old', 'active', 1), key('gone', 'revoked', 9), key('new', 'rotating', 5)];
    expect(filterKeys(keys, '').map(({ name }) => name)).toEqual(['new', 'old', 'gone']);
    expect(filterKeys(keys, 'LIVE old').map(({ name }) => name)).toEqual(['old']);
  });
  it('add requests up by day over all models', () => {
    const day = {
      key_id: 'a',
      key_name: 'a',
      upstream: null,
      estimated: 0,
      prompt_tokens: 0,
      completion_tokens: 0,
      images: 0,
      frames: 0,
      pages: 0,
    };
    const rows = requestsByDay(
      [
        { ...day, day: '2026-03-01', model: 'x', requests: 2 },
        { ...day, day: '2026-03-01', model: 'y', requests: 3 },
        { ...day, day: '2025-01-01', model: 'y', requests: 100 },
      ],
      Date.UTC(2026, 2, 1, 12),
    );
    expect(rows.get('a')).toEqual([...new Array<number>(sparklineDays - 1).fill(0), 5]);
  });
});

describe('the request log', () => {
  const entry = (id: string, rest: Partial<RequestEntry> = {}) =>
    ({
      id,
      time_ms: 1,
      status: 200,
      path: '/v1/models',
      method: 'GET',
      key_id: 'k1',
      key_name: 'Key',
      ...rest,
    }) as RequestEntry;
  it('replaces a running row when it ends, and puts new ones first', () => {
    const log = mergeEntry([entry('a', { status: null })], entry('b'));
    expect(mergeEntry(log, entry('a')).map(({ id, status }) => [id, status])).toEqual([
      ['b', 200],
      ['a', 200],
    ]);
  });
  it('filters by words, status and key', () => {
    const log = [
      entry('a'),
      entry('b', { status: null }),
      entry('c', { status: 503, code: 'model_loading', key_id: 'k2', key_name: 'B' }),
    ];
    const ids = (filter: object) =>
      filterRequests(log, { ...noRequestFilter, ...filter }).map(({ id }) => id);
    expect(ids({ text: 'LOADING get' })).toEqual(['c']);
    expect(ids({ status: 'running' })).toEqual(['b']);
    expect(ids({ status: 'failed' })).toEqual(['c']);
    expect(ids({ keyId: 'k1', status: 'ok' })).toEqual(['a']);
    expect(keysOf(log)).toEqual([
      { value: 'k2', label: 'B' },
      { value: 'k1', label: 'Key' },
    ]);
  });
});

describe('packs', () => {
  it('take a host’s new state into every role of its pack', () => {
    const role = { role: 'svc-embed-base' as const, status: 'stable' as const, pack: 'p@1', host: null };
    const host = { pack: 'p@1', state: 'ready' as const } as never;
    const { roles } = mergeHost({ roles: [role, { ...role, pack: 'q@1' }], packs: [] }, host);
    expect(roles.map((binding) => binding.host)).toEqual([host, null]);
  });
});

describe('settings', () => {
  const limits = { requests_per_minute: 60, tokens_per_minute: 60_000, concurrent: 2 };
  const saved: Settings = {
    call_seconds: { free: 1, professional: 1, enterprise: 1 },
    limits: { free: limits, professional: limits, enterprise: limits, test: limits },
    max_queue: 64,
    idle_unload_seconds: 600,
    memory_ceiling_mb: 4096,
    sealed: true,
    url_fetch: 'off',
    url_allowlist: [],
    cors_origins: [],
    body_limit_mb: 64,
    request_log_rows: 1000,
    threads: 0,
    chat_history_days: 0,
    work_history_days: 0,
    video_frames: 'even',
    signed_packs_only: false,
    machine_regions: ['my', 'sg', 'id'],
    engine_queue_seconds: 30,
    threat_summaries: 'rules',
    document_fields: 'rules',
    ollama_key: null,
    mcp_folders: [],
    responses_days: 0,
    files_days: 30,
    guardrails: [],
    require_confinement: false,
  };
  it('send only what changed', () => {
    expect(toPatch(saved, structuredClone(saved))).toEqual({});
    expect(toPatch(saved, { ...saved, threads: 2, cors_origins: ['https://a.example'] })).toEqual({
      threads: 2,
      cors_origins: ['https://a.example'],
    });
  });
  it('stand over what another window saved meanwhile, and tell of it', () => {
    const foreign = { ...saved, max_queue: saved.max_queue + 1 };
    expect(rebase({ ...saved, threads: 2 }, saved, foreign)).toEqual({
      form: { ...foreign, threads: 2 },
      isForeign: true,
    });
    const mine = { ...saved, threads: 2 };
    expect(rebase(mine, saved, mine)).toEqual({ form: mine, isForeign: false });
  });
  it('name the fields that are out of bounds', () => {
    const wrong = {
      ...saved,
      limits: { ...saved.limits, free: { ...limits, concurrent: 0 } },
      threads: Number.NaN,
      cors_origins: ['*'],
      url_allowlist: ['https://a.example/'],
    };
    expect([...checkSettings(wrong).keys()]).toEqual([
      'limits.free.concurrent',
      'threads',
      'cors_origins',
      'url_allowlist',
    ]);
    expect(checkSettings(saved).size).toBe(0);
  });
});
