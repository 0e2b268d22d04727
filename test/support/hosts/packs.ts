/** Packs and a registry for tests of the supervisor. */
import type { ModelId } from '../../../server/api/common.ts';
import { engineOf } from '../../../server/engine/protocol.ts';
import type { Manifest } from '../../../server/packs/manifest.ts';
import type { Pack, PackRegistry } from '../../../server/packs/registry.ts';

export function fakePack(role: ModelId, extra: Record<string, unknown> = {}): Pack {
  const manifest = {
    id: `fake-${role}`,
    version: '1',
    name: 'Fake',
    publisher: 'tests',
    roles: [role],
    format: 'builtin',
    engine: engineOf[role],
    files: [],
    licence: 'Apache-2.0',
    languages: [],
    status: 'starter',
    description: '',
    ...extra,
  } as Manifest;
  return {
    ref: `${manifest.id}@1`,
    folder: '/nowhere',
    manifest,
    installed: 1,
    removable: false,
    sizeBytes: 0,
  };
}

export function fakeRegistry(packs: Pack[]): PackRegistry {
  const bound = (role: ModelId) => packs.find((pack) => pack.manifest.roles.includes(role)) ?? null;
  return {
    list: () => packs,
    find: (ref) => packs.find((pack) => pack.ref === ref) ?? null,
    bound,
    starter: () => null,
    boundTasks: () => ({}),
    bind: () => {},
    unbind: () => {},
    problems: () => [],
    refresh: () => {},
  };
}
