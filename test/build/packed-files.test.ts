/** What an installer holds: only what runs, and of native parts only those of its own system. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isPacked, type Target } from '../../build/packed-files.ts';
import { root } from '../../build/start/paths.ts';

const json = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const config = json('build/electron-builder.json');
const linux: Target = { platform: 'linux', arch: 'x64' };
const allowed = [
  /^(package\.json|LICENSE|THIRD-PARTY-NOTICES\.txt)$/,
  /^dist\/(electron|server|renderer)\//,
  /^models\/packs\//,
  /^build\/icons\/[\w@.-]+\.png$/,
];

describe('electron-builder.json', () => {
  it('keeps its patterns in one list: one of negations alone would pack the whole checkout', () => {
    expect(config.files.filter((pattern: string) => !pattern.startsWith('!')).length).toBeGreaterThan(0);
    for (const system of ['linux', 'mac', 'win']) expect(config[system]).not.toHaveProperty('files');
  });

  it('packs nothing of the checkout but what runs', () => {
    const files = globSync('**/*', {
      cwd: root,
      withFileTypes: true,
      exclude: (entry) => ['node_modules', '.git'].includes(entry.name),
    })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(root.length + 1)
          .replaceAll('\\', '/'),
      );
    const packed = [...files, '.npmrc', '.ci/test', 'notes.txt'].filter((path) => isPacked(path, linux));
    expect(packed.filter((path) => !allowed.some((pattern) => pattern.test(path)))).toEqual([]);
    expect(packed).toEqual(
      expect.arrayContaining(['package.json', 'LICENSE', 'models/packs/embed-starter/model.onnx']),
    );
  });

  it.each<[Target, string, string[]]>([
    [linux, 'linux/x64/libonnxruntime.so.1', ['linux-x64.node']],
    [{ platform: 'linux', arch: 'arm64' }, 'linux/arm64/libonnxruntime.so.1', ['linux-arm64.node']],
    [
      { platform: 'darwin', arch: 'arm64' },
      'darwin/arm64/libonnxruntime.1.30.0.dylib',
      ['darwin-arm64.node'],
    ],
    [{ platform: 'win32', arch: 'arm64' }, 'win32/arm64/onnxruntime.dll', ['win32-arm64.node']],
  ])('%o: holds its own natives and no others', (target, library, sqlite) => {
    const kept = (pattern: string) =>
      globSync(pattern, { cwd: root })
        .map((path) => path.replaceAll('\\', '/'))
        .filter((path) => isPacked(path, target));
    const runtime = kept('node_modules/onnxruntime-node/bin/*/*/*/*');
    expect(runtime).toContain(`node_modules/onnxruntime-node/bin/napi-v6/${library}`);
    const own = `/${target.platform}/${target.arch}/`;
    expect(runtime.filter((path) => !path.includes(own))).toEqual([]);
    expect(kept('node_modules/better-sqlite3/prebuilds/*').map((path) => path.split('/').pop())).toEqual(
      sqlite,
    );
    expect(kept('node_modules/node/bin/*')).toEqual([]);
  });

  it('packs every decoder of videos that the code names', () => {
    const source = readFileSync(join(root, 'server/engine/images/video/decoder.ts'), 'utf8');
    const loaders = [...source.matchAll(/'(libav-[\w.-]+)'/g)].map(([, name]) => name);
    expect(loaders.length).toBeGreaterThan(2);
    const kept = globSync('node_modules/@libav.js/*/dist/*', { cwd: root }).filter((path) =>
      isPacked(path.replaceAll('\\', '/'), linux),
    );
    for (const loader of loaders) {
      expect(kept.some((path) => path.endsWith(`${loader}.wasm`))).toBe(true);
      expect(kept.some((path) => path.endsWith(`${loader}.js`))).toBe(true);
    }
    expect(kept.filter((path) => /\.(asm|thr)\./.test(path))).toEqual([]);
  });

  it('promises no system that the model runtime has no library for', () => {
    const arches = (system: string) =>
      new Set(config[system].target.flatMap(({ arch }: { arch: string[] }) => arch));
    const held = (system: string) =>
      new Set(
        globSync(`node_modules/onnxruntime-node/bin/*/${system}/*`, { cwd: root }).map((path) =>
          path.split(/[\\/]/).pop(),
        ),
      );
    expect(arches('linux')).toEqual(held('linux'));
    expect(arches('mac')).toEqual(held('darwin'));
    expect(arches('win')).toEqual(held('win32'));
  });

  it('leaves no way round the app: no Node, no inspector, nothing but the archive', () => {
    expect(config.electronFuses).toEqual({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  it('asks no network for updates and gives macOS only the rights that native code needs', () => {
    expect(config.publish).toBeNull();
    const rights = readFileSync(join(root, config.mac.entitlements), 'utf8').match(/(?<=<key>)[^<]+/g);
    expect(rights).toEqual([
      'com.apple.security.cs.allow-jit',
      'com.apple.security.cs.disable-library-validation',
    ]);
  });
});

describe('package.json', () => {
  it('holds what a deb asks for', () => {
    const { author, homepage, description, license } = json('package.json');
    expect(author).toEqual({ name: expect.any(String), email: expect.stringContaining('@') });
    expect(homepage).toMatch(/^https:/);
    expect(description && license).toBeTruthy();
  });
});
