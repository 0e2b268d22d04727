/** Python environments of the real engines: kept ones under LOKAL_TEST_UPSTREAMS, else made from PyPI and removed afterwards. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
/** The engines' wheels are built for few versions of Python; the first that is there is taken. */
const interpreters = ['python3.11', 'python3.12', 'python3'];

export interface Recipe {
  /** Folder below LOKAL_TEST_UPSTREAMS. */
  id: string;
  /** For pip, the one whose version is told first. */
  packages: readonly string[];
  /** A script of this folder that installs in place of `pip install packages`. */
  installer?: string;
}

export interface Environment {
  python: string;
  versions: string;
  remove(): void;
}

/** @throws Error when pip or Python cannot make it */
export async function openEnvironment({ id, installer, packages }: Recipe): Promise<Environment> {
  const kept = process.env.LOKAL_TEST_UPSTREAMS;
  const folder = kept ? join(kept, id) : mkdtempSync(join(tmpdir(), `lokal-${id}-`));
  const remove = () => (kept ? undefined : rmSync(folder, { recursive: true, force: true }));
  const python = join(folder, 'bin', 'python');
  try {
    if (!existsSync(python)) {
      await execute(await interpreter(), ['-m', 'venv', folder], { timeout: 120_000 });
      const script = installer && fileURLToPath(new URL(installer, import.meta.url));
      const install = script ? [script] : ['-m', 'pip', 'install', '-q', ...packages];
      await execute(python, install, { timeout: 1_800_000 });
    }
    return { python, versions: await versionsOf(python, packages), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function interpreter(): Promise<string> {
  for (const name of interpreters) {
    const found = await execute(name, ['--version']).catch(() => null);
    if (found) return name;
  }
  throw new Error('no Python 3');
}

async function versionsOf(python: string, packages: readonly string[]): Promise<string> {
  const { stdout } = await execute(python, ['-m', 'pip', 'list', '--format=json']);
  const all = JSON.parse(stdout) as { name: string; version: string }[];
  const names = packages.map((each) => each.replace(/[[=].*$/, ''));
  return names.map((name) => `${name} ${all.find((each) => each.name === name)?.version}`).join(', ');
}
