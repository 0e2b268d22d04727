/** The image's lowest layer: the C and C++ runtime that Node needs, from Debian's packages by their hash. */
import { hash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '../packed-files.ts';
import { capture } from '../start/child.ts';
import { Unavailable } from './packages.ts';
import { type Entry, text } from './tar.ts';

interface Pinned {
  package: string;
  version: string;
  sha256: string;
}

const pinned = JSON.parse(readFileSync(new URL('./oci-base.json', import.meta.url), 'utf8')) as Record<
  string,
  Pinned[]
>;

/** Libraries that Node and the native packages name as needed, and what looking up a host name loads. */
const libraries =
  /\/(ld-linux-[\w-]+\.so\.\d|lib(c|m|dl|pthread|rt|resolv|nss_dns|gcc_s|stdc\+\+)\.so\.\d)$|\/doc\/[^/]+\/copyright$/;

/** The user that the image runs as. */
export const user = 65_532;

/** @throws Unavailable where Debian's packages of these versions cannot be had */
export async function readBase(target: Target, cache: string): Promise<Entry[]> {
  const packages = pinned[target.arch];
  if (!packages)
    throw new Unavailable(`no Debian packages are pinned for ${target.arch} (build/release/oci-base.json)`);
  const entries: Entry[] = [];
  for (const each of packages) entries.push(...(await readPackage(each, cache)));
  const loader = entries.find(({ path }) => path.endsWith('/ld-linux-x86-64.so.2'));
  if (!loader) throw new Error('libc6 holds no loader');
  return [
    ...entries,
    // Path at which executables look for it.
    { ...loader, path: 'lib64/ld-linux-x86-64.so.2' },
    text('etc/passwd', `root:x:0:0::/:/\nlokal:x:${user}:${user}::/data:/\n`),
    text('etc/group', `root:x:0:\nlokal:x:${user}:\n`),
    text('etc/nsswitch.conf', 'hosts: files dns\n'),
    { path: 'data/', mode: 0o700, owner: user, content: Buffer.alloc(0) },
    { path: 'tmp/', mode: 0o1777, content: Buffer.alloc(0) },
  ];
}

async function readPackage(wanted: Pinned, cache: string): Promise<Entry[]> {
  const folder = await unpack(wanted, cache);
  // Symbolic links are read through: the layer holds plain files.
  return globSync('**/*', { cwd: folder, exclude: ['usr/share/gcc/**', 'usr/share/gdb/**'] })
    .filter((path) => libraries.test(`/${path}`) && existsSync(join(folder, path)))
    .map((path) => ({
      path,
      mode: path.includes('ld-linux') ? 0o755 : 0o644,
      content: { file: join(folder, path) },
    }));
}

async function unpack({ package: name, version, sha256 }: Pinned, cache: string): Promise<string> {
  const folder = join(cache, `deb-${name}-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const fetched = await capture(['apt-get', 'download', `${name}=${version}`], { cwd: cache });
  const [file] = globSync(`${name}_*.deb`, { cwd: cache });
  if (fetched.code !== 0 || !file)
    throw new Unavailable(`Debian’s ${name} ${version} could not be fetched by apt-get`);
  if (hash('sha256', readFileSync(join(cache, file)), 'hex') !== sha256)
    throw new Error(`Debian’s ${name} ${version} is not what its hash says`);
  const exit = await capture(['dpkg-deb', '-x', file, folder], { cwd: cache });
  if (exit.code !== 0) throw new Error(exit.output);
  return folder;
}
