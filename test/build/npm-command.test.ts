import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { npmCommand, programCommand } from '../../build/start/npm-command.ts';
import { root } from '../../build/start/paths.ts';

it('starts npm by a shell on Windows, where Node refuses .cmd files, and directly elsewhere', () => {
  expect(npmCommand(['pack', 'x'], 'win32')).toEqual(['cmd.exe', '/d', '/s', '/c', 'npm', 'pack', 'x']);
  expect(npmCommand(['pack', 'x'], 'linux')).toEqual(['npm', 'pack', 'x']);
});

it('starts an unpacked program by its launcher, on Windows by the Node beside it', () => {
  expect(programCommand('C:\\My Programs\\lokal', ['serve'], 'win32')).toEqual({
    command: 'C:\\My Programs\\lokal\\bin\\node.exe',
    args: ['C:\\My Programs\\lokal\\dist\\server\\cli.js', 'serve'],
  });
  expect(programCommand('/opt/lokal', ['serve'], 'linux').command).toBe('/opt/lokal/lokal');
  expect(existsSync(join(root, 'build', 'release', 'launcher', 'lokal'))).toBe(true);
});
