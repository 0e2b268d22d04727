import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { families } from '../../server/engine/images/models/open.ts';
import { tasksOfFamily, tasksOfPack } from '../../server/packs/pack-tasks.ts';
import { createPackRegistry } from '../../server/packs/registry.ts';
import { fakePack } from '../support/hosts/packs.ts';

const manifestOf = (extra: object) => fakePack('svc-vision-pro', { engine: 'images', ...extra }).manifest;

it('every family of the engine has its tasks', () => {
  expect(Object.keys(tasksOfFamily).sort()).toEqual([...families].sort());
});

it('a pack can do what its parts can; one of the kind of the starter does all; others nothing', () => {
  expect(tasksOfPack(manifestOf({}))).toEqual(['caption', 'objects', 'scene_graph']);
  const parts = [{ family: 'clip' }, { family: 'detr' }];
  expect(tasksOfPack(manifestOf({ vision: { parts } }))).toEqual(['objects', 'scene_graph']);
  expect(tasksOfPack(fakePack('svc-embed-base').manifest)).toEqual([]);
  expect(tasksOfPack(fakePack('svc-embed-base', { rerank: {} }).manifest)).toEqual(['rerank']);
});

it('a task is bound to a pack that can do it, beside the role', () => {
  const starters = new URL('../../models/packs', import.meta.url).pathname;
  const chosen = new Map<string, string | null>();
  const registry = createPackRegistry(
    { starters, imported: '/nowhere' },
    { get: (name) => chosen.get(name), set: (name, ref) => void chosen.set(name, ref), forget: () => {} },
  );
  registry.bind('svc-vision-pro', 'vision-starter', 'objects');
  registry.bind('svc-vision-pro', null);
  expect(registry.bound('svc-vision-pro')).toBeNull();
  expect(registry.boundTasks('svc-vision-pro')).toMatchObject({
    objects: { manifest: { id: 'vision-starter' } },
  });
  expect(() => registry.bind('svc-vision-pro', 'embed-starter', 'objects')).toThrow(/does not fill/);
  registry.bind('svc-vision-pro', null, 'objects');
  expect(registry.boundTasks('svc-vision-pro')).toEqual({});
});

it('a cross-encoder is bound for its task alone', () => {
  const imported = mkdtempSync(join(tmpdir(), 'lokal-tasks-'));
  const { manifest } = fakePack('svc-embed-base', {
    id: 'pairs',
    status: 'imported',
    format: 'onnx',
    rerank: {},
  });
  mkdirSync(join(imported, 'pairs'));
  writeFileSync(join(imported, 'pairs', 'manifest.json'), JSON.stringify(manifest));
  const chosen = new Map<string, string | null>();
  const registry = createPackRegistry(
    { starters: '/nowhere', imported },
    { get: (name) => chosen.get(name), set: (name, ref) => void chosen.set(name, ref), forget: () => {} },
  );
  expect(registry.problems()).toEqual([]);
  expect(() => registry.bind('svc-embed-base', 'pairs')).toThrow(/for the task rerank/);
  registry.bind('svc-embed-base', 'pairs', 'rerank');
  expect(registry.boundTasks('svc-embed-base')).toMatchObject({ rerank: { ref: 'pairs@1' } });
  rmSync(imported, { recursive: true });
});
