/** What a host that was taken over would try, each by system calls of its own; every one answers how it went. */
import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile, rename, unlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

export interface Targets {
  /** A port of 127.0.0.1 that answers. */
  port: number;
  /** A UNIX socket that answers. */
  socket: string;
  /** The data folder with its database. */
  home: string;
  /** The pack, which may be read. */
  pack: string;
  temporary: string;
  parent: number;
  /** Names of attacks; null: all. */
  only: string[] | null;
}

interface Koffi {
  load(file: null): { func(name: string, result: string, types: string[]): (...args: unknown[]) => number };
  errno(): number;
}

function nativeCall(name: string, ...args: (number | bigint)[]): string {
  const koffi = createRequire(import.meta.url)('koffi') as Koffi;
  const types = args.map(() => 'int64');
  const result = koffi.load(null).func(name, 'int64', types)(...args);
  // Functions of type int leave the upper half as it was.
  return Number(BigInt.asIntN(32, BigInt(result))) < 0 ? refusal(koffi.errno()) : 'done';
}

/** EPERM, EACCES and ENOSYS refuse; anything else says that the kernel looked at the call. */
const refusal = (errno: number): string =>
  [1, 13, 38].includes(errno) ? `refused: errno ${errno}` : `looked at: errno ${errno}`;

const connected = (to: { port: number; host: string } | { path: string }) =>
  new Promise<string>((resolve, reject) => {
    connect(to)
      .once('connect', () => resolve('done'))
      .once('error', reject);
  });

const listening = () =>
  new Promise<string>((resolve, reject) => {
    createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => resolve('done'));
  });

const sent = () =>
  new Promise<string>((resolve, reject) => {
    const socket = createSocket('udp4').once('error', reject);
    socket.send('x', 53, '127.0.0.1', (error) => (error ? reject(error) : resolve('done')));
  });

function started(command: string, args: string[]): string {
  const { error } = spawnSync(command, args);
  if (error) throw error;
  return 'done';
}

function done(_result: unknown): string {
  return 'done';
}

const read = (path: string): string => done(readFileSync(path));

const attacks: Record<string, (targets: Targets) => unknown> = {
  'connect to a TCP port': ({ port }) => connected({ port, host: '127.0.0.1' }),
  'connect to a UNIX socket': ({ socket }) => connected({ path: socket }),
  'listen on a port': listening,
  'send a datagram': sent,
  'look up a name': () => lookup('example.com').then(done),
  'make a raw socket': () => nativeCall('socket', 17, 3, 0),
  'read the database': ({ home }) => read(join(home, 'lokal.db')),
  'read the database on a thread of the pool': ({ home }) => readFile(join(home, 'lokal.db')).then(done),
  'list the data folder': ({ home }) => done(readdirSync(home)),
  'read the accounts': () => read('/etc/passwd'),
  'read the environment of the parent': ({ parent }) => read(`/proc/${parent}/environ`),
  'read the command line of the parent': ({ parent }) => read(`/proc/${parent}/cmdline`),
  'write into its pack': ({ pack }) => done(writeFileSync(join(pack, 'new'), 'x')),
  'change a file of its pack': ({ pack }) => done(writeFileSync(join(pack, 'manifest.json'), 'x')),
  'change the mode of its pack': ({ pack }) => done(chmodSync(join(pack, 'manifest.json'), 0o777)),
  'remove a file of its pack': ({ pack }) => unlink(join(pack, 'manifest.json')).then(done),
  'rename a file of its pack': ({ pack }) => rename(join(pack, 'manifest.json'), join(pack, 'x')).then(done),
  'link out of its pack': ({ pack, home }) => done(symlinkSync(home, join(pack, 'link'))),
  'write into the temporary folder': ({ temporary }) => done(mkdtempSync(join(temporary, 'x-'))),
  'start a program': () => started('/bin/true', []),
  'start Node': () => started(process.execPath, ['-e', '0']),
  'become another program': () => nativeCall('execve', 0, 0, 0),
  fork: () => nativeCall('fork'),
  'trace the parent': ({ parent }) => nativeCall('ptrace', 16, parent, 0, 0),
  'read the memory of the parent': ({ parent }) => nativeCall('syscall', 310, parent, 0, 0, 0, 0, 0),
  'signal the parent': ({ parent }) => done(process.kill(parent, 0)),
  'limit the parent': ({ parent }) => nativeCall('prlimit', parent, 7, 0, 0),
  'make a namespace': () => nativeCall('unshare', 0x10000000),
  mount: () => nativeCall('mount', 0, 0, 0, 0, 0),
  'make a ring': () => nativeCall('syscall', 425, 8, 0, 0, 0, 0, 0),
  'ask for keys': () => nativeCall('syscall', 250, 0, -3, 0, 0, 0, 0),
};

/** Names of attacks to `done`, or to why not. */
export async function attackAll(targets: Targets): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const [name, attack] of Object.entries(attacks)) {
    if (targets.only && !targets.only.includes(name)) continue;
    try {
      answers[name] = String(await attack(targets));
    } catch (error) {
      answers[name] = `refused: ${(error as NodeJS.ErrnoException).code}`;
    }
  }
  return answers;
}
