import { describe, expect, it } from 'vitest';
import type { BoundPack } from '../../server/hosts/engines.ts';
import { createFixtureEngines } from '../../server/services/fixtures/engines.ts';
import { createModels } from '../../server/services/models.ts';
import { makeCaller } from '../support/caller.ts';
import { fakeEngines } from '../support/fake-engines.ts';

describe('the model list', () => {
  it('is kept for a key until a role is bound to another pack', () => {
    let bound: BoundPack | null = null;
    const engines = { ...fakeEngines(), bound: () => bound };
    const models = createModels({ engines, fixtures: createFixtureEngines() });
    const caller = makeCaller();
    const empty = models(caller);
    expect(models(caller)).toBe(empty);
    expect(empty.data[0]).toMatchObject({ created: 0, owned_by: 'Lokal' });
    bound = { ref: 'new@1', publisher: 'Somebody', installed: 42 };
    expect(models(caller).data[0]).toMatchObject({ created: 42, owned_by: 'Somebody' });
    bound = null;
    expect(models(caller)).toEqual(empty);
  });

  it('is what the key sees', () => {
    const models = createModels({ engines: fakeEngines(), fixtures: createFixtureEngines() });
    const ids = (caller = makeCaller()) => models(caller).data.map(({ id }) => id);
    expect(ids(makeCaller({ plan: 'free' }))).not.toContain('svc-lingua-7b');
    expect(ids(makeCaller({ plan: 'free', class: 'test' }))).toContain('svc-lingua-7b');
    expect(ids(makeCaller({ scopes: ['models', 'chat'] }))).toEqual(['svc-lingua-7b']);
    expect(ids(makeCaller({ models: ['svc-parse-pro'] }))).toEqual(['svc-parse-pro']);
  });
});
