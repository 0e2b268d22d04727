import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { HostState } from '../../server/api/console/packs.ts';
import type { EnginePack } from '../../server/engine/engine.ts';
import type { ImageAnalyzeParams } from '../../server/engine/images/types.ts';
import type { EngineFailure } from '../../server/hosts/engine-failure.ts';
import type { EngineCall } from '../../server/hosts/engines.ts';
import { nodeSpawn, type SpawnHost } from '../../server/hosts/port.ts';
import { type ReadMemory, readResidentMb } from '../../server/hosts/resident-memory.ts';
import { Supervisor, type SupervisorSettings } from '../../server/hosts/supervisor.ts';
import type { Pack, TaskPacks } from '../../server/packs/registry.ts';
import { emptyMeter } from '../../server/services/caller.ts';
import { paramsOf } from '../support/chat/ask.ts';
import { fakePack, fakeRegistry } from '../support/hosts/packs.ts';

const entry = fileURLToPath(new URL('../support/hosts/fake-host.ts', import.meta.url));
const signal = new AbortController().signal;
const call = { signal, deadlineMs: 60_000 };
const embed = fakePack('svc-embed-base');
const guard = fakePack('svc-guard-max');
const chat = fakePack('svc-lingua-7b');
let supervisor: Supervisor;
let states: HostState[] = [];
let failures: EngineFailure[] = [];

function start(
  packs: Pack[],
  settings: Partial<SupervisorSettings> = {},
  now?: () => number,
  chatOptions: Record<string, unknown> = {},
  tasks: TaskPacks = {},
  readMemory: ReadMemory = async () => new Map(),
  spawn: SpawnHost = nodeSpawn(process.env, entry),
): Supervisor {
  states = [];
  failures = [];
  supervisor = new Supervisor({
    registry: { ...fakeRegistry(packs), boundTasks: (role) => (role === 'svc-vision-pro' ? tasks : {}) },
    spawn,
    settings: () => ({
      idleUnloadSeconds: 600,
      memoryCeilingMb: 8_000,
      threads: 1,
      ...settings,
    }),
    providers: () => ['cpu'],
    chatOptions: () => chatOptions,
    onState: (state) => states.push(state),
    onFailure: (failure) => failures.push(failure),
    ...(now ? { now } : {}),
    readMemory,
  });
  return supervisor;
}

/** Hosts whose wish to be replaced is heard twice, the second time when the next one serves. */
const slowlyToldTwice =
  (spawn: SpawnHost): SpawnHost =>
  (grant) => {
    const port = spawn(grant);
    const hear: typeof port.onMessage = (listener) =>
      port.onMessage((message) => {
        listener(message);
        if (message.type === 'replace') setTimeout(() => listener(message), 1_500);
      });
    return Object.assign(Object.create(port), { onMessage: hear });
  };

/** Asks the fake host; numbers come back. */
const embedding = async (command: string, options: Partial<EngineCall> = {}): Promise<number[]> =>
  (await supervisor.call('svc-embed-base', 'embed', { texts: [command] }, { ...call, ...options })).tokens;
const analyzing = (text: string) => supervisor.call('svc-guard-max', 'analyze', { text }, call);
const generating = (owner: string, by: AbortSignal = signal) =>
  supervisor.stream('svc-lingua-7b', 'generate', paramsOf('', { owner }), { ...call, signal: by });
async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const pidOf = async (pack: Pack): Promise<number> => {
  await (pack === guard ? analyzing('wake') : embedding('wake'));
  return supervisor.state(pack).pid!;
};

/** The pack as its host was given it. */
async function openedPack(role: 'svc-vision-pro', pack: string | null = null): Promise<EnginePack> {
  const params: ImageAnalyzeParams = {
    bytes: new Uint8Array(),
    tasks: [],
    language: 'en',
    frames: { maxFrames: 1, sampling: 'even' },
  };
  const [item] = await collect(supervisor.stream(role, 'analyze', params, { ...call, pack }));
  if (item?.kind !== 'result') throw new Error('No result came.');
  return JSON.parse(item.result.warnings[0]!);
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !condition(); tries += 1) await sleep(25);
  expect(condition()).toBe(true);
}

afterEach(() => supervisor.close());

describe('packs for single tasks', () => {
  const vision = fakePack('svc-vision-pro', { memory_mb: 10 });
  const captioner = fakePack('svc-vision-pro', { id: 'captioner', memory_mb: 20 });
  const opened = (pack?: string) => openedPack('svc-vision-pro', pack);

  it('come to the host beside the pack of the role, and a change opens it anew', async () => {
    const tasks: TaskPacks = { caption: captioner };
    start([vision, captioner], {}, undefined, {}, tasks);
    expect(await opened()).toMatchObject({ ref: vision.ref, tasks: { caption: { ref: captioner.ref } } });
    delete tasks.caption;
    expect((await opened()).tasks).toBeUndefined();
    expect(supervisor.state(vision).generation).toBe(2);
    await opened();
    expect(supervisor.state(vision).generation).toBe(2);
  });

  it('come with the starter of the role, whose data they read', async () => {
    const starter = { folder: '/starter', manifest: vision.manifest };
    start([captioner], {}, undefined, {}, { caption: captioner });
    await supervisor.close();
    supervisor = new Supervisor({
      registry: {
        ...fakeRegistry([captioner]),
        starter: () => ({ ...vision, folder: starter.folder }),
        boundTasks: () => ({ caption: captioner }),
      },
      spawn: nodeSpawn(process.env, entry),
      settings: () => ({ idleUnloadSeconds: 600, memoryCeilingMb: 8_000, threads: 1 }),
      providers: () => ['cpu'],
      onState: () => {},
    });
    expect(await opened()).toMatchObject({ starter, tasks: { caption: { starter } } });
  });

  it('are left out where a request names a pack, and answer where the role has none', async () => {
    start([vision, captioner], {}, undefined, {}, { caption: captioner });
    expect((await opened(vision.ref)).tasks).toBeUndefined();
    await supervisor.close();
    const registry = { ...fakeRegistry([captioner]), bound: () => null };
    supervisor = new Supervisor({
      registry: { ...registry, boundTasks: () => ({ caption: captioner }) },
      spawn: nodeSpawn(process.env, entry),
      settings: () => ({ idleUnloadSeconds: 600, memoryCeilingMb: 8_000, threads: 1 }),
      providers: () => ['cpu'],
      onState: () => {},
    });
    expect((await opened()).ref).toBe(captioner.ref);
    expect(supervisor.bound('svc-vision-pro')?.ref).toBe(captioner.ref);
  });

  it('need room together', async () => {
    start([vision, captioner], { memoryCeilingMb: 25 }, undefined, {}, { caption: captioner });
    await expect(opened()).rejects.toMatchObject({ code: 'server_overloaded' });
    expect((await opened(vision.ref)).ref).toBe(vision.ref);
  });
});

describe('supervisor', () => {
  it('starts a host on the first call and keeps it for the next', async () => {
    start([embed]);
    expect(supervisor.state(embed).state).toBe('stopped');
    const first = await pidOf(embed);
    expect(await pidOf(embed)).toBe(first);
    expect(supervisor.state(embed)).toMatchObject({
      state: 'ready',
      pid: first,
      generation: 1,
      provider: 'fake',
      provider_reason: 'cuda: no such library',
    });
    expect(supervisor.served('svc-embed-base')).toMatchObject({ pack: embed.ref, provider: 'fake' });
    expect(states.map(({ state }) => state)).toEqual(['starting', 'ready']);
  });

  it('tells the wait for a pack that was not loaded, and none for one that is', async () => {
    start([embed]);
    const [first, next] = [emptyMeter(), emptyMeter()];
    await embedding('wake', { meter: first });
    await embedding('wake', { meter: next });
    expect(first.loadMs).toBeGreaterThan(0);
    expect(next.loadMs).toBe(0);
  });

  it('carries binary values whole', async () => {
    start([embed]);
    const { vectors } = await supervisor.call('svc-embed-base', 'embed', { texts: ['echo'] }, call);
    expect(vectors).toEqual(Float32Array.from([1, 2, 3]));
  });

  it('asks a named pack in place of the bound one, if it fills the role', async () => {
    const other = fakePack('svc-embed-base', { id: 'other' });
    start([embed, guard, other]);
    await embedding('echo', { pack: other.ref });
    expect(supervisor.state(other).state).toBe('ready');
    expect(supervisor.state(embed).state).toBe('stopped');
    expect(supervisor.served('svc-embed-base', other.ref)?.pack).toBe(other.ref);
    for (const pack of [guard.ref, 'none@1']) {
      const call = embedding('echo', { pack });
      await expect(call).rejects.toMatchObject({ code: 'invalid_value', param: 'X-Model-Pack' });
    }
  });

  it('opens a chat pack with the sizes that were set, and no other', async () => {
    const chat = fakePack('svc-lingua-7b', { chat: { context: 4096, slots: 4 } });
    const vision = fakePack('svc-vision-pro');
    start([chat, vision], {}, undefined, { context: 512, slots: null, speculate: false });
    const [first] = await collect(generating('pack'));
    const { manifest } = JSON.parse(first?.kind === 'text' ? first.text : '') as EnginePack;
    expect(manifest.chat).toEqual({ context: 512, slots: 4, speculate: false });
    expect((await openedPack('svc-vision-pro')).manifest.chat).toBeUndefined();
  });

  it('says how to install a pack where none is bound', async () => {
    start([]);
    const call = embedding('echo');
    await expect(call).rejects.toMatchObject({ code: 'model_not_installed', message: /lokal packs import/ });
  });

  it('passes on what an engine refuses, with its param', async () => {
    start([embed]);
    const call = embedding('refuse');
    await expect(call).rejects.toMatchObject({ code: 'input_too_long', param: 'input[1]' });
  });

  it('reports what an engine did not mean to tell, by its place, and each end of a host', async () => {
    start([embed]);
    await expect(embedding('throw', { requestId: 'req-7' })).rejects.toMatchObject({
      code: 'internal_error',
    });
    process.kill(await pidOf(embed), 'SIGKILL');
    await until(() => failures.length === 2);
    expect(failures).toMatchObject([
      {
        kind: 'engine',
        engine: 'embeddings',
        method: 'embed',
        requestId: 'req-7',
        pack: embed.ref,
        generation: 1,
        trace: {
          class: 'TypeError',
          place: expect.arrayContaining([expect.stringMatching(/fake-host\.ts:\d+/)]),
        },
      },
      { kind: 'exit', method: null, trace: { class: 'HostEnd', code: 'signal SIGKILL' } },
    ]);
    expect(JSON.stringify(failures)).not.toContain('payload');
  });

  it('fails the calls of a killed host and serves the next from a new process', async () => {
    start([embed]);
    const pid = await pidOf(embed);
    const running = embedding('hang');
    process.kill(pid, 'SIGKILL');
    await expect(running).rejects.toMatchObject({ code: 'engine_crashed' });
    expect(supervisor.state(embed).last_error).toMatch(/SIGKILL/);
    expect(await pidOf(embed)).not.toBe(pid);
    expect(supervisor.state(embed)).toMatchObject({ generation: 2, last_error: null });
  });

  it('breaks a stream off with engine_crashed when its host is killed', async () => {
    start([chat]);
    const items: number[] = [];
    const read = async () => {
      for await (const item of generating('count')) {
        if (item.kind === 'prompt') items.push(item.tokens);
        if (items.length === 4) process.kill(supervisor.state(chat).pid!, 'SIGKILL');
      }
    };
    await expect(read()).rejects.toMatchObject({ code: 'engine_crashed' });
    expect(items.slice(0, 4)).toEqual([0, 1, 2, 3]);
  });

  it('cancels in the host when the signal aborts and when a stream is left early', async () => {
    start([embed, chat]);
    await pidOf(embed);
    const controller = new AbortController();
    const running = embedding('hang', { signal: controller.signal });
    await sleep(200);
    controller.abort(new Error('gone'));
    await expect(running).rejects.toThrow('gone');
    expect(await embedding('echo')).toHaveLength(1);
    for await (const item of generating('count')) if (item.kind === 'prompt' && item.tokens === 2) break;
    const [last] = await collect(generating('cancelled'));
    expect(last).toMatchObject({ tokens: 1 });
  });

  it('cancels a call that outlasts its deadline, and its host lives on', async () => {
    start([embed]);
    const pid = await pidOf(embed);
    const late = embedding('hang', { deadlineMs: 200 });
    await expect(late).rejects.toMatchObject({ code: 'server_overloaded', message: /0\.2 s/ });
    expect(await embedding('echo')).toHaveLength(1);
    expect(await pidOf(embed)).toBe(pid);
  });

  it('ends a host that does not hear a cancel, and asks again for those who had no answer', async () => {
    start([embed]);
    const pid = await pidOf(embed);
    const gone = new AbortController();
    const blocking = embedding('block 20000', { signal: gone.signal });
    const other = embedding('pid');
    await sleep(200);
    gone.abort(new Error('gone'));
    await expect(blocking).rejects.toThrow('gone');
    const [second] = await other;
    expect(second).not.toBe(pid);
    expect(isAlive(pid)).toBe(false);
    expect(supervisor.state(embed)).toMatchObject({ state: 'ready', generation: 2, last_error: null });
  }, 15_000);

  it('replaces a host that says it has come to harm, after its answer, and asks again for the others', async () => {
    start([embed]);
    const pid = await pidOf(embed);
    const other = embedding('hang', { deadlineMs: 3_000 });
    const others = expect(other).rejects.toMatchObject({ code: 'server_overloaded' });
    await expect(embedding('harm')).rejects.toMatchObject({ code: 'document_unreadable' });
    expect(await pidOf(embed)).not.toBe(pid);
    expect(supervisor.state(embed)).toMatchObject({ state: 'ready', generation: 2 });
    await others;
  }, 15_000);

  it('keeps the next host where the one before asked twice to be replaced', async () => {
    start([embed], {}, undefined, {}, {}, undefined, slowlyToldTwice(nodeSpawn(process.env, entry)));
    await pidOf(embed);
    await expect(embedding('harm')).rejects.toMatchObject({ code: 'document_unreadable' });
    const pid = await pidOf(embed);
    await sleep(1_700);
    expect(await pidOf(embed)).toBe(pid);
    expect(supervisor.state(embed)).toMatchObject({ state: 'ready', generation: 2 });
  }, 15_000);

  it('asks again where the next hosts are ended as well', async () => {
    start([embed]);
    await pidOf(embed);
    const leave = Array.from({ length: 4 }, () => new AbortController());
    const blocking = leave.map(({ signal }) => embedding('block 20000', { signal }));
    const other = embedding('pid');
    const refused = Promise.all(blocking.map((each) => expect(each).rejects.toThrow('gone')));
    await sleep(200);
    for (const [at, each] of leave.entries()) {
      const isUp = () =>
        supervisor.state(embed).generation === at + 1 && supervisor.state(embed).state === 'ready';
      while (!isUp()) await sleep(20);
      await sleep(200);
      each.abort(new Error('gone'));
    }
    await refused;
    expect(await other).toHaveLength(1);
    expect(supervisor.state(embed).generation).toBe(5);
  }, 120_000);

  it('does not ask again for a stream whose answer has begun', async () => {
    start([chat]);
    const gone = new AbortController();
    const items = generating('text then block 20000', gone.signal);
    const first = await items[Symbol.asyncIterator]().next();
    expect(first.value).toMatchObject({ kind: 'text' });
    const other = collect(generating('text then hang'));
    await sleep(300);
    gone.abort(new Error('gone'));
    await expect(other).rejects.toMatchObject({ code: 'engine_crashed' });
  }, 15_000);

  it('pauses longer and longer while a pack keeps crashing', async () => {
    let now = 0;
    start([fakePack('svc-embed-base', { crash: 'on open' })], {}, () => now);
    const attempt = () => embedding('echo').catch((error) => error);
    expect(await attempt()).toMatchObject({ code: 'engine_crashed' });
    expect((await attempt()).retryAfterMs).toBeUndefined(); // the second start is immediate
    expect(await attempt()).toMatchObject({ code: 'engine_crashed', retryAfterMs: 1_000 });
    now += 1_000;
    await attempt();
    expect(await attempt()).toMatchObject({ retryAfterMs: 2_000 });
    expect(states.at(-1)).toMatchObject({ state: 'backing_off', generation: 3 });
  });

  it('tells why a pack was refused', async () => {
    start([fakePack('svc-embed-base', { crash: 'refuse' })]);
    const call = embedding('echo');
    await expect(call).rejects.toMatchObject({ message: 'the graph is damaged' });
  });

  it('unloads an idle host, and one on request', async () => {
    start([embed], { idleUnloadSeconds: 0.2 });
    const pid = await pidOf(embed);
    await until(() => !isAlive(pid));
    expect(supervisor.state(embed)).toMatchObject({ state: 'stopped', pid: null, last_error: null });
    const second = await pidOf(embed);
    await supervisor.unload(embed.ref);
    expect(isAlive(second)).toBe(false);
  });

  describe('under a ceiling of 1,000 MB', () => {
    let claims: Map<number, number>;
    const claim = async (pack: Pack, megabytes: number) => claims.set(await pidOf(pack), megabytes);
    const startWith = (packs: Pack[], readMemory: ReadMemory = async () => claims) => {
      claims = new Map();
      start(packs, { memoryCeilingMb: 1_000 }, undefined, {}, {}, readMemory);
    };

    it('evicts the least recently used idle host', async () => {
      startWith([embed, guard]);
      await claim(embed, 700);
      const first = supervisor.state(embed).pid!;
      await claim(guard, 600);
      await until(() => !isAlive(first));
      expect(supervisor.state(embed).state).toBe('stopped');
      expect(supervisor.state(guard).state).toBe('ready');
    });

    it('refuses a pack that cannot fit, and ends a host that outgrows it alone', async () => {
      startWith([fakePack('svc-embed-base', { memory_mb: 5_000 }), guard]);
      await expect(embedding('echo')).rejects.toMatchObject({ code: 'server_overloaded' });
      await claim(guard, 2_000);
      await until(() => supervisor.state(guard).state !== 'ready');
      expect(supervisor.state(guard).last_error).toMatch(/ceiling/);
    });

    it('ends a busy host that grows and tells nothing', async () => {
      startWith([embed], readResidentMb);
      const growing = embedding('grow 1500');
      await expect(growing).rejects.toMatchObject({ code: 'server_overloaded', message: /needed \d+ MB/ });
    }, 15_000);

    it('ends a trial that grows', async () => {
      startWith([], readResidentMb);
      const trial = supervisor.tryPack(fakePack('svc-embed-base', { check: 'grow 1500' }), signal);
      await expect(trial).rejects.toMatchObject({ code: 'server_overloaded' });
    }, 15_000);

    it('ends the largest where busy hosts stay above it together', async () => {
      startWith([embed, guard]);
      await claim(embed, 700);
      await claim(guard, 600);
      const both = [embedding('hang'), analyzing('hang')];
      await expect(both[0]).rejects.toMatchObject({ code: 'server_overloaded' });
      void both[1]?.catch(() => {});
      expect(supervisor.state(guard).running).toBe(1);
    }, 15_000);
  });

  it('leaves no process behind when it closes, and answers shutting_down', async () => {
    start([embed, guard]);
    const pids = [await pidOf(embed), await pidOf(guard)];
    await supervisor.close();
    expect(pids.some(isAlive)).toBe(false);
    const call = embedding('echo');
    await expect(call).rejects.toMatchObject({ code: 'shutting_down' });
  });
});
