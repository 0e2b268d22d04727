import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { HostState } from '../../server/api/console-packs.ts';
import { nodeSpawn } from '../../server/hosts/port.ts';
import { createSupervisor, type Supervisor, type SupervisorSettings } from '../../server/hosts/supervisor.ts';
import type { Pack, TaskPacks } from '../../server/packs/registry.ts';
import { fakePack, fakeRegistry } from '../support/hosts/packs.ts';

const entry = fileURLToPath(new URL('../support/hosts/fake-host.ts', import.meta.url));
const signal = new AbortController().signal;
const embed = fakePack('svc-embed-base');
const guard = fakePack('svc-guard-max');
let supervisor: Supervisor;
let states: HostState[] = [];

function start(
  packs: Pack[],
  settings: Partial<SupervisorSettings> = {},
  now?: () => number,
  chatOptions: Record<string, unknown> = {},
  tasks: TaskPacks = {},
): Supervisor {
  states = [];
  supervisor = createSupervisor({
    registry: { ...fakeRegistry(packs), boundTasks: (role) => (role === 'svc-vision-pro' ? tasks : {}) },
    spawn: nodeSpawn(process.env, entry),
    settings: () => ({
      idleUnloadSeconds: 600,
      memoryCeilingMb: 8_000,
      threads: 1,
      ...settings,
    }),
    providers: () => ['cpu'],
    chatOptions: () => chatOptions,
    onState: (state) => states.push(state),
    ...(now ? { now } : {}),
  });
  return supervisor;
}

const pidOf = async (role: 'svc-embed-base' | 'svc-guard-max'): Promise<number> =>
  (await supervisor.call<{ pid: number }>(role, 'pid', null, { signal })).pid;

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
  const opened = async (pack?: string) =>
    (await supervisor.call<{ ref: string; tasks?: Record<string, { ref: string }> }>(
      'svc-vision-pro',
      'pack',
      null,
      { signal, pack: pack ?? null },
    )) as { ref: string; tasks?: Record<string, { ref: string }> };

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
    supervisor = createSupervisor({
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
    supervisor = createSupervisor({
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
    const first = await pidOf('svc-embed-base');
    expect(await pidOf('svc-embed-base')).toBe(first);
    expect(supervisor.state(embed)).toMatchObject({
      state: 'ready',
      pid: first,
      generation: 1,
      provider: 'fake',
      provider_reason: 'cuda: no such library',
    });
    expect(supervisor.served('svc-embed-base')).toEqual({ pack: embed.ref, provider: 'fake' });
    expect(states.map(({ state }) => state)).toEqual(['starting', 'ready']);
  });

  it('carries binary values whole', async () => {
    start([embed]);
    const vectors = Float32Array.from([1, 2, 3]);
    expect(await supervisor.call('svc-embed-base', 'echo', { vectors }, { signal })).toEqual({ vectors });
  });

  it('asks a named pack in place of the bound one, if it fills the role', async () => {
    const other = fakePack('svc-embed-base', { id: 'other' });
    start([embed, guard, other]);
    await supervisor.call('svc-embed-base', 'pid', null, { signal, pack: other.ref });
    expect(supervisor.state(other).state).toBe('ready');
    expect(supervisor.state(embed).state).toBe('stopped');
    expect(supervisor.served('svc-embed-base', other.ref)?.pack).toBe(other.ref);
    for (const pack of [guard.ref, 'none@1']) {
      const call = supervisor.call('svc-embed-base', 'pid', null, { signal, pack });
      await expect(call).rejects.toMatchObject({ code: 'invalid_value', param: 'X-Model-Pack' });
    }
  });

  it('opens a chat pack with the sizes that were set, and no other', async () => {
    const chat = fakePack('svc-lingua-7b', { engine: 'chat', chat: { context: 4096, slots: 4 } });
    start([chat, embed], {}, undefined, { context: 512, slots: null, speculate: false });
    const manifestOf = async (role: 'svc-lingua-7b' | 'svc-embed-base') =>
      (await supervisor.call<{ manifest: Record<string, unknown> }>(role, 'pack', null, { signal })).manifest;
    expect((await manifestOf('svc-lingua-7b')).chat).toEqual({ context: 512, slots: 4, speculate: false });
    expect((await manifestOf('svc-embed-base')).chat).toBeUndefined();
  });

  it('says how to install a pack where none is bound', async () => {
    start([]);
    const call = supervisor.call('svc-embed-base', 'echo', {}, { signal });
    await expect(call).rejects.toMatchObject({ code: 'model_not_installed', message: /lokal packs import/ });
  });

  it('passes on what an engine refuses, with its param', async () => {
    start([embed]);
    const call = supervisor.call('svc-embed-base', 'refuse', {}, { signal });
    await expect(call).rejects.toMatchObject({ code: 'input_too_long', param: 'input[1]' });
  });

  it('fails the calls of a killed host and serves the next from a new process', async () => {
    start([embed]);
    const pid = await pidOf('svc-embed-base');
    const running = supervisor.call('svc-embed-base', 'hang', {}, { signal });
    process.kill(pid, 'SIGKILL');
    await expect(running).rejects.toMatchObject({ code: 'engine_crashed' });
    expect(supervisor.state(embed).last_error).toMatch(/SIGKILL/);
    expect(await pidOf('svc-embed-base')).not.toBe(pid);
    expect(supervisor.state(embed)).toMatchObject({ generation: 2, last_error: null });
  });

  it('breaks a stream off with engine_crashed when its host is killed', async () => {
    start([embed]);
    const pid = await pidOf('svc-embed-base');
    const items: number[] = [];
    const read = async () => {
      for await (const item of supervisor.stream<number>('svc-embed-base', 'count', {}, { signal })) {
        items.push(item);
        if (item === 3) process.kill(pid, 'SIGKILL');
      }
    };
    await expect(read()).rejects.toMatchObject({ code: 'engine_crashed' });
    expect(items.slice(0, 4)).toEqual([0, 1, 2, 3]);
  });

  it('cancels in the host when the signal aborts and when a stream is left early', async () => {
    start([embed]);
    await pidOf('svc-embed-base');
    const controller = new AbortController();
    const running = supervisor.call('svc-embed-base', 'hang', {}, { signal: controller.signal });
    await sleep(200);
    controller.abort(new Error('gone'));
    await expect(running).rejects.toThrow('gone');
    for await (const item of supervisor.stream('svc-embed-base', 'count', {}, { signal }))
      if (item === 2) break;
    const { cancelled } = await supervisor.call<{ cancelled: number[] }>(
      'svc-embed-base',
      'claim',
      { megabytes: 1 },
      { signal },
    );
    expect(cancelled).toHaveLength(2);
  });

  it('kills a host whose call outlasts its deadline', async () => {
    start([embed]);
    const call = supervisor.call('svc-embed-base', 'hang', {}, { signal, deadlineMs: 200 });
    await expect(call).rejects.toMatchObject({ code: 'engine_crashed' });
  });

  it('pauses longer and longer while a pack keeps crashing', async () => {
    let now = 0;
    start([fakePack('svc-embed-base', { crash: 'on open' })], {}, () => now);
    const attempt = () => supervisor.call('svc-embed-base', 'echo', {}, { signal }).catch((error) => error);
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
    const call = supervisor.call('svc-embed-base', 'echo', {}, { signal });
    await expect(call).rejects.toMatchObject({ message: 'the graph is damaged' });
  });

  it('unloads an idle host, and one on request', async () => {
    start([embed], { idleUnloadSeconds: 0.2 });
    const pid = await pidOf('svc-embed-base');
    await until(() => !isAlive(pid));
    expect(supervisor.state(embed)).toMatchObject({ state: 'stopped', pid: null, last_error: null });
    const second = await pidOf('svc-embed-base');
    await supervisor.unload(embed.ref);
    expect(isAlive(second)).toBe(false);
  });

  it('evicts the least recently used idle host when memory runs short', async () => {
    start([embed, guard], { memoryCeilingMb: 1_000 });
    await supervisor.call('svc-embed-base', 'claim', { megabytes: 700 }, { signal });
    const first = supervisor.state(embed).pid!;
    await supervisor.call('svc-guard-max', 'claim', { megabytes: 600 }, { signal });
    await until(() => !isAlive(first));
    expect(supervisor.state(embed).state).toBe('stopped');
    expect(supervisor.state(guard).state).toBe('ready');
  });

  it('refuses a pack that cannot fit, and ends a host that outgrows the ceiling alone', async () => {
    start([fakePack('svc-embed-base', { memory_mb: 5_000 }), guard], { memoryCeilingMb: 1_000 });
    const call = supervisor.call('svc-embed-base', 'echo', {}, { signal });
    await expect(call).rejects.toMatchObject({ code: 'server_overloaded' });
    await supervisor.call('svc-guard-max', 'claim', { megabytes: 2_000 }, { signal }).catch(() => {});
    await until(() => supervisor.state(guard).state !== 'ready');
    expect(supervisor.state(guard).last_error).toMatch(/ceiling/);
  });

  it('leaves no process behind when it closes, and answers shutting_down', async () => {
    start([embed, guard]);
    const pids = [await pidOf('svc-embed-base'), await pidOf('svc-guard-max')];
    await supervisor.close();
    expect(pids.some(isAlive)).toBe(false);
    const call = supervisor.call('svc-embed-base', 'echo', {}, { signal });
    await expect(call).rejects.toMatchObject({ code: 'shutting_down' });
  });
});
