/** The Electron binary, found or else fetched once, and the reason where no desktop window can be shown. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture } from './child.ts';
import { packageFile, root, tool } from './paths.ts';

/** Long enough for some 110 MB on a slow line; a machine without a way out is refused within seconds. */
const fetchLimitMs = 180_000;

export interface Surroundings {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  /** Undefined on Windows. */
  userId: number | undefined;
}

/** Why no window can be shown here at all, as the end of a sentence; undefined where one can. */
export function noWindowReason({ platform, env, userId }: Surroundings): string | undefined {
  if (platform !== 'linux') return undefined;
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return 'there is no display';
  // Chromium refuses to run as root with its sandbox, and Lokal does not run without it.
  if (userId === 0) return "the window's sandbox does not work for the root user";
  return undefined;
}

/** The path.txt in which Electron's own installer notes its executable. */
const executables: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

/**
 * The installed binary, or the one in `ELECTRON_OVERRIDE_DIST_PATH` (the way in for machines without a network, where no
 * installer has written path.txt), or undefined.
 */
export function findElectron(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const record = packageFile('electron', 'path.txt');
  const noted = record && existsSync(record) ? readFileSync(record, 'utf8').trim() : undefined;
  const folder = env.ELECTRON_OVERRIDE_DIST_PATH ?? (noted && packageFile('electron', 'dist'));
  if (!folder) return undefined;
  const binary = join(folder, noted ?? executables[platform] ?? 'electron');
  return existsSync(binary) ? binary : undefined;
}

/** Downloads the binary with Electron's own installer, which checks its hash. Never throws: undefined on failure. */
export async function fetchElectron(): Promise<string | undefined> {
  if (!packageFile('electron', 'package.json')) return undefined;
  const exit = await capture(tool('electron', 'install.js'), { cwd: root, timeoutMs: fetchLimitMs });
  return exit.code === 0 ? findElectron() : undefined;
}
