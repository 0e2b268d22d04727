import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { grantOf } from '../../server/engine/host-grant.ts';
import { temporaryFolder } from '../support/app/folder.ts';

const cpu = { threads: 1, providers: ['cpu'] };
const pack = { ref: 'a@1', folder: '/packs/a', manifest: {} };

describe('what a host may reach', () => {
  it('is its pack, the starter and the packs of its tasks, to read', () => {
    const starter = { folder: '/starters/b', manifest: {} };
    const tasks = { caption: { ...pack, folder: '/packs/c', starter } };
    expect(grantOf({ ...pack, starter, tasks }, cpu)).toEqual({
      reads: ['/packs/a', '/starters/b', '/packs/c'],
      writes: [],
      devices: false,
    });
  });

  it('is a graphics device only where a provider needs one', () => {
    expect(grantOf(pack, { ...cpu, providers: ['webgpu', 'cpu'] }).devices).toBe(true);
  });

  it('is, of a conversion, its source with what it links to, and its target to write', () => {
    const hub = temporaryFolder();
    for (const name of ['blobs', 'snapshot']) mkdirSync(join(hub, name));
    writeFileSync(join(hub, 'blobs', '12ab'), '');
    symlinkSync('../blobs/12ab', join(hub, 'snapshot', 'model.safetensors'));
    symlinkSync('../blobs/none', join(hub, 'snapshot', 'gone'));
    const source = join(hub, 'snapshot');
    const grant = grantOf({ ...pack, folder: '/packs/x.partial', source }, cpu);
    expect(grant).toEqual({
      reads: [source, join(hub, 'blobs', '12ab')],
      writes: ['/packs/x.partial'],
      devices: false,
    });
    // An estimate writes nothing.
    expect(grantOf({ ...pack, folder: '', source }, cpu).writes).toEqual([]);
  });
});
