/**
 * llama.cpp for a bench: the npm package node-llama-cpp, installed on first use into a folder of the system's temporary one
 * (no dependency: 700 MB of binaries). It brings one library for each family of processors and takes the best that runs.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { progress } from '../measure.ts';

const version = '3.22.1';
const prefix = join(tmpdir(), `lokal-bench-llama-cpp-${version}`);

/**
 * The package's folder. `LOKAL_BENCH_LLAMA_CPP` names another one; `LOKAL_BENCH_LLAMA_FAMILY=icelake` keeps it to that
 * family's library.
 * @throws Error when it cannot be installed
 */
export async function llamaCppFolder(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const folder = env.LOKAL_BENCH_LLAMA_CPP ?? (await installed());
  const family = env.LOKAL_BENCH_LLAMA_FAMILY;
  return family ? keptTo(family, folder) : folder;
}

async function installed(): Promise<string> {
  const folder = join(prefix, 'node_modules', 'node-llama-cpp');
  if (existsSync(join(folder, 'package.json'))) return folder;
  progress(`installing node-llama-cpp ${version} into ${prefix}`);
  mkdirSync(prefix, { recursive: true });
  const args = ['install', '--prefix', prefix, '--ignore-scripts', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', [...args, `node-llama-cpp@${version}`], { cwd: prefix });
  return folder;
}

function keptTo(family: string, folder: string): string {
  const target = `${prefix}-${family}`;
  rmSync(target, { recursive: true, force: true });
  cpSync(join(folder, '..'), join(target, 'node_modules'), {
    recursive: true,
    filter: (source) => !/@node-llama-cpp\/(?!linux-x64$|linux-x64\/)[^/]+/.test(source),
  });
  const bins = join(target, 'node_modules', '@node-llama-cpp', 'linux-x64', 'bins', 'linux-x64');
  const others = readdirSync(bins).filter(
    (name) => /^libggml-cpu-/.test(name) && !name.includes(`-${family}.`),
  );
  if (!existsSync(join(bins, `libggml-cpu-${family}.so`)))
    throw new Error(`node-llama-cpp has no library for ${family}`);
  for (const name of others) rmSync(join(bins, name));
  return join(target, 'node_modules', 'node-llama-cpp');
}
