/** Runs the desktop window: compiles what Electron's main process loads, then hands over to the binary. */
import { cpSync, globSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capture, type Exit, passThrough } from './child.ts';
import { root, tool } from './paths.ts';

/** Emits dist/server and dist/electron, and copies what is not TypeScript (migrations, templates) beside it. */
export async function compileDesktop(): Promise<void> {
  const exit = await capture([...tool('typescript', 'bin/tsc'), '-b', 'server', 'electron'], { cwd: root });
  if (exit.code !== 0) throw new Error(`The desktop part could not be compiled.\n${exit.output.trim()}`);
  const assets = globSync('server/**/*', {
    cwd: root,
    withFileTypes: true,
    exclude: ['**/*.{ts,cts}', '**/*.md'],
  });
  for (const entry of assets.filter((asset) => asset.isFile())) {
    const source = join(entry.parentPath, entry.name);
    const target = join(root, 'dist', source.slice(root.length + 1));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(source, target);
  }
}

export function runDesktop(electron: string, args: string[]): Promise<Exit> {
  return passThrough([electron, join(root, 'dist', 'electron', 'main.js'), ...args]);
}

/**
 * A system library is missing, or the sandbox could not be set up: the binary ends before any of our code runs, by
 * itself and not on anyone's request. Our own refusals (a busy port) end with code 1 and are not repeated.
 */
export function couldNotStart({ code, signal }: Exit): boolean {
  if (signal) return ['SIGTRAP', 'SIGILL', 'SIGABRT', 'SIGSEGV'].includes(signal);
  return code === null || code === 126 || code === 127;
}
