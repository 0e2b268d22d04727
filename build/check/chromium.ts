/** Finds a Chromium for the browser tests, else installs Debian's, else says what to do. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium as playwrightChromium } from '@playwright/test';
import { capture } from '../start/child.ts';
import { root } from '../start/paths.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const installLimitMs = 300_000;

const chromiumHint =
  'No Chromium found. Install one (Debian: apt-get install chromium; elsewhere: npx playwright install chromium) or name it in CHROMIUM_PATH.';

/** CHROMIUM_PATH, then the PATH, then what Playwright installed. A wrong CHROMIUM_PATH is not passed over. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.CHROMIUM_PATH) return isExecutable(env.CHROMIUM_PATH) ? env.CHROMIUM_PATH : undefined;
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, playwrightChromium.executablePath()].find(isExecutable);
}

export async function ensureChromium(say: (line: string) => void): Promise<string> {
  const found = findChromium();
  if (found) return found;
  if (process.platform === 'linux' && process.getuid?.() === 0 && !process.env.CHROMIUM_PATH) {
    say('Installing Chromium with apt-get (once) …');
    await installWithApt();
  }
  const installed = findChromium();
  if (!installed) throw new Error(chromiumHint);
  return installed;
}

async function installWithApt(): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['apt-get', 'install', '-y', '-q', '--no-install-recommends', 'chromium'];
  for (const command of [['apt-get', 'update', '-q'], install]) {
    await capture(command, { cwd: root, env, timeoutMs: installLimitMs });
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
