import { describe, expect, it } from 'vitest';
import { findFolders } from '../server/config.ts';
import { noModelsReason } from '../server/platform.ts';

describe('noModelsReason', () => {
  it('names the systems without a model runtime', () => {
    expect(noModelsReason({ platform: 'darwin', arch: 'x64', musl: false })).toMatch('Intel');
    expect(noModelsReason({ platform: 'linux', arch: 'x64', musl: true })).toMatch('musl');
    expect(noModelsReason({ platform: 'freebsd', arch: 'x64', musl: false })).toMatch('freebsd on x64');
    expect(noModelsReason({ platform: 'linux', arch: 'riscv64', musl: false })).toMatch('Linux on riscv64');
  });

  it('has nothing against the others', () => {
    for (const [platform, arch] of [
      ['linux', 'x64'],
      ['linux', 'arm64'],
      ['darwin', 'arm64'],
      ['win32', 'x64'],
      ['win32', 'arm64'],
    ] as const)
      expect(noModelsReason({ platform, arch, musl: false })).toBeNull();
  });

  it('finds this very system served, as the tests beside it run models', () => {
    expect(noModelsReason()).toBeNull();
  });
});

describe.skipIf(process.platform === 'win32')('findFolders', () => {
  it('takes the packs from beside Electron’s archive, which native code cannot read', () => {
    expect(findFolders('file:///opt/Lokal/resources/app.asar/dist/server/config.js')).toEqual({
      root: '/opt/Lokal/resources/app.asar/',
      interface: '/opt/Lokal/resources/app.asar/dist/renderer',
      starterPacks: '/opt/Lokal/resources/app.asar.unpacked/models/packs',
    });
  });

  it('finds both in a checkout and in a compiled one, whatever its name', () => {
    const folders = {
      root: '/src/app.asar.d/',
      interface: '/src/app.asar.d/dist/renderer',
      starterPacks: '/src/app.asar.d/models/packs',
    };
    expect(findFolders('file:///src/app.asar.d/server/config.ts')).toEqual(folders);
    expect(findFolders('file:///src/app.asar.d/dist/server/config.js')).toEqual(folders);
  });
});
