/**
 * One key sends the worst requests known, another asks small ones of every service: what the first does to the second, what
 * breaks, and what is still busy ten seconds after the first has left.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../server/db/open.ts';
import { createStores } from '../../server/db/stores.ts';
import { createAuditLog } from '../../server/services/audit/audit-log.ts';
import { defaultSettings } from '../../server/services/console/settings.ts';
import { createKeyDirectory } from '../../server/services/keys/key-directory.ts';
import { createKeyService } from '../../server/services/keys/key-service.ts';
import type { Attacked } from './hostile-load/attack.ts';
import { blankPng } from './hostile-load/cases.ts';
import { post } from './hostile-load/post.ts';
import { startServer } from './http-load/servers.ts';
import { progress, rounded } from './measure.ts';
import type { BenchOptions } from './run.ts';

const samples = new URL('../../renderer/public/samples/', import.meta.url);

export async function run({ quick }: BenchOptions): Promise<object> {
  const home = mkdtempSync(join(tmpdir(), 'lokal-hostile-'));
  const keys = prepareHome(home);
  const server = await startServer(
    new URL('../../server/cli.ts', import.meta.url),
    ['serve', '--port', '0', '--json'],
    {
      LOKAL_HOME: home,
    },
  );
  try {
    const url = `http://127.0.0.1:${server.port}`;
    const attack = await startAttack(url, keys.hostile, quick);
    const victim = new Victim(url, keys.victim);
    await victim.ask(1);
    victim.times.clear();
    await victim.ask(quick ? 2 : 20);
    const alone = victim.take();
    const health = new Health(url);
    let attacking = true;
    const asking = (async () => {
      while (attacking) await victim.ask(1);
    })();
    const done = await attack();
    attacking = false;
    await asking;
    const healthz = health.end();
    const beside = victim.take();
    await sleep(10_000);
    const busy = await busyHosts(server.child.pid!);
    return {
      cases: done.cases,
      stuck: busy,
      five_xx: done.fiveXx + victim.fiveXx,
      p99_ratio: rounded(beside.all!.p99 / alone.all!.p99),
      worst_service_p99_ratio: rounded(
        Math.max(...Object.keys(alone).map((name) => beside[name]!.p99 / alone[name]!.p99)),
      ),
      left_after_10_s: done.left,
      healthz_ms: healthz,
      alone,
      beside,
      failed: done.failed,
    };
  } finally {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

function prepareHome(home: string): { hostile: string; victim: string } {
  const db = openDatabase(join(home, 'lokal.db'));
  const stores = createStores(db);
  const each = { requests_per_minute: 1_000_000, tokens_per_minute: 1_000_000_000, concurrent: 2 };
  const limits = {
    ...defaultSettings(0).limits,
    free: each,
    professional: each,
    enterprise: { ...each, concurrent: 8 },
  };
  stores.settings.set({ limits });
  const directory = createKeyDirectory({ store: stores.keys, now: Date.now });
  const audit = createAuditLog(stores.audit, Date.now);
  const keys = createKeyService({ store: stores.keys, directory, now: Date.now, audit });
  // Professional, with the concurrency of a free key: free keys have no chat, where the worst of it is.
  const hostile = keys.create({ name: 'hostile', plan: 'professional' }, 'owner').secret;
  const victim = keys.create({ name: 'victim', plan: 'enterprise' }, 'owner').secret;
  db.close();
  return { hostile, victim };
}

interface Spread {
  p50: number;
  p99: number;
}

class Victim {
  readonly times = new Map<string, number[]>();
  fiveXx = 0;
  readonly #url: string;
  readonly #key: string;
  readonly #requests: readonly { name: string; path: string; body: object }[];

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
    const file = readFileSync(new URL('invoice.pdf', samples)).toString('base64');
    const image = blankPng(256).toString('base64');
    this.#requests = [
      {
        name: 'chat',
        path: '/v1/chat/completions',
        body: { model: 'svc-lingua-7b', messages: [{ role: 'user', content: 'hi' }], max_tokens: 4 },
      },
      {
        name: 'embeddings',
        path: '/v1/embeddings',
        body: { model: 'svc-embed-base', input: 'a small text' },
      },
      { name: 'shield', path: '/v1/moderations', body: { model: 'svc-shield-base', input: 'a small text' } },
      { name: 'guard', path: '/v1/moderations', body: { model: 'svc-guard-max', input: 'GET / HTTP/1.1' } },
      { name: 'documents', path: '/v1/documents/parse', body: { model: 'svc-parse-pro', file } },
      { name: 'images', path: '/v1/images/analyze', body: { image, tasks: ['objects'] } },
    ];
  }

  /** All services, one after the other. */
  async ask(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      for (const { name, path, body } of this.#requests) {
        const startedAt = performance.now();
        const { status, text } = await post(this.#url + path, this.#key, JSON.stringify(body));
        if (status >= 500) {
          this.fiveXx += 1;
          progress(`the other key's ${name} was answered ${status}: ${text.slice(0, 120)}`);
        }
        this.times.set(name, [...(this.times.get(name) ?? []), performance.now() - startedAt]);
      }
    }
  }

  take(): Record<string, Spread> {
    const spreads = Object.fromEntries([...this.times].map(([name, times]) => [name, spreadOf(times)]));
    spreads.all = spreadOf([...this.times.values()].flat());
    this.times.clear();
    return spreads;
  }
}

function spreadOf(times: number[]): Spread {
  const sorted = times.sort((a, b) => a - b);
  const at = (share: number) =>
    rounded(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!);
  return { p50: at(0.5), p99: at(0.99) };
}

/** Looks at `/healthz` four times a second. */
class Health {
  readonly #times: number[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(url: string) {
    this.#timer = setInterval(async () => {
      const startedAt = performance.now();
      await (await fetch(`${url}/healthz`)).text();
      this.#times.push(performance.now() - startedAt);
    }, 250);
  }

  end(): Spread & { max: number } {
    clearInterval(this.#timer);
    return { ...spreadOf(this.#times), max: rounded(Math.max(...this.#times)) };
  }
}

/**
 * In a process of its own: making a body of ten megabytes would keep this one from its clock.
 * @returns sends them, once all are made
 */
async function startAttack(url: string, key: string, quick: boolean): Promise<() => Promise<Attacked>> {
  const child = fork(new URL('./hostile-load/attack.ts', import.meta.url), [url, key, quick ? '25' : '1']);
  const told = async () => {
    const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (typeof message !== 'object') throw new Error('the attack ended early');
    return message;
  };
  await told();
  return () => {
    child.send('go');
    return told();
  };
}

/** Children of the server that keep a processor busy with nobody asking (Linux). */
async function busyHosts(pid: number): Promise<number> {
  const before = ticksOfChildren(pid);
  await sleep(2_000);
  const after = ticksOfChildren(pid);
  return [...after].filter(([child, ticks]) => ticks - (before.get(child) ?? ticks) > 40).length;
}

/** Hundredths of a second of processor time, by process id. */
function ticksOfChildren(pid: number): Map<number, number> {
  const ticks = new Map<number, number>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(fields[1]) === pid) ticks.set(Number(entry), Number(fields[11]) + Number(fields[12]));
    } catch {
      // It ended meanwhile.
    }
  }
  return ticks;
}
