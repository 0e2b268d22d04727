import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesBelow } from '../../server/offline-proof/written-files.ts';
import { temporaryFolder } from '../support/app/folder.ts';

it('finds files at any depth, follows no links, and never looks into a folder that is skipped', () => {
  const folder = temporaryFolder();
  const program = join(folder, 'deep', 'program');
  mkdirSync(program, { recursive: true });
  for (const name of ['one', 'deep/two', 'deep/program/three', 'deep/program-log'])
    writeFileSync(join(folder, name), '');
  symlinkSync(program, join(folder, 'link'));
  const found = (skipped: string[]) =>
    filesBelow(folder, new Set(skipped))
      .map((file) => file.slice(folder.length + 1))
      .sort();
  expect(found([])).toEqual(['deep/program-log', 'deep/program/three', 'deep/two', 'one']);
  expect(found([program])).toEqual(['deep/program-log', 'deep/two', 'one']);
  expect(found([folder])).toEqual([]);
  expect(filesBelow(join(folder, 'not there'), new Set())).toEqual([]);
});
