/** One folder for whatever the unit tests put into the system's temporary folder; it goes when they have run. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'lokal-'));
  // Workers and what they start inherit the environment.
  const names = process.platform === 'win32' ? ['TEMP', 'TMP'] : ['TMPDIR'];
  for (const name of names) process.env[name] = folder;
  // The many commands and servers that tests start need not strip and compile the same sources each time.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  return () => rmSync(folder, { recursive: true, force: true });
}
