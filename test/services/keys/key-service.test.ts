import { describe, expect, it } from 'vitest';
import { createKeyDirectory } from '../../../server/services/keys/key-directory.ts';
import type { Manager } from '../../../server/services/keys/key-service.ts';
import { openTestApp } from '../../support/app/test-app.ts';

const open = () => {
  const { services, clock, stores } = openTestApp();
  const admit = (secret: string, address = '127.0.0.1') => services.keyDirectory.admit(secret, address);
  const refusal = (secret: string, address?: string) => {
    try {
      admit(secret, address);
      return null;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  return { keys: services.keys, directory: services.keyDirectory, clock, stores, admit, refusal };
};

describe('keys', () => {
  it('get every scope but keys when none is named', () => {
    const { keys } = open();
    const key = keys.create({ name: 'a' }, 'owner');
    expect(key.scopes).toEqual(['chat', 'images', 'moderations', 'documents', 'embeddings', 'models']);
    expect(keys.create({ name: 'a', scopes: ['keys'] }, 'owner').scopes).toEqual(['keys']);
  });

  it('never store their secret', () => {
    const { keys, stores } = open();
    const { secret } = keys.create({ name: 'a' }, 'owner');
    expect(JSON.stringify(stores.keys.all())).not.toContain(secret.slice(16, -4));
    expect(keys.list('owner')[0]).not.toHaveProperty('secret');
  });

  it('are told apart: unknown, expired, revoked', () => {
    const { keys, clock, admit, refusal } = open();
    expect(refusal('sk-svc-live-nonsense')).toBe('invalid_api_key');
    const { secret, id } = keys.create({ name: 'a', expires: clock.seconds + 60 }, 'owner');
    expect(admit(secret).row.id).toBe(id);
    clock.advance(59_999);
    expect(refusal(secret)).toBeNull();
    clock.advance(1);
    expect(refusal(secret)).toBe('expired_api_key');
    keys.revoke(id, 'owner');
    expect(refusal(secret)).toBe('revoked_api_key');
  });

  it('look at the address before anything else about the key', () => {
    const { keys, refusal } = open();
    const { secret, id } = keys.create(
      { name: 'a', plan: 'professional', allowed_cidrs: ['10.0.0.0/8'] },
      'owner',
    );
    expect(refusal(secret, '10.1.1.1')).toBeNull();
    expect(refusal(secret, '::ffff:10.1.1.1')).toBeNull();
    keys.revoke(id, 'owner');
    expect(refusal(secret, '127.0.0.1')).toBe('ip_not_allowed');
    expect(refusal(secret, '10.1.1.1')).toBe('revoked_api_key');
  });

  it('need a plan for an allowlist, and a future for an expiry', () => {
    const { keys, clock } = open();
    expect(() => keys.create({ name: 'a', allowed_cidrs: ['::1'] }, 'owner')).toThrow(
      expect.objectContaining({ code: 'plan_required' }),
    );
    expect(() => keys.create({ name: 'a', expires: clock.seconds }, 'owner')).toThrow(
      expect.objectContaining({ code: 'invalid_value', param: 'expires' }),
    );
    const { id } = keys.create({ name: 'a', plan: 'professional', allowed_cidrs: ['::1'] }, 'owner');
    expect(() => keys.update(id, { plan: 'free' }, 'owner')).toThrow(
      expect.objectContaining({ code: 'plan_required' }),
    );
  });

  it('need a plan that has at least one of the models they are narrowed to', () => {
    const { keys } = open();
    const models = ['svc-lingua-7b' as const];
    const refusal = expect.objectContaining({
      code: 'invalid_value',
      param: 'models',
      message: expect.stringMatching(/plan free .* allows svc-vision-pro, .*svc-embed-base\.$/),
    });
    expect(() => keys.create({ name: 'a', plan: 'free', models }, 'owner')).toThrow(refusal);
    const { id } = keys.create({ name: 'a', plan: 'professional', models }, 'owner');
    expect(() => keys.update(id, { plan: 'free' }, 'owner')).toThrow(refusal);
    expect(keys.create({ name: 'a', plan: 'free', class: 'test', models }, 'owner')).toMatchObject({
      models,
    });
    const some = keys.create({ name: 'a', models: ['svc-embed-base', ...models] }, 'owner');
    expect(() => keys.update(some.id, { models }, 'owner')).toThrow(refusal);
  });

  it('can be changed after they expired, without a new expiry', () => {
    const { keys, clock } = open();
    const { id } = keys.create({ name: 'a', expires: clock.seconds + 1 }, 'owner');
    clock.advance(5_000);
    expect(keys.update(id, { name: 'b' }, 'owner')).toMatchObject({ name: 'b', status: 'expired' });
    expect(keys.update(id, { expires: null }, 'owner')).toMatchObject({ expires: null, status: 'active' });
  });

  it('stay revoked as they were', () => {
    const { keys, clock } = open();
    const { id } = keys.create({ name: 'a' }, 'owner');
    const { revoked } = keys.revoke(id, 'owner');
    clock.advance(10_000);
    expect(keys.revoke(id, 'owner').revoked).toBe(revoked);
    expect(() => keys.update(id, { name: 'b' }, 'owner')).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    );
    expect(() => keys.rotate(id, 0, 'owner')).toThrow(expect.objectContaining({ code: 'conflict' }));
  });
});

describe('rotation', () => {
  it('inherits everything, and both work until the overlap ends', () => {
    const { keys, clock, refusal } = open();
    const old = keys.create(
      {
        name: 'a',
        plan: 'enterprise',
        scopes: ['chat'],
        models: ['svc-lingua-7b'],
        allowed_cidrs: ['127.0.0.1'],
        expires: clock.seconds + 9_999,
      },
      'owner',
    );
    const next = keys.rotate(old.id, 60, 'owner');
    const { name, plan, scopes, models, allowed_cidrs, expires } = next;
    expect({ name, plan, scopes, models, allowed_cidrs, expires }).toEqual({
      name: old.name,
      plan: old.plan,
      scopes: old.scopes,
      models: old.models,
      allowed_cidrs: old.allowed_cidrs,
      expires: old.expires,
    });
    expect(next).toMatchObject({ class: 'live', replaces: old.id, status: 'active', overlap_ends: null });
    expect(keys.get(old.id, 'owner')).toMatchObject({
      status: 'rotating',
      replaced_by: next.id,
      overlap_ends: clock.seconds + 60,
    });
    clock.advance(59_999);
    expect([refusal(old.secret), refusal(next.secret)]).toEqual([null, null]);
    clock.advance(1);
    expect([refusal(old.secret), refusal(next.secret)]).toEqual(['expired_api_key', null]);
    expect(keys.get(old.id, 'owner').status).toBe('expired');
  });

  it('ends the old key at once without an overlap', () => {
    const { keys, refusal } = open();
    const old = keys.create({ name: 'a' }, 'owner');
    keys.rotate(old.id, 0, 'owner');
    expect(refusal(old.secret)).toBe('revoked_api_key');
  });

  it('happens once', () => {
    const { keys } = open();
    const old = keys.create({ name: 'a' }, 'owner');
    keys.rotate(old.id, 60, 'owner');
    expect(() => keys.rotate(old.id, 60, 'owner')).toThrow(expect.objectContaining({ code: 'conflict' }));
  });
});

describe('a managing key', () => {
  const manage = (request: { plan?: 'free' | 'professional'; class?: 'live' | 'test' }) => {
    const opened = open();
    const { secret } = opened.keys.create({ name: 'm', scopes: ['keys', 'chat'], ...request }, 'owner');
    const manager: Manager = opened.admit(secret).principal;
    return { ...opened, manager };
  };

  it('cannot give more than it has', () => {
    const { keys, manager } = manage({ plan: 'professional' });
    expect(keys.create({ name: 'a', scopes: ['chat'], plan: 'professional' }, manager).plan).toBe(
      'professional',
    );
    expect(() => keys.create({ name: 'a', scopes: ['chat'], plan: 'enterprise' }, manager)).toThrow(
      expect.objectContaining({ code: 'plan_required' }),
    );
    expect(() => keys.create({ name: 'a', scopes: ['images'] }, manager)).toThrow(
      expect.objectContaining({ code: 'insufficient_scope', param: 'scopes' }),
    );
  });

  it('does not see what reaches further, so cannot rotate it into its own hands', () => {
    const { keys, manager } = manage({});
    const stronger = keys.create({ name: 's', plan: 'enterprise' }, 'owner');
    expect(keys.list(manager).map((key) => key.id)).not.toContain(stronger.id);
    expect(() => keys.rotate(stronger.id, 0, manager)).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
  });

  it('of the test class manages test keys alone', () => {
    const { keys, manager } = manage({ class: 'test' });
    expect(keys.create({ name: 't', class: 'test', scopes: ['chat'] }, manager).class).toBe('test');
    expect(() => keys.create({ name: 'l', scopes: ['chat'] }, manager)).toThrow(
      expect.objectContaining({ code: 'insufficient_scope', param: 'class' }),
    );
  });
});

describe('the directory', () => {
  it('hears of a revocation by another process', async () => {
    const { keys, directory, stores, file } = openTestAppWithFile();
    const { secret, id } = keys.create({ name: 'a' }, 'owner');
    const told: string[] = [];
    directory.onRevoked((keyId) => told.push(keyId));
    const other = openTestApp({ file });
    other.services.keys.revoke(id, 'owner');
    directory.poll();
    expect(told).toEqual([id]);
    expect(() => directory.admit(secret, '')).toThrow(expect.objectContaining({ code: 'revoked_api_key' }));
    expect(stores.keys.all()).toHaveLength(1);
  });

  it('writes when a key was last used, in its own time', () => {
    const { keys, directory, admit, clock, stores } = open();
    const { secret } = keys.create({ name: 'a' }, 'owner');
    directory.touch(admit(secret));
    expect(keys.list('owner')[0]!.last_used).toBe(clock.seconds);
    expect(stores.keys.all()[0]!.lastUsed).toBeNull();
    directory.flush();
    const again = createKeyDirectory({ store: stores.keys, now: clock.now });
    expect(again.all()[0]!.row.lastUsed).toBe(clock.seconds);
  });
});

function openTestAppWithFile() {
  const { services, stores, file } = openTestApp();
  return { keys: services.keys, directory: services.keyDirectory, stores, file };
}
