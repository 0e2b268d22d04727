/**
 * Makes every artefact of the commit that this file lies in: run by main.ts in a folder of its own, so that a second run
 * elsewhere shows whether the bytes depend on the place. Prints one JSON line: what was made, and what could not be.
 *
 *   node build/release/make.ts OUT CACHE COMMIT DATE_MS
 */
import { mkdirSync } from 'node:fs';
import { basename } from 'node:path';
import { version } from '../../server/version.ts';
import type { Target } from '../packed-files.ts';
import { compileDesktop } from '../start/desktop.ts';
import { ensureRenderer } from '../start/renderer.ts';
import { type Build, writeArchive } from './archive.ts';
import { writeDeb } from './deb.ts';
import { writeNotices } from './notices.ts';
import { writeImage } from './oci.ts';
import { Unavailable } from './packages.ts';
import { type Program, readProgram } from './program.ts';
import { writeSbom } from './sbom.ts';

export interface Made {
  files: string[];
  /** Name → why not. */
  missing: Record<string, string>;
}

const targets: [name: string, target: Target][] = [
  ['linux-x64', { platform: 'linux', arch: 'x64' }],
  ['linux-arm64', { platform: 'linux', arch: 'arm64' }],
  ['macos-arm64', { platform: 'darwin', arch: 'arm64' }],
  ['windows-x64', { platform: 'win32', arch: 'x64' }],
  ['windows-arm64', { platform: 'win32', arch: 'arm64' }],
];

type Step = (target: Target, program: Program, build: Build) => Promise<string>;
const ofLinux: [name: string, step: Step][] = [
  ['Debian package', writeDeb],
  ['OCI image', writeImage],
];

async function make(build: Build): Promise<Made> {
  mkdirSync(build.out, { recursive: true });
  await ensureRenderer((line) => console.error(line));
  await compileDesktop();
  const made: Made = { files: [], missing: {} };
  const attempt = async (name: string, step: () => Promise<string>) => {
    console.error(`${name} …`);
    try {
      made.files.push(basename(await step()));
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      made.missing[name] = error.message;
    }
  };
  await attempt('third-party notices', () => writeNotices(build));
  for (const [name, target] of targets) await makeFor(name, target, build, attempt);
  await attempt('SBOM', () => writeSbom(build));
  return made;
}

async function makeFor(
  name: string,
  target: Target,
  build: Build,
  attempt: (name: string, step: () => Promise<string>) => Promise<void>,
): Promise<void> {
  let program: Program | undefined;
  await attempt(`archive ${name}`, async () => {
    program = await readProgram(target, build.cache);
    return writeArchive(target, program, build);
  });
  if (target.platform !== 'linux') return;
  for (const [kind, step] of ofLinux)
    await attempt(`${kind} ${name}`, async () =>
      step(target, program ?? (await readProgram(target, build.cache)), build),
    );
}

const [out = '', cache = '', commit = '', dateMs = ''] = process.argv.slice(2);
const made = await make({ version, commit, dateMs: Number(dateMs), out, cache });
console.log(JSON.stringify(made));
