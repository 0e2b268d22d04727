/** A host that was taken over reaches nothing, and still does its work. */
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probeConfinement } from '../../../server/hosts/confinement.ts';
import { Host } from '../../../server/hosts/host.ts';
import { launchArgument, launcher, nodeSpawn } from '../../../server/hosts/port.ts';
import { temporaryFolder } from '../../support/app/folder.ts';
import type { Targets } from '../../support/hosts/attacks.ts';

const entry = fileURLToPath(new URL('../../support/hosts/hostile-host.ts', import.meta.url));
const env = { PATH: process.env.PATH, HOME: process.env.HOME };
const confined = await probeConfinement(env);

let targets: Targets;
const servers: Server[] = [];
const listen = async (at: number | string) => {
  const server = createServer((socket) => socket.end());
  if (at === 0) server.listen(0, '127.0.0.1');
  else server.listen(at);
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  return server.address();
};

beforeAll(async () => {
  const folder = temporaryFolder();
  for (const name of ['home', 'pack']) mkdirSync(join(folder, name));
  const [home, pack, socket] = ['home', 'pack', 'socket'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(join(home, 'lokal.db'), 'keys');
  writeFileSync(join(pack, 'manifest.json'), '{}');
  const address = (await listen(0)) as { port: number };
  await listen(socket);
  targets = { port: address.port, socket, home, pack, temporary: tmpdir(), parent: process.pid, only: null };
});
afterAll(() => {
  for (const server of servers) server.close();
});

interface HostileHost {
  confinement: string;
  pid: number;
  call(method: string, params?: Targets): Promise<Record<string, unknown>>;
}

async function withHost<T>(hostEnv: NodeJS.ProcessEnv, work: (host: HostileHost) => Promise<T>): Promise<T> {
  const grant = { reads: [targets.pack], writes: [], devices: false };
  const child = fork(launcher, [launchArgument(hostEnv, entry, grant)], {
    env: hostEnv,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ask = async (message: unknown) => {
    child.send(message as object);
    const [answer] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => [null]),
    ])) as unknown[];
    if (answer === null) throw new Error('the host ended');
    return answer as Record<string, unknown>;
  };
  try {
    const { confinement } = await ask({ pack: targets.pack });
    const call = (method: string, params?: Targets) => ask({ method, params });
    return await work({ confinement: String(confinement), pid: child.pid!, call });
  } finally {
    child.kill('SIGKILL');
  }
}

describe.skipIf(confined !== 'on')(`a hostile host (confinement here: ${confined})`, () => {
  it.each(['attack', 'attackOnWorker'])(
    '%s: every attempt is refused, and its work still answers',
    async (method) => {
      await withHost(env, async (host) => {
        expect(host.confinement).toBe('on');
        const outcome = (await host.call(method, targets)) as Record<string, string>;
        const done = Object.entries(outcome).filter(
          ([, answer]) => !/^refused: (errno|E(ACCES|PERM|AI_AGAIN)$)/.test(answer),
        );
        expect(done).toEqual([]);
        expect(Object.keys(outcome).length).toBeGreaterThan(25);
        expect(readdirSync(targets.pack)).toEqual(['manifest.json']);
        expect(readFileSync(join(targets.pack, 'manifest.json'), 'utf8')).toBe('{}');
        const hash = createHash('sha256').update('{}').digest('hex');
        expect(await host.call('work')).toMatchObject({
          hash,
          residentMb: expect.any(Number),
        });
        // Memory that nobody else looks into, and no dump of it.
        const status = readFileSync(`/proc/${host.pid}/status`, 'utf8');
        expect(status).toMatch(/NoNewPrivs:\s+1[\s\S]*Seccomp:\s+2/);
        expect(readFileSync(`/proc/${host.pid}/limits`, 'utf8')).toMatch(/Max core file size\s+0\s+0/);
      });
    },
  );

  it('the attacks are real: without confinement they go through', async () => {
    const only = [
      'connect to a TCP port',
      'connect to a UNIX socket',
      'send a datagram',
      'read the database',
      'read the accounts',
      'write into its pack',
      'start a program',
      'signal the parent',
    ];
    await withHost({ ...env, LOKAL_CONFINEMENT: 'off' }, async (host) => {
      expect(host.confinement).toBe('off; LOKAL_CONFINEMENT is off');
      const outcome = await host.call('attack', { ...targets, only });
      expect(outcome).toEqual(Object.fromEntries(only.map((name) => [name, 'done'])));
    });
  });
});

describe('require_confinement', () => {
  const opened = (requireConfinement: boolean) => {
    const host = new Host(nodeSpawn({ ...env, LOKAL_CONFINEMENT: 'off' }), 'chat', {
      pack: { ref: 'a@1', folder: targets.pack, manifest: {} },
      options: { threads: 1, providers: ['cpu'], requireConfinement },
      events: { onExit: () => {}, onEnd: () => {}, onFailure: () => {} },
    });
    return host.start(20_000).finally(() => host.close());
  };

  it('opens no pack where the host is not confined', async () => {
    const reason = 'off; LOKAL_CONFINEMENT is off';
    await expect(opened(true)).rejects.toMatchObject({
      code: 'host_not_confined',
      message: expect.stringContaining(reason),
    });
    await expect(opened(false)).rejects.not.toMatchObject({ code: 'host_not_confined' });
  });
});
