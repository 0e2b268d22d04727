/** Places that every host reads: the program, the system's libraries, and what tells of the processor and the memory. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FileRules } from './landlock.ts';
import type { Launch } from './launch-types.ts';

const libraries = ['/usr', '/lib', '/lib32', '/lib64', '/nix/store', '/gnu/store'];
/** Of /etc, what libraries look at: the linker's cache, fonts, the zone of the clock, settings of TLS and of drivers. */
const settings = [
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'ld.so.preload',
  'ld-musl-x86_64.path',
  'fonts',
  'localtime',
  'ssl',
  'pki',
].map((name) => `/etc/${name}`);
const machine = [
  '/proc/self',
  '/proc/cpuinfo',
  '/proc/meminfo',
  '/proc/stat',
  '/proc/version',
  '/proc/filesystems',
  '/proc/sys/vm/overcommit_memory',
  '/proc/sys/vm/max_map_count',
  '/proc/sys/kernel/random',
  '/sys/devices/system',
  '/sys/fs/cgroup',
  '/sys/kernel/mm/transparent_hugepage',
  '/dev/zero',
  '/dev/random',
  '/dev/urandom',
];
const drivers = [
  '/sys',
  '/proc/driver',
  '/proc/devices',
  '/proc/modules',
  '/proc/sys',
  '/etc/vulkan',
  '/etc/OpenCL',
  '/etc/glvnd',
  '/etc/egl',
  '/etc/nvidia',
];
const deviceFiles = [
  '/dev/dri',
  '/dev/kfd',
  '/dev/nvidiactl',
  '/dev/nvidia-uvm',
  '/dev/nvidia-uvm-tools',
  '/dev/nvidia-modeset',
  '/dev/nvidia-caps',
  '/dev/udmabuf',
];
const nvidia = Array.from({ length: 16 }, (_, index) => `/dev/nvidia${index}`);

/** Of the installation: code and its packages, and nothing that may lie beside them (a data folder). */
export function programPaths(main: string): string[] {
  // server/engine/confinement/ in source, dist/server/engine/confinement/ compiled.
  const server = fileURLToPath(new URL('../..', import.meta.url));
  const parent = dirname(server.replace(/\/$/, ''));
  const root = parent.endsWith(`${sep}dist`) ? dirname(parent) : parent;
  return [server, dirname(main), join(root, 'package.json'), packagesFolder(), unpacked(root)].filter(
    existsSync,
  );
}

/** Native libraries of a packed desktop app lie beside its archive. */
const unpacked = (root: string): string =>
  root.endsWith('.asar') ? `${root}.unpacked` : join(root, 'package.json');

function packagesFolder(): string {
  const entry = createRequire(import.meta.url).resolve('koffi');
  return entry.slice(0, entry.lastIndexOf(`${sep}koffi${sep}`));
}

export function fileRules({ main, libraryPath, grant }: Launch): FileRules {
  const named = libraryPath.split(':').filter((path) => path.startsWith('/'));
  // A packed desktop app lies, archive and all, below the folder of its binary.
  const runtime = process.versions.electron ? dirname(process.execPath) : process.execPath;
  const own = [...programPaths(main), runtime, ...named];
  const loaders = [
    '/lib64/ld-linux-x86-64.so.2',
    '/lib/ld-linux-aarch64.so.1',
    `/lib/ld-musl-${muslName()}.so.1`,
  ];
  return {
    reads: [...own, ...libraries, ...settings, ...machine, ...grant.reads, ...(grant.devices ? drivers : [])],
    writes: grant.writes,
    executes: [process.execPath, ...loaders],
    devices: ['/dev/null', ...(grant.devices ? [...deviceFiles, ...nvidia] : [])],
  };
}

const muslName = (): string => (process.arch === 'arm64' ? 'aarch64' : 'x86_64');
