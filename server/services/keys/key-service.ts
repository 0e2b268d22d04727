/** Managing keys: the same service behind /v1/keys, /console/keys and `lokal keys`. */
import { randomBytes } from 'node:crypto';
import { modelIds, plans, type Scope, scopes } from '../../api/common.ts';
import type { ApiKey, ApiKeyWithSecret, CreateKeyRequest, UpdateKeyRequest } from '../../api/keys.ts';
import type { KeyRow, KeyStore } from '../../db/access/key-store.ts';
import { ApiError } from '../../errors.ts';
import { type Act, type AuditLog, changesBetween } from '../audit/audit-log.ts';
import type { Principal } from '../caller.ts';
import { isInPlan } from '../model-call.ts';
import { normaliseRanges } from './cidr.ts';
import { endOf, type KeyDirectory } from './key-directory.ts';
import { createSecret, hashSecret, visiblePrefix } from './secret.ts';

/** Who manages: a key's principal, which never reaches beyond itself, or the person at this machine. */
export type Manager = Principal | 'owner';

export interface KeyService {
  list(manager: Manager): ApiKey[];
  get(id: string, manager: Manager): ApiKey;
  create(request: CreateKeyRequest, manager: Manager): ApiKeyWithSecret;
  update(id: string, change: UpdateKeyRequest, manager: Manager): ApiKey;
  /** Idempotent: a revoked key stays as it was revoked. */
  revoke(id: string, manager: Manager): ApiKey;
  rotate(id: string, overlapSeconds: number, manager: Manager): ApiKeyWithSecret;
}

export interface KeyServiceDeps {
  store: KeyStore;
  directory: KeyDirectory;
  now: () => number;
  audit: AuditLog;
}

/** Scopes of a key when none are named. */
const defaultScopes: Scope[] = scopes.filter((scope) => scope !== 'keys' && scope !== 'upstream');

export function createKeyService({ store, directory, now, audit }: KeyServiceDeps): KeyService {
  const seconds = () => Math.floor(now() / 1000);

  function find(id: string, manager: Manager): KeyRow {
    directory.poll();
    const row = directory.find(id)?.row;
    // Keys beyond the manager's reach do not exist for it.
    if (!row || beyond(row, manager))
      throw new ApiError('not_found', 'There is no such key.', { param: 'id' });
    return row;
  }

  function save(row: KeyRow, act: Act): ApiKey {
    audit.act({ ...act, target: row.id }, () => store.update(row));
    directory.renew();
    return toApiKey(row, now());
  }

  return {
    list(manager) {
      directory.poll();
      const rows = directory.all().map((key) => key.row);
      return rows.filter((row) => !beyond(row, manager)).map((row) => toApiKey(row, now()));
    },

    get: (id, manager) => toApiKey(find(id, manager), now()),

    create(request, manager) {
      const secret = createSecret(request.class ?? 'live');
      const row = check(newKeyRow(request, secret, seconds()), manager, now());
      audit.act({ action: 'key.create', target: row.id, changes: toRecord(row) }, () => store.insert(row));
      directory.renew();
      return { ...toApiKey(row, now()), secret };
    },

    update(id, change, manager) {
      const old = find(id, manager);
      if (old.revoked !== null) throw new ApiError('conflict', 'The key was revoked.');
      const row = check(changedRow(old, change), manager, now(), change);
      return save(row, { action: 'key.change', changes: changesBetween(toRecord(old), toRecord(row)) });
    },

    revoke(id, manager) {
      const row = find(id, manager);
      return row.revoked === null
        ? save({ ...row, revoked: seconds() }, { action: 'key.revoke', changes: { name: row.name } })
        : toApiKey(row, now());
    },

    rotate(id, overlapSeconds, manager) {
      const old = find(id, manager);
      if (statusOf(old, now()) !== 'active') {
        throw new ApiError('conflict', 'Only an active key that has not been replaced can be rotated.');
      }
      const secret = createSecret(old.class);
      const replacement: KeyRow = {
        ...old,
        ...identityOf(secret),
        created: seconds(),
        lastUsed: null,
        replaces: old.id,
      };
      const ended =
        overlapSeconds === 0 ? { revoked: seconds() } : { overlapEnds: seconds() + overlapSeconds };
      const changes = { name: old.name, replaced_by: replacement.id, overlap_seconds: overlapSeconds };
      audit.act({ action: 'key.rotate', target: old.id, changes }, () =>
        store.replace({ ...old, ...ended, replacedBy: replacement.id }, replacement),
      );
      directory.renew();
      return { ...toApiKey(replacement, now()), secret };
    },
  };
}

/** A key as the audit log tells of it. */
const toRecord = ({
  name,
  class: keyClass,
  plan,
  scopes: granted,
  models,
  allowedCidrs,
  expires,
}: KeyRow) => ({
  name,
  class: keyClass,
  plan,
  scopes: granted,
  models,
  allowed_cidrs: allowedCidrs,
  expires,
});

const identityOf = (secret: string) => ({
  id: `key_${randomBytes(8).toString('hex')}`,
  hash: hashSecret(secret),
  prefix: visiblePrefix(secret),
  lastFour: secret.slice(-4),
});

/** @param created Unix seconds */
export function newKeyRow(request: CreateKeyRequest, secret: string, created: number): KeyRow {
  return {
    ...identityOf(secret),
    name: request.name,
    class: request.class ?? 'live',
    plan: request.plan ?? 'free',
    scopes: request.scopes ?? defaultScopes,
    models: request.models ?? null,
    allowedCidrs: normaliseRanges(request.allowed_cidrs ?? [], 'allowed_cidrs'),
    created,
    expires: request.expires ?? null,
    lastUsed: null,
    revoked: null,
    replaces: null,
    replacedBy: null,
    overlapEnds: null,
  };
}

function changedRow(old: KeyRow, change: UpdateKeyRequest): KeyRow {
  const { name = old.name, plan = old.plan, models = old.models, expires = old.expires } = change;
  return {
    ...old,
    name,
    plan,
    models,
    expires,
    scopes: change.scopes ?? old.scopes,
    allowedCidrs: change.allowed_cidrs
      ? normaliseRanges(change.allowed_cidrs, 'allowed_cidrs')
      : old.allowedCidrs,
  };
}

/** @throws ApiError plan_required, invalid_value, insufficient_scope */
function check(row: KeyRow, manager: Manager, nowMs: number, change?: UpdateKeyRequest): KeyRow {
  if (row.allowedCidrs.length > 0 && row.plan === 'free') {
    throw new ApiError('plan_required', 'An IP allowlist needs the professional or enterprise plan.', {
      param: 'allowed_cidrs',
    });
  }
  const modelsGiven = change === undefined || Boolean(change.models || change.plan);
  if (modelsGiven && row.models?.every((model) => !isInPlan(model, row))) {
    const allowed = modelIds.filter((model) => isInPlan(model, row)).join(', ');
    throw new ApiError(
      'invalid_value',
      `Invalid value for 'models': the plan ${row.plan} has none of them; it allows ${allowed}.`,
      { param: 'models' },
    );
  }
  const expiryGiven = change === undefined || change.expires !== undefined;
  if (expiryGiven && row.expires !== null && row.expires * 1000 <= nowMs) {
    throw new ApiError('invalid_value', "Invalid value for 'expires': it must be in the future.", {
      param: 'expires',
    });
  }
  const param = beyond(row, manager);
  if (param === 'plan') {
    throw new ApiError('plan_required', 'A key cannot give more than its own plan.', { param });
  }
  if (param)
    throw new ApiError('insufficient_scope', 'A key cannot give more than it has itself.', { param });
  return row;
}

/** The field in which a key reaches further than its manager may, or null. */
function beyond(row: KeyRow, manager: Manager): 'class' | 'plan' | 'scopes' | 'models' | null {
  if (manager === 'owner') return null;
  if (manager.class === 'test' && row.class === 'live') return 'class';
  if (plans.indexOf(row.plan) > plans.indexOf(manager.plan)) return 'plan';
  if (!row.scopes.every((scope) => manager.scopes.has(scope))) return 'scopes';
  const { models } = manager;
  return models && !row.models?.every((model) => models.has(model)) ? 'models' : null;
}

function statusOf(row: KeyRow, nowMs: number): ApiKey['status'] {
  if (row.revoked !== null) return 'revoked';
  if (nowMs >= endOf(row) * 1000) return 'expired';
  return row.replacedBy === null ? 'active' : 'rotating';
}

function toApiKey(row: KeyRow, nowMs: number): ApiKey {
  return {
    id: row.id,
    object: 'key',
    name: row.name,
    class: row.class,
    plan: row.plan,
    prefix: row.prefix,
    last_four: row.lastFour,
    scopes: row.scopes,
    models: row.models,
    allowed_cidrs: row.allowedCidrs,
    created: row.created,
    expires: row.expires,
    last_used: row.lastUsed,
    revoked: row.revoked,
    replaces: row.replaces,
    replaced_by: row.replacedBy,
    overlap_ends: row.overlapEnds,
    status: statusOf(row, nowMs),
  };
}
