import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { UtilityChildApi } from '../../electron/electron-api.ts';
import { utilitySpawn } from '../../electron/utility-port.ts';
import { launcher } from '../../server/hosts/port.ts';

class FakeChild extends EventEmitter implements UtilityChildApi {
  pid: number | undefined;
  readonly sent: unknown[] = [];
  kills = 0;
  postMessage(message: unknown): void {
    this.sent.push(message);
  }
  kill(): boolean {
    this.kills += 1;
    return true;
  }
}

const grant = { reads: ['/packs/a'], writes: [], devices: false };

function setUp() {
  const child = new FakeChild();
  const forks: unknown[][] = [];
  const spawn = utilitySpawn(
    {
      fork: (...args) => {
        forks.push(args);
        return child;
      },
    },
    { LOKAL_HOST: '1' },
    '/engine/main.js',
  );
  return { child, forks, port: spawn(grant) };
}

describe('utilitySpawn', () => {
  it('forks the host with its own environment and without output', () => {
    const { forks } = setUp();
    const options = { env: { LOKAL_HOST: '1' }, stdio: 'ignore', serviceName: 'Lokal engine' };
    const launch = { main: '/engine/main.js', libraryPath: '', grant, off: null };
    expect(forks).toEqual([[launcher, [JSON.stringify(launch)], options]]);
  });

  it('carries messages both ways, and none after the end', () => {
    const { child, port } = setUp();
    const received: unknown[] = [];
    const reasons: string[] = [];
    port.onMessage((message) => received.push(message));
    port.onExit((reason) => reasons.push(reason));
    port.send({ type: 'close' });
    child.emit('message', { type: 'memory', residentMb: 5 });
    child.emit('exit', 9);
    port.send({ type: 'close' });
    expect(child.sent).toEqual([{ type: 'close' }]);
    expect(received).toEqual([{ type: 'memory', residentMb: 5 }]);
    expect(reasons).toEqual(['exit code 9']);
  });

  it('tells the pid as soon as there is one, and asks Electron to kill before that', () => {
    const { child, port } = setUp();
    expect(port.pid).toBeUndefined();
    port.kill();
    expect(child.kills).toBe(1);
    child.pid = 4242;
    expect(port.pid).toBe(4242);
  });
});
