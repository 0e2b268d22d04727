/** Starts the proof in a namespace of its own, and makes a report of what was seen there. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { release, tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { version } from '../version.ts';
import { type Digest, hashProduct } from './hashes.ts';
import type { SeenInside, Task } from './inside.ts';
import { given, hashStep, ProofSteps, planSteps, type StepBegun } from './steps.ts';

const here = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const inside = fileURLToPath(new URL(`./inside.${here}`, import.meta.url));
const server = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
/** For the inside to give a step up by itself; one that no longer can is stopped from here. */
const graceMs = 30_000;
/** Of six services. */
const allServices = 6;

export interface Folders {
  interface: string;
  starterPacks: string;
}

export interface OfflineReport extends SeenInside {
  kind: 'lokal-offline-report';
  version: string;
  platform: string;
  /** ISO 8601, UTC. */
  began: string;
  ended: string;
  passed: boolean;
  /** Why not, one line each. */
  failures: string[];
  program: Digest[];
  packs: Digest[];
}

/** Why it cannot be proven here; null: it can. */
export function noProofReason(): string | null {
  if (process.platform !== 'linux') return 'only Linux has network namespaces to prove it in';
  const { status } = spawnSync('unshare', [...namespaces(), 'true'], { stdio: 'ignore' });
  return status === 0 ? null : 'this system allows no network namespace of its own (unshare -rnm)';
}

/** Root needs no user namespace; others become root of one. */
const namespaces = (): string[] => (process.getuid?.() === 0 ? ['-n', '-m'] : ['-r', '-n', '-m']);

/** Environment that a process needs to run and to find its libraries and a browser. */
const passedOn = ['PATH', 'LANG', 'LD_LIBRARY_PATH', 'CHROMIUM_PATH'];

export interface ProofOptions {
  folders: Folders;
  env: NodeJS.ProcessEnv;
  /** Shorter, without the interface. */
  quick: boolean;
  /** Only the run whose hosts are free to try what they like. */
  freeOnly?: boolean;
  /** Hears of each step as it begins. */
  onStep?: (begun: StepBegun) => void;
  /** Gives the proof up: everything that it started ends, and its folder goes. */
  signal?: AbortSignal;
}

/** @throws Error when the proof itself broke */
export async function prove(options: ProofOptions): Promise<OfflineReport> {
  const { folders, env, quick, freeOnly = false, onStep = () => {} } = options;
  const began = new Date().toISOString();
  const folder = mkdtempSync(join(tmpdir(), 'lokal-offline-'));
  const packages = packagesFolder();
  const task: Task = {
    folder,
    needed: [
      server,
      dirname(server),
      packages,
      folders.starterPacks,
      folders.interface,
      dirname(process.execPath),
    ],
    starterPacks: folders.starterPacks,
    withoutInterface: whyWithout(folders.interface, quick),
    freeOnly,
    lingerMs: 10_000,
    env: Object.fromEntries(passedOn.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
  };
  try {
    const args = [...namespaces(), process.execPath, inside, JSON.stringify(task)];
    // A group of its own: its servers, hosts and browsers are ended together.
    const child = spawn('unshare', args, { env: { ...env, TMPDIR: folder }, stdio: 'pipe', detached: true });
    await finish(child, { onStep, signal: options.signal });
    const seen = JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8')) as SeenInside;
    const hashes = await new ProofSteps(planSteps(task), onStep).take(hashStep, () =>
      hashProduct({
        server,
        packages,
        interface: folders.interface,
        starterPacks: folders.starterPacks,
      }),
    );
    const failures = judge(seen, quick);
    const files_outside = seen.files_outside.map((file) => file.replace(folder, ''));
    return {
      kind: 'lokal-offline-report',
      version,
      platform: `${process.platform} ${process.arch}, kernel ${release()}, Node ${process.versions.node}`,
      began,
      ended: new Date().toISOString(),
      passed: failures.length === 0,
      failures,
      ...seen,
      files_outside,
      ...hashes,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function whyWithout(folder: string, quick: boolean): string | null {
  if (quick) return 'left out (--quick)';
  return existsSync(join(folder, 'index.html')) ? null : 'the interface is not built (npm run build)';
}

function packagesFolder(): string {
  const entry = createRequire(import.meta.url).resolve('koffi');
  return entry.slice(0, entry.lastIndexOf(`${sep}koffi${sep}`));
}

async function finish(
  child: ChildProcessWithoutNullStreams,
  { onStep, signal }: { onStep: (begun: StepBegun) => void; signal: AbortSignal | undefined },
): Promise<void> {
  let complaint = '';
  let reason: string | null = null;
  const stop = (why: string) => {
    reason ??= why;
    endGroup(child);
  };
  let timer = setTimeout(() => stop('it did not begin'), graceMs);
  const onAbort = () => stop('it was interrupted');
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) onAbort();
  child.stderr.on('data', (text) => {
    complaint += text;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const begun = JSON.parse(line) as StepBegun;
    clearTimeout(timer);
    timer = setTimeout(
      () => stop(given({ what: begun.what, limitMs: begun.limit_ms })),
      begun.limit_ms + graceMs,
    );
    onStep(begun);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  signal?.removeEventListener('abort', onAbort);
  endGroup(child);
  if (reason !== null) throw new Error(`the proof ended early: ${reason}`);
  if (code !== 0) throw new Error(`the proof broke: ${complaint.trim().slice(-2000) || `exit code ${code}`}`);
}

function endGroup({ pid }: ChildProcessWithoutNullStreams): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All have ended.
  }
}

/** A proof that used nothing proves nothing: what did not run is a failure too. */
export function judge(
  { attempts, files_outside, runs, interface: shown }: SeenInside,
  quick: boolean,
): string[] {
  const failures: string[] = [];
  if (attempts.length > 0)
    failures.push(`${attempts.length} attempts to reach something else than this machine`);
  if (files_outside.length > 0)
    failures.push(`${files_outside.length} files written outside the data folder`);
  for (const { confined, services, steps } of runs) {
    const answered = services.filter(({ status }) => status === 200).length;
    if (answered < allServices)
      failures.push(
        `${answered} of ${allServices} services answered (hosts ${confined ? 'confined' : 'free'})`,
      );
    for (const { name, ok, detail } of steps) if (!ok) failures.push(`${name}: ${detail}`);
  }
  // A machine without a browser or a built interface can still prove the rest, and the report says so.
  if (!quick && !shown.shown && shown.reason !== null && !/not built|no Chromium/.test(shown.reason))
    failures.push(`the interface: ${shown.reason}`);
  return failures;
}

/** Figures of `npm run bench -- silence`. */
export function figures({ attempts, files_outside, runs, interface: shown }: SeenInside) {
  const confined = runs.find((run) => run.confined);
  return {
    attempts: attempts.length,
    files_outside: files_outside.length,
    services: confined?.services.filter(({ status }) => status === 200).length ?? 0,
    sandboxed_hosts: Math.min(
      confined?.confined_hosts ?? 0,
      confined?.services.filter(({ confinement }) => confinement === 'on').length ?? 0,
    ),
    interface: shown.shown,
  };
}
