/** A pack that serves is removed: its roles go back to the starter, or it stays. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createBindingStore } from '../../../server/db/choices/bindings.ts';
import { removePack } from '../../../server/packs/import.ts';
import { createPackRegistry } from '../../../server/packs/registry.ts';
import { createPackService, type PackServiceDeps } from '../../../server/services/console/packs.ts';
import { temporaryFolder } from '../../support/app/folder.ts';
import { openTestApp } from '../../support/app/test-app.ts';
import { fakePack } from '../../support/hosts/packs.ts';

function writeManifest(root: string, id: string, status: string): void {
  const { manifest } = fakePack('svc-vision-pro', { id, status });
  mkdirSync(join(root, id));
  writeFileSync(join(root, id, 'manifest.json'), JSON.stringify(manifest));
}

/** @param starters the starters that are there */
function open(starters: string[]) {
  const { db, services } = openTestApp();
  const folders = { starters: temporaryFolder(), imported: temporaryFolder() };
  for (const id of starters) writeManifest(folders.starters, id, 'starter');
  writeManifest(folders.imported, 'tiny', 'imported');
  const registry = createPackRegistry(folders, createBindingStore(db));
  const deps = { registry, removePack, unload: async () => {}, audit: services.audit };
  // The rest is for imports and answers about hosts.
  return { registry, audit: services.audit, packs: createPackService(deps as unknown as PackServiceDeps) };
}

it('gives the role and its tasks back to the starter, and names them', async () => {
  const { packs, registry, audit } = open(['small']);
  packs.bind('svc-vision-pro', 'tiny');
  packs.bind('svc-vision-pro', 'tiny', 'objects');
  expect(await packs.remove('tiny')).toEqual([
    { role: 'svc-vision-pro', pack: 'small@1' },
    { role: 'svc-vision-pro', task: 'objects', pack: null },
  ]);
  expect(registry.bound('svc-vision-pro')?.ref).toBe('small@1');
  expect(registry.boundTasks('svc-vision-pro')).toEqual({});
  const acts = audit.lines().map(({ action, target }) => `${action} ${target}`);
  expect(acts.slice(-3)).toEqual([
    'pack.bind svc-vision-pro',
    'pack.bind svc-vision-pro',
    'pack.remove tiny@1',
  ]);
});

it('leaves alone what serves nothing', async () => {
  const { packs, registry } = open(['small']);
  expect(await packs.remove('tiny')).toEqual([]);
  expect(registry.bound('svc-vision-pro')?.ref).toBe('small@1');
});

it('refuses, by name, where a role would be left without a pack', async () => {
  const { packs, registry } = open([]);
  packs.bind('svc-vision-pro', 'tiny');
  await expect(packs.remove('tiny')).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('tiny@1 serves svc-vision-pro'),
  });
  expect(registry.bound('svc-vision-pro')?.ref).toBe('tiny@1');
});
