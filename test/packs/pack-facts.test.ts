import { expect, it } from 'vitest';
import { factsOf } from '../../server/packs/pack-facts.ts';
import { readPack } from '../../server/packs/registry.ts';
import { fakePack } from '../support/hosts/packs.ts';

const starter = (id: string) =>
  readPack(new URL(`../../models/packs/${id}`, import.meta.url).pathname, false);

it('reads a chat pack, and lets a person’s choice of the context win', () => {
  const facts = factsOf(starter('lingua-starter'));
  expect(facts).toMatchObject({ architecture: 'llama', quantization: expect.stringContaining('bits') });
  expect(facts.sizeBytes).toBeGreaterThan(1e6);
  expect(facts.weights).toBeGreaterThan(1e6);
  expect(factsOf(starter('lingua-starter'), { context: 512, slots: 2 }).context).toBe(512);
});

it('leaves open what a manifest does not say', () => {
  expect(factsOf(fakePack('svc-embed-base', { dims: 1024 }))).toEqual({
    sizeBytes: 0,
    context: null,
    dims: 1024,
    weights: null,
    quantization: null,
    architecture: null,
  });
});
