/** The commit that a release is made of. What is not committed is not in it. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { extract } from 'tar';
import { capture } from '../start/child.ts';
import { root } from '../start/paths.ts';

export interface Source {
  commit: string;
  dateMs: number;
  /** Files that differ from the commit; they are left out. */
  changed: number;
}

/** @throws Error outside a git checkout */
export async function readSource(): Promise<Source> {
  const [commit = '', seconds] = (await git('log', '-1', '--format=%H %ct')).trim().split(' ');
  const status = await git('status', '--porcelain', '--untracked-files=no');
  return { commit, dateMs: Number(seconds) * 1000, changed: status.split('\n').filter(Boolean).length };
}

/** Writes the commit's files into a new folder. */
export async function checkOut({ commit }: Source, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const file = join(folder, '.source.tar');
  await git('archive', '--format=tar', '-o', file, commit);
  await extract({ file, cwd: folder });
  await rm(file);
}

async function git(...args: string[]): Promise<string> {
  const exit = await capture(['git', ...args], { cwd: root });
  if (exit.code !== 0) throw new Error(`git ${args[0]} failed: ${exit.output.trim()}`);
  return exit.output;
}
