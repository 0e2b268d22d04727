/**
 * macOS: a sandbox profile for the whole process, set by itself. Written from the profiles that the system and Chromium
 * ship (SBPL has no public reference) and not run on a Mac so far.
 */
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import type { Launch, Layers } from './launch-types.ts';
import { programPaths } from './readable.ts';

/** Everything by default but network, processes, writing, and the reading of what people keep. The last rule that fits holds. */
export function sandboxProfile({ main, grant }: Launch, home: string): string {
  const places = (paths: string[]) =>
    paths.map((path) => `(subpath ${quote(path.replace(/(.)\/$/, '$1'))})`).join(' ');
  const allowed = [...programPaths(main), process.execPath, ...grant.reads, ...grant.writes];
  return [
    '(version 1)',
    '(allow default)',
    '(deny network*)',
    '(deny process-fork)',
    '(deny process-exec*)',
    '(deny signal (target others))',
    '(deny file-write*)',
    '(allow file-write* (literal "/dev/null"))',
    `(deny file-read-data ${places([home, '/Users', '/Volumes', '/private/tmp', '/private/var/folders'])})`,
    `(allow file-read-data ${places(allowed)})`,
    ...(grant.writes.length > 0 ? [`(allow file-write* ${places(grant.writes)})`] : []),
  ].join('\n');
}

const quote = (path: string): string => `"${path.replace(/["\\]/g, '\\$&')}"`;

interface Koffi {
  load(file: string): {
    func(name: string, result: string, parameters: string[]): (...args: unknown[]) => number;
  };
}

export function confineOnMac(launch: Launch): Layers {
  const koffi = createRequire(import.meta.url)('koffi') as Koffi;
  const initialize = koffi
    .load('/usr/lib/libSystem.B.dylib')
    .func('sandbox_init', 'int', ['str', 'uint64', 'void *']);
  const message = new BigUint64Array(1);
  const refused = initialize(sandboxProfile(launch, homedir()), 0, message) !== 0;
  return refused
    ? { holding: [], missing: ['the sandbox profile is refused'] }
    : { holding: ['sandbox'], missing: [] };
}
