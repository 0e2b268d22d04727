/**
 * Keeps dist/renderer equal to the sources: built when it is missing or when a stamp over the sources differs, into a
 * folder of its own that is renamed into place, so that a stopped build leaves the old interface or none.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture } from './child.ts';
import { packageFile, root, tool } from './paths.ts';

const sources = ['renderer/**/*', 'server/api/**/*.ts', 'build/vite.config.ts', 'package-lock.json'];

/** Builds what is stale. `say` gets one line before a build; throws with the tool's output when the build fails. */
export async function ensureRenderer(
  say: (line: string) => void,
  folder = root,
  hasBuildTools = () => packageFile('vite', 'package.json') !== undefined,
): Promise<void> {
  const target = join(folder, 'dist', 'renderer');
  const stamp = sourceStamp(folder);
  if (readStamp(target) === stamp) return;
  if (!hasBuildTools()) {
    // An installation without the build tools serves the interface it came with.
    if (existsSync(join(target, 'index.html'))) return;
    throw new Error(
      'The interface is not built here, and what builds it was left out (npm ci --omit=dev). ' +
        'Run npm ci, or take a release archive: it holds the interface and Node.',
    );
  }
  say('Building the interface (once after each change to it) …');
  await build(target, stamp);
}

/** SHA-256 over names and contents of everything the interface is made of. */
export function sourceStamp(folder: string): string {
  const hash = createHash('sha256');
  const entries = globSync(sources, { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of entries) {
    hash.update(`${file.slice(folder.length).replaceAll('\\', '/')}\0`);
    hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}

function readStamp(target: string): string | undefined {
  const file = `${target}.stamp`;
  return existsSync(file) && existsSync(target) ? readFileSync(file, 'utf8') : undefined;
}

async function build(target: string, stamp: string): Promise<void> {
  const partial = `${target}.partial-${process.pid}`;
  const vite = tool('vite', 'bin/vite.js');
  const config = join(root, 'build', 'vite.config.ts');
  const options = ['-c', config, '--configLoader', 'native', '--outDir', partial, '--emptyOutDir'];
  const command = [...vite, 'build', ...options, '--logLevel', 'warn'];
  try {
    // A test run's NODE_ENV would put React's development build into the interface.
    const exit = await capture(command, { cwd: root, env: { ...process.env, NODE_ENV: 'production' } });
    if (exit.code !== 0) throw new Error(`The interface could not be built.\n${exit.output.trim()}`);
    rmSync(target, { recursive: true, force: true });
    renameSync(partial, target);
    writeFileSync(`${target}.stamp`, stamp);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}
