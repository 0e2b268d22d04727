/** The interface's way to another version, on a small program whose `lokal` notes what it was asked. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../server/db/open.ts';
import { createStores } from '../../../server/db/stores.ts';
import { writeOutcome } from '../../../server/installation/outcome.ts';
import { createAuditLog } from '../../../server/services/audit/audit-log.ts';
import { createProgramService, type ProgramDeps } from '../../../server/services/console/program.ts';
import { writeProgram } from '../../installation/program.ts';
import { temporaryFolder } from '../../support/app/folder.ts';

const found = { from: '1.0.0', to: '1.1.0', signer: 'Us' };

function given(changed: Partial<ProgramDeps> = {}) {
  const [folder, home] = [temporaryFolder(), temporaryFolder()];
  const root = join(folder, 'lokal');
  writeProgram(root, { version: '1.0.0' });
  const asked = join(folder, 'asked');
  const launcher = [
    '#!/bin/sh',
    'case "$*" in',
    `*bad*) echo "lokal: Not updated: it is damaged." >&2; exit 1;;`,
    `*--dry-run*) echo '${JSON.stringify(found)}';;`,
    `*) printf '%s\\n' "$@" > ${asked}.new; mv ${asked}.new ${asked};;`,
    'esac',
  ];
  writeFileSync(join(root, 'lokal'), launcher.join('\n'), { mode: 0o755 });
  const stores = createStores(openDatabase(join(home, 'lokal.db')));
  const stop = vi.fn();
  const program = createProgramService({
    root: `${root}/`,
    home,
    version: '1.0.0',
    env: { PATH: process.env.PATH },
    platform: process.platform,
    args: () => ['serve', '--port', '8787'],
    audit: createAuditLog(stores.audit, Date.now),
    stop,
    ...changed,
  });
  const askedFor = async () => {
    while (!existsSync(asked)) await sleep(20);
    return readFileSync(asked, 'utf8').trim().split('\n');
  };
  return { root, home, stores, stop, program, askedFor };
}

describe.skipIf(process.platform === 'win32')('another version by the interface', () => {
  it('is shown before anything changes, then takes this one’s place after the server has ended', async () => {
    const { program, stores, stop, askedFor } = given();
    expect(program.state()).toMatchObject({ version: '1.0.0', previous: null, hindrance: null, last: null });
    expect(await program.check('/a/file')).toEqual(found);
    expect(stop).not.toHaveBeenCalled();
    await program.update('/a/file');
    expect(stop).toHaveBeenCalledOnce();
    expect(await askedFor()).toEqual([
      'update',
      '/a/file',
      '--after',
      String(process.pid),
      '--start=serve',
      '--start=--port',
      '--start=8787',
    ]);
    expect(stores.audit.lines().map(({ action }) => action)).toEqual(['program.update']);
  });

  it('is refused with the command’s own sentence, and the server stays', async () => {
    const { program, stop } = given();
    const refused = { code: 'invalid_value', param: 'path', message: 'Not updated: it is damaged.' };
    await expect(program.check('/a/bad')).rejects.toMatchObject(refused);
    await expect(program.update('/a/bad')).rejects.toMatchObject(refused);
    expect(stop).not.toHaveBeenCalled();
  });

  it('says why it cannot be had from here', async () => {
    expect(given({ platform: 'win32' }).program.state().hindrance).toMatch('Windows');
    const service = given({ env: { INVOCATION_ID: 'x' } }).program;
    expect(service.state().hindrance).toMatch('service manager');
    await expect(service.update('/a/file')).rejects.toMatchObject({ code: 'conflict' });
    expect(given({ root: '/nowhere/app.asar' }).program.state().hindrance).toMatch('desktop app');
  });

  it('goes back to the version that was kept', async () => {
    const { root, home, program, stop, askedFor } = given();
    expect(() => program.undo()).toThrow('no version to return to');
    mkdirSync(`${root}.previous`);
    writeProgram(`${root}.previous`, { version: '0.9.0' });
    writeOutcome(home, 'Not updated: the disk is full.');
    expect(program.state()).toMatchObject({
      previous: '0.9.0',
      last: { problem: 'Not updated: the disk is full.' },
    });
    program.undo();
    expect(stop).toHaveBeenCalledOnce();
    expect((await askedFor()).slice(0, 2)).toEqual(['update', '--undo']);
  });
});
