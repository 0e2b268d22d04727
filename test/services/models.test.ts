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
    const empty = models.list(caller);
    expect(models.list(caller)).toBe(empty);
    expect(empty.data[0]).toMatchObject({ created: 0, owned_by: 'Lokal' });
    expect(empty.data[0]).toMatchObject({ pack: null, name: null });
    bound = { ref: 'new@1', name: 'A New One', publisher: 'Somebody', installed: 42 };
    expect(models.list(caller).data[0]).toMatchObject({
      created: 42,
      owned_by: 'Somebody',
      pack: 'new@1',
      name: 'A New One',
    });
    bound = null;
    expect(models.list(caller)).toEqual(empty);
  });

  it('gives one model, and names what is in the way of another', () => {
    const models = createModels({ engines: fakeEngines(), fixtures: createFixtureEngines() });
    const caller = makeCaller({ plan: 'free' });
    expect(models.get('svc-embed-base', caller)).toMatchObject({ id: 'svc-embed-base', object: 'model' });
    expect(() => models.get('svc-lingua-7b', caller)).toThrow(/plan free\): .*stable models only/);
    expect(() => models.get('svc-parse-pro', makeCaller({ scopes: ['models'] }))).toThrow(/scope documents/);
    expect(() => models.get('gpt-4o', caller)).toThrow(
      expect.objectContaining({ code: 'model_not_found', param: 'model' }),
    );
  });

  it('is what the key sees', () => {
    const models = createModels({ engines: fakeEngines(), fixtures: createFixtureEngines() });
    const ids = (caller = makeCaller()) => models.list(caller).data.map(({ id }) => id);
    expect(ids(makeCaller({ plan: 'free' }))).not.toContain('svc-lingua-7b');
    expect(ids(makeCaller({ plan: 'free', class: 'test' }))).toContain('svc-lingua-7b');
    expect(ids(makeCaller({ scopes: ['models', 'chat'] }))).toEqual(['svc-lingua-7b']);
    expect(ids(makeCaller({ models: ['svc-parse-pro'] }))).toEqual(['svc-parse-pro']);
  });
});
