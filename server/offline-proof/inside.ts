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
  askService,
  command,
  confinedHosts,
  copyStarter,
  createKey,
  type ProofStep,
  type ServiceAnswer,
  startProduct,
  step,
} from './product.ts';
import { samples } from './samples.ts';
import { interfaceStep, type ProofPlan, ProofSteps, planSteps, runSteps, serviceStep } from './steps.ts';
import { filesBelow } from './written-files.ts';

/** `withoutInterface` is the reason; null: it is shown. `lingerMs` is the least life of the last host: telemetry is sent late. */
export interface Task extends ProofPlan {
  /** A folder of its own; everything is written below it. */
  folder: string;
  /** Folders of the program, which stay visible. */
  needed: string[];
  starterPacks: string;
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
  for (const name of ['home', 'tmp', 'data', 'browser'])
    mkdirSync(join(task.folder, name), { recursive: true });
  const outside = new Set<string>();
  const watched = [join(task.folder, 'home'), join(task.folder, 'tmp'), ...places];
  const own = [join(task.folder, 'data'), join(task.folder, 'browser'), ...task.needed.filter(existsSync)];
  const kept = new Set([...own, ...own.map((path) => realpathSync(path))]);
  const lookAround = () => {
    for (const file of watched.flatMap((folder) => filesBelow(folder, kept))) outside.add(file);
  };
  const watching = setInterval(lookAround, 250);
  const steps = new ProofSteps(planSteps(task), (begun) =>
    process.stdout.write(`${JSON.stringify(begun)}\n`),
  );
  const runs = task.freeOnly ? [] : [await runProduct(task, steps, true)];
  const shown = await showInterface(task, steps, (url) =>
    packets.attempts.push({
      at_ms: Math.round(now()),
      kind: 'page',
      target: URL.parse(url)?.origin ?? url.slice(0, 100),
    }),
  );
  lookAround();
  runs.push(await runProduct(task, steps, false));
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

async function runProduct(task: Task, taken: ProofSteps, confined: boolean): Promise<Run> {
  const env = environment(task, confined ? {} : { LOKAL_CONFINEMENT: 'off' });
  const plan = runSteps(confined, task.lingerMs);
  const steps: ProofStep[] = [];
  const services: ServiceAnswer[] = [];
  let hosts = 0;
  try {
    const name = confined ? 'proof-confined' : 'proof-free';
    const copy = copyStarter(task.starterPacks, join(task.folder, 'data', name), name);
    if (confined) steps.push(await taken.take(plan.doctor, () => command(env, ['doctor'])));
    const secret = await taken.take(plan.import, async () => {
      steps.push(await command(env, ['packs', 'import', copy]));
      return createKey(env);
    });
    const server = await taken.take(plan.start, (signal) => startProduct(env, signal));
    try {
      for (const sample of samples()) {
        const ask = (signal: AbortSignal) => askService(server.url, secret, { sample, signal });
        services.push(await taken.take(serviceStep(sample.service, confined), ask));
      }
      hosts = confinedHosts(server.pid);
      if (confined)
        await taken.take(plan.commands, async () => {
          for (const args of [['keys', 'list'], ['packs', 'list'], ['rules', 'list'], ['console-url']])
            steps.push(await command(env, args));
        });
      // A confined host could not send it.
      else await taken.take(plan.linger, () => sleep(task.lingerMs));
    } finally {
      await server.stop();
    }
  } catch (error) {
    steps.push(step('the product runs', (error as Error).message));
  }
  return { confined, services, confined_hosts: hosts, steps };
}

async function showInterface(
  task: Task,
  taken: ProofSteps,
  onForeign: (url: string) => void,
): Promise<SeenInside['interface']> {
  const chromium = findChromium(task.env);
  if (task.withoutInterface !== null) return { shown: false, reason: task.withoutInterface };
  if (!chromium) return { shown: false, reason: 'no Chromium is found' };
  const env = environment(task);
  const profile = join(task.folder, 'browser');
  const home = { HOME: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile, TMPDIR: profile };
  try {
    const problem = await taken.take(interfaceStep, async (signal) => {
      const server = await startProduct(env, signal);
      const visit = { url: server.consoleUrl, profile, onForeign, env: { ...env, ...home }, signal };
      return visitInterface(chromium, visit).finally(server.stop);
    });
    return { shown: problem === null, reason: problem };
  } catch (error) {
    return { shown: false, reason: (error as Error).message };
  }
}

// The proof's parent holds this pipe: where it is gone, all that was started here goes as well.
process.stdin.on('end', () => process.kill(0, 'SIGKILL')).resume();
const task = JSON.parse(process.argv[2] ?? '') as Task;
const seen = await prove(task);
writeFileSync(join(task.folder, 'seen.json'), JSON.stringify(seen));
process.exit(0);
