/**
 * SIGKILL at random moments under load, and at each write of one request (strace's fault injection): what was answered is
 * there after the restart and is answered again with the same bytes, nothing was done twice, and every answer is metered.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../server/db/open.ts';
import { createStores, type Stores } from '../../server/db/stores.ts';
import { createAuditLog } from '../../server/services/audit/audit-log.ts';
import { defaultSettings } from '../../server/services/console/settings.ts';
import { createKeyDirectory } from '../../server/services/keys/key-directory.ts';
import { createKeyService } from '../../server/services/keys/key-service.ts';
import { type Started, startServer } from './http-load/servers.ts';
import { type Kind, kinds, type Operation, send, toOperation } from './kill/client.ts';
import { progress } from './measure.ts';
import type { BenchOptions } from './run.ts';

const unreached = { requests_per_minute: 1_000_000, tokens_per_minute: 1_000_000_000, concurrent: 1024 };
const clients = 4;
/** Within the ten minutes that answers are kept, with room for a slow machine. */
const askedAgainMs = 8 * 60_000;

export async function run({ quick }: BenchOptions): Promise<object> {
  const home = mkdtempSync(join(tmpdir(), 'lokal-kill-'));
  try {
    const trial = new Trial(home);
    const writes = hasStrace() ? (quick ? [1, 4] : Array.from({ length: 14 }, (_, index) => index + 1)) : [];
    for (const kind of quick ? (['create', 'moderate'] as const) : kinds) {
      for (const write of writes) await trial.killAtWrite(kind, write);
      progress(`${kind}: killed at each of ${writes.length} writes`);
    }
    const randomKills = quick ? 3 : 140;
    for (let kill = 0; kill < randomKills; kill += 1) {
      await trial.killUnderLoad();
      if (kill % 10 === 9) progress(`${kill + 1} of ${randomKills} random kills`);
    }
    return await trial.judge();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const hasStrace = (): boolean => spawnSync('strace', ['-V']).status === 0;

class Trial {
  readonly #home: string;
  readonly #secret: string;
  readonly #operations: Operation[] = [];
  #kills = 0;
  #killedAtWrite = 0;
  #lost = 0;
  #metered = 0;
  #names = 0;

  constructor(home: string) {
    this.#home = home;
    this.#secret = this.#withStores((stores) => {
      stores.settings.set({ limits: { ...defaultSettings(0).limits, enterprise: unreached } });
      const directory = createKeyDirectory({ store: stores.keys, now: Date.now });
      const audit = createAuditLog(stores.audit, Date.now);
      const keys = createKeyService({ store: stores.keys, directory, now: Date.now, audit });
      const scopes = ['keys', 'moderations', 'models'] as const;
      return keys.create({ name: 'manager', plan: 'enterprise', scopes: [...scopes] }, 'owner').secret;
    });
  }

  /** One request, whose `write`th write to the database or its log kills the server. */
  async killAtWrite(kind: Kind, write: number): Promise<void> {
    const server = await this.#start();
    const target = kind === 'create' || kind === 'moderate' ? undefined : await this.#makeKey(server.port);
    if (kind === 'moderate') await this.#do(server.port, this.#next('moderate'));
    const tracer = await injectKill(server.child, write);
    const operation = toOperation(kind, this.#newName(), target);
    this.#operations.push(operation);
    const done = await this.#do(server.port, operation).catch(() => false);
    if (!done) this.#killedAtWrite += 1;
    await this.#kill(server);
    tracer.kill('SIGKILL');
  }

  async killUnderLoad(): Promise<void> {
    const server = await this.#start();
    const client = async () => {
      for (;;) {
        const target = await this.#makeKey(server.port);
        for (const kind of ['moderate', 'change', 'moderate', 'rotate', 'revoke'] as const) {
          const operation = toOperation(kind, this.#newName(), target);
          this.#operations.push(operation);
          await this.#do(server.port, operation);
        }
      }
    };
    const load = Array.from({ length: clients }, () => client().catch(() => {}));
    await sleep(20 + Math.random() * 600);
    await this.#kill(server);
    await Promise.all(load);
  }

  async judge(): Promise<object> {
    const server = await this.#start();
    for (const operation of this.#operations) await this.#again(server.port, operation);
    await this.#kill(server);
    const acknowledged = this.#operations.filter(({ answer }) => answer).length;
    return this.#withStores((stores) => {
      const rows = stores.keys.all();
      const made = (name: string) => rows.filter((row) => row.name === name && row.replaces === null).length;
      const renamed = new Map(
        this.#operations.filter(({ kind }) => kind === 'change').map(({ target, name }) => [target, name]),
      );
      let doubled = 0;
      for (const { kind, name, target, answer } of this.#operations) {
        if (!answer || answer.status >= 300) continue;
        const row = rows.find(({ id }) => id === (target ?? JSON.parse(answer.text).id));
        if (kind === 'create') {
          doubled += Math.max(0, made(name) - 1);
          if (!row) this.#lost += 1;
        }
        if (kind === 'rotate') {
          const heirs = rows.filter(({ replaces }) => replaces === target).length;
          doubled += Math.max(0, heirs - 1);
          if (heirs === 0) this.#lost += 1;
        }
        if (kind === 'change' && renamed.get(target) === name && row?.name !== `changed by ${name}`)
          this.#lost += 1;
        if (kind === 'revoke' && row?.revoked === null) this.#lost += 1;
      }
      const used = stores.usage.since('2000-01-01').reduce((sum, { requests }) => sum + requests, 0);
      return {
        kills: this.#kills,
        killed_at_write: this.#killedAtWrite,
        acknowledged,
        lost: this.#lost,
        doubled,
        usage_lost: Math.max(0, this.#metered - used),
      };
    });
  }

  /** A server that has been asked again what the last kill left open. */
  async #start(): Promise<Started> {
    const server = await startServer(new URL('./kill/server.ts', import.meta.url), [], {
      LOKAL_HOME: this.#home,
    });
    await this.#repeat(server.port);
    return server;
  }

  async #kill({ child }: Started): Promise<void> {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
    child.kill('SIGKILL');
    await ended;
    this.#kills += 1;
  }

  #newName(): string {
    this.#names += 1;
    return `operation ${this.#names}`;
  }

  #next(kind: Kind): Operation {
    const operation = toOperation(kind, this.#newName(), undefined);
    this.#operations.push(operation);
    return operation;
  }

  /** @returns its id */
  async #makeKey(port: number): Promise<string> {
    const operation = this.#next('create');
    await this.#do(port, operation);
    return JSON.parse(operation.answer!.text).id;
  }

  /** True once it is answered; notes what an executed moderation must have been metered. */
  async #do(port: number, operation: Operation): Promise<boolean> {
    const { status, text, replayed } = await send(port, this.#secret, operation);
    if (status >= 300) throw new Error(`${operation.kind} was answered ${status}: ${text}`);
    operation.answer = { status, text, at: Date.now() };
    if (operation.kind === 'moderate' && !replayed) this.#metered += 1;
    return true;
  }

  /** What was not answered is asked again; the last of what was must be answered alike. */
  async #repeat(port: number): Promise<void> {
    for (const operation of this.#operations.filter(({ answer }) => !answer)) {
      const { status, text, replayed } = await send(port, this.#secret, operation);
      operation.answer = { status, text, at: Date.now() };
      if (operation.kind === 'moderate' && !replayed) this.#metered += 1;
    }
    for (const operation of this.#operations.slice(-12)) await this.#again(port, operation);
  }

  async #again(port: number, operation: Operation): Promise<void> {
    const { answer } = operation;
    if (!answer || answer.status >= 300 || Date.now() - answer.at > askedAgainMs) return;
    const { text, replayed } = await send(port, this.#secret, operation);
    if (!replayed || text !== answer.text) this.#lost += 1;
  }

  #withStores<T>(read: (stores: Stores) => T): T {
    const db = openDatabase(join(this.#home, 'lokal.db'));
    try {
      return read(createStores(db));
    } finally {
      db.close();
    }
  }
}

/** Resolves once the tracer is attached to every thread of the server. */
async function injectKill({ pid }: ChildProcess, write: number): Promise<ChildProcess> {
  const inject = `inject=pwrite64:signal=KILL:when=${write}`;
  const args = ['-f', '-p', String(pid), '-e', 'trace=pwrite64', '-e', inject];
  const tracer = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  await new Promise<void>((resolve) => {
    tracer.stderr?.on('data', (chunk: Buffer) => chunk.includes('attached') && resolve());
    tracer.on('exit', () => resolve());
  });
  return tracer;
}
