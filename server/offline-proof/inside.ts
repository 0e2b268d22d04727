/**
 * Runs inside the empty namespace: uses the product twice, watches, and writes what it saw as JSON. The first run is the
 * product as it is. In the second its engine hosts are not confined: what a host cannot do it may still try, and only a
 * host that is free shows it.
 */
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findChromium, visitInterface } from './browser.ts';
import { answerNames } from './dns-stand-in.ts';
import { catchAllAddresses, closeDisk } from './namespace.ts';
import { type Attempt, watchPackets } from './packet-watch.ts';
import {
  askServices,
  command,
  confinedHosts,
  copyStarter,
  createKey,
  type ProofStep,
  type ServiceAnswer,
  startProduct,
  step,
} from './product.ts';
import { filesBelow } from './written-files.ts';

export interface Task {
  /** A folder of its own; everything is written below it. */
  folder: string;
  /** Folders of the program, which stay visible. */
  needed: string[];
  starterPacks: string;
  /** Why the interface is left out; null: it is shown. */
  withoutInterface: string | null;
  /** Leaves out the run with confined hosts. */
  freeOnly: boolean;
  /** Least life of the last host: telemetry is sent some seconds after it has begun. */
  lingerMs: number;
  env: Record<string, string>;
}

export interface Run {
  confined: boolean;
  services: ServiceAnswer[];
  confined_hosts: number;
  steps: ProofStep[];
}

export interface SeenInside {
  attempts: Attempt[];
  files_outside: string[];
  runs: Run[];
  /** Null: not tried, for the reason. */
  interface: { shown: boolean; reason: string | null };
}

async function prove(task: Task): Promise<SeenInside> {
  const began = performance.now();
  const now = () => performance.now() - began;
  const places = closeDisk(task.folder, task.needed);
  catchAllAddresses();
  const packets = watchPackets(now);
  const names = await answerNames((name) =>
    packets.attempts.push({ at_ms: Math.round(now()), kind: 'look-up', target: name }),
  );
  const outside = new Set<string>();
  const watched = [join(task.folder, 'home'), join(task.folder, 'tmp'), ...places];
  for (const name of ['home', 'tmp', 'data', 'browser'])
    mkdirSync(join(task.folder, name), { recursive: true });
  const own = [join(task.folder, 'data'), join(task.folder, 'browser'), ...task.needed.filter(existsSync)];
  const kept = new Set([...own, ...own.map((path) => realpathSync(path))]);
  const lookAround = () => {
    for (const file of watched.flatMap((folder) => filesBelow(folder, kept))) outside.add(file);
  };
  const watching = setInterval(lookAround, 250);
  const runs: Run[] = [];
  if (!task.freeOnly) {
    say('Using the product, its hosts confined …');
    runs.push(await runProduct(task, true));
  }
  const shown = await showInterface(task, (url) =>
    packets.attempts.push({
      at_ms: Math.round(now()),
      kind: 'page',
      target: URL.parse(url)?.origin ?? url.slice(0, 100),
    }),
  );
  lookAround();
  say('Using the product, its hosts free to try what they like …');
  runs.push(await runProduct(task, false));
  clearInterval(watching);
  lookAround();
  packets.stop();
  names.close();
  return { attempts: packets.attempts, files_outside: [...outside].sort(), runs, interface: shown };
}

function environment(task: Task, more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const [HOME, TMPDIR, LOKAL_HOME] = ['home', 'tmp', 'data'].map((name) => join(task.folder, name));
  return { ...task.env, HOME, TMPDIR, LOKAL_HOME, ...more };
}

async function runProduct(task: Task, confined: boolean): Promise<Run> {
  const env = environment(task, confined ? {} : { LOKAL_CONFINEMENT: 'off' });
  const steps: ProofStep[] = [];
  let services: ServiceAnswer[] = [];
  let hosts = 0;
  try {
    const name = confined ? 'proof-confined' : 'proof-free';
    const copy = copyStarter(task.starterPacks, join(task.folder, 'data', name), name);
    if (confined) steps.push(await command(env, ['doctor']));
    steps.push(await command(env, ['packs', 'import', copy]));
    const secret = await createKey(env);
    const server = await startProduct(env);
    try {
      services = await askServices(server.url, secret, (service) => say(`  ${service}`));
      hosts = confinedHosts(server.pid);
      for (const args of [['keys', 'list'], ['packs', 'list'], ['rules', 'list'], ['console-url']])
        if (confined) steps.push(await command(env, args));
      // A confined host could not send it.
      if (!confined) {
        say(`  nothing for ${task.lingerMs / 1000} seconds: telemetry is sent late`);
        await sleep(task.lingerMs);
      }
    } finally {
      await server.stop();
    }
  } catch (error) {
    steps.push(step('the product runs', (error as Error).message));
  }
  return { confined, services, confined_hosts: hosts, steps };
}

async function showInterface(task: Task, onForeign: (url: string) => void): Promise<SeenInside['interface']> {
  const chromium = findChromium(task.env);
  if (task.withoutInterface !== null) return { shown: false, reason: task.withoutInterface };
  if (!chromium) return { shown: false, reason: 'no Chromium is found' };
  say('Looking at every page of the interface …');
  const env = environment(task);
  const server = await startProduct(env);
  const profile = join(task.folder, 'browser');
  const home = { HOME: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile, TMPDIR: profile };
  const problem = await visitInterface(chromium, {
    url: server.consoleUrl,
    profile,
    onForeign,
    env: { ...env, ...home },
  });
  await server.stop();
  return { shown: problem === null, reason: problem };
}

/** Progress, for whoever started the proof. */
function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const task = JSON.parse(process.argv[2] ?? '') as Task;
const seen = await prove(task);
writeFileSync(join(task.folder, 'seen.json'), JSON.stringify(seen));
process.exit(0);
