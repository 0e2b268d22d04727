/** The program of one platform as a list of files: what an archive, a .deb and an image hold alike. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPacked, type Target } from '../packed-files.ts';
import { root } from '../start/paths.ts';
import { nodeBinary, packageFolder, productionPackages, refuseUnpinned } from './packages.ts';
import { type Entry, text } from './tar.ts';

/** Parts that change at different times, for an image's layers. */
export interface Program {
  /** Node and the packages of the registry. */
  natives: Entry[];
  packs: Entry[];
  app: Entry[];
}

/** @throws Unavailable when a native part does not exist for the platform, or not with a hash */
export async function readProgram(target: Target, cache: string): Promise<Program> {
  const isWindows = target.platform === 'win32';
  const packages = productionPackages(target);
  refuseUnpinned(packages);
  const natives: Entry[] = [
    {
      path: isWindows ? 'bin/node.exe' : 'bin/node',
      mode: 0o755,
      content: { file: await nodeBinary(target, cache) },
    },
  ];
  for (const [path, locked] of packages) {
    const folder = await packageFolder(path, locked, cache);
    natives.push(...filesOf(folder, path, target));
  }
  const packs = filesOf(join(root, 'models', 'packs'), 'models/packs', target);
  const compiled = ['dist/server', 'dist/renderer'].flatMap((folder) =>
    filesOf(join(root, folder), folder, target),
  );
  return {
    natives,
    packs,
    app: [...compiled, ...pages(), ...launchers(isWindows), text('package.json', manifest())],
  };
}

/** Without nested packages, which are entries of the lock file themselves. */
function filesOf(folder: string, path: string, target: Target): Entry[] {
  const found = globSync('**/*', {
    cwd: folder,
    withFileTypes: true,
    exclude: (entry) => entry.name === 'node_modules' || entry.name.startsWith('.'),
  });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file, path: `${path}/${file.slice(folder.length + 1).replaceAll('\\', '/')}` }))
    .filter(({ path }) => isPacked(path, target))
    .map(({ file, path }) => ({ path, mode: 0o644, content: { file } }));
}

function pages(): Entry[] {
  const names = ['LICENSE', 'THIRD-PARTY-NOTICES.txt', 'CHANGELOG.md'];
  return names
    .filter((name) => existsSync(join(root, name)))
    .map((name) => ({ path: name, mode: 0o644, content: { file: join(root, name) } }));
}

function launchers(isWindows: boolean): Entry[] {
  const name = isWindows ? 'lokal.cmd' : 'lokal';
  return [{ path: name, mode: 0o755, content: { file: join(root, 'build', 'release', 'launcher', name) } }];
}

/** Fields that the running program reads of it, and no scripts that need a checkout. */
function manifest(): string {
  const { name, version, description, license, type } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  return `${JSON.stringify({ name, version, description, license, type, private: true }, null, 2)}\n`;
}
