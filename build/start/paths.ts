import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** Folder of node_modules: the root itself, or above it for the copy of a commit that a release is built in. */
export const installRoot = dirname(
  dirname(dirname(packageFile('fastify', 'package.json') ?? join(root, 'node_modules/fastify/package.json'))),
);

/** Path of a file inside an installed package, whatever its `exports` say; undefined when it is not installed. */
export function packageFile(name: string, file: string): string | undefined {
  const manifest = findInstalled(name);
  return manifest && join(dirname(manifest), file);
}

function findInstalled(name: string): string | undefined {
  try {
    return findPackageJSON(name, import.meta.url);
  } catch {
    return undefined;
  }
}

/** The command line of an installed package's tool, under the Node that runs now. */
export function tool(name: string, file: string): string[] {
  const path = packageFile(name, file);
  if (!path) throw new Error(`${name} is not installed; run: npm ci`);
  return [process.execPath, path];
}
