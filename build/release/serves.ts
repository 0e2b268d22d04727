/**
 * Unpacks an archive into an empty folder and asks all it serves, with an empty environment and PATH; inside a network
 * namespace without any interface but loopback where the system allows one.
 *
 *   node build/release/serves.ts ARCHIVE      prints {"services":[…],"namespace":true,"start_ms":…,"resident_mb":…}
 */

import { once } from 'node:events';
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { extract } from 'tar';
import { capture } from '../start/child.ts';
import { programCommand } from '../start/npm-command.ts';
import { root } from '../start/paths.ts';
import { askServices, startPacked } from './six-services.ts';

export interface Served {
  services: string[];
  /** Nothing but loopback could be reached. */
  namespace: boolean;
  start_ms: number;
  /** Of all its processes after the six answers. */
  resident_mb: number;
}

/** Why no namespace without a network can be made here; null where one can. */
export async function noNamespaceReason(): Promise<string | null> {
  if (process.platform !== 'linux') return 'namespaces are of Linux';
  const exit = await capture(isolated('true'), { cwd: root });
  return exit.code === 0 ? null : 'this system allows no network namespace';
}

/** As root a network namespace alone; else one with a user of its own, who is root in it. */
function isolated(script: string): string[] {
  const user = process.getuid?.() === 0 ? [] : ['--map-root-user'];
  return ['unshare', ...user, '--net', 'sh', '-c', `ip link set lo up && ${script}`];
}

export async function tryArchive(archive: string): Promise<Served> {
  const reason = await noNamespaceReason();
  const self = [process.execPath, import.meta.filename, archive];
  const quoted = self.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  const exit = await capture(reason === null ? isolated(`exec ${quoted}`) : self, { cwd: root });
  const line = exit.output.trim().split('\n').at(-1) ?? '';
  if (exit.code !== 0) throw new Error(`The archive does not serve:\n${exit.output}`);
  return { ...(JSON.parse(line) as Served), namespace: reason === null };
}

/** @returns the program's folder inside `folder` */
export async function unpackArchiveFile(archive: string, folder: string): Promise<string> {
  await pipeline(createReadStream(archive), createZstdDecompress(), extract({ cwd: folder }));
  return join(folder, readdirSync(folder)[0] ?? '');
}

async function serveOnce(archive: string): Promise<Omit<Served, 'namespace'>> {
  const folder = mkdtempSync(join(tmpdir(), 'lokal-archive-'));
  try {
    const program = await unpackArchiveFile(archive, folder);
    const home = join(folder, 'home');
    mkdirSync(home);
    const app = await startPacked({ ...programCommand(program, ['serve']), home, env: { PATH: '' } });
    const services = await askServices(app, (line) => console.error(line));
    const resident = residentMb(app.child.pid ?? 0);
    app.child.kill('SIGTERM');
    const [code] = await once(app.child, 'exit');
    if (code !== 0) throw new Error(`it ended with ${code} when it was told to stop`);
    return { services, start_ms: Math.round(app.startMs), resident_mb: resident };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of a process and its children, by /proc; 0 elsewhere. */
function residentMb(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  return Math.round(kilobytes / 1024) + children.reduce((sum, child) => sum + residentMb(Number(child)), 0);
}

if (import.meta.main) console.log(JSON.stringify(await serveOnce(process.argv[2] ?? '')));
