/** A program's folder replaced by another version's, on small programs; the real archive is tried in test/build/archive.test.ts. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { capture } from '../../build/start/child.ts';
import { openDatabase } from '../../server/db/open.ts';
import { exchangeByRenames, exchangeFolders } from '../../server/installation/exchange.ts';
import { refuseOtherInstallation } from '../../server/installation/program-folder.ts';
import {
  type Installation,
  stageUpdate,
  type UpdateStep,
  undoUpdate,
} from '../../server/installation/update.ts';
import { createKeyFile } from '../../server/signing/keys.ts';
import { temporaryFolder } from '../support/app/folder.ts';
import { type ProgramSpec, writeProgram, writeProgramArchive } from './program.ts';

const old: ProgramSpec = {
  version: '1.0.0',
  changes: ['The first.'],
  packages: { left: '1.0.0', both: '1.0.0' },
};
const next: ProgramSpec = {
  version: '1.1.0',
  changes: ['The first.', 'Something new.'],
  packages: { both: '1.2.0', '@scope/added': '2.0.0' },
  migrations: ['001-initial.sql', '070-more.sql'],
};

function installed() {
  const folder = temporaryFolder();
  const root = join(folder, 'lokal');
  const home = join(folder, 'home');
  mkdirSync(home);
  writeProgram(root, old);
  const db = openDatabase(join(home, 'lokal.db'));
  db.exec("INSERT INTO settings VALUES ('max_queue', '7')");
  db.close();
  writeFileSync(join(home, 'install-key'), 'secret');
  const key = createKeyFile(join(folder, 'key.json'));
  const installation: Installation = {
    root,
    home,
    env: { PATH: process.env.PATH },
    platform: process.platform,
    arch: process.arch,
  };
  const versionAt = () => execFileSync(join(root, 'lokal'), ['--version'], { encoding: 'utf8' }).trim();
  return { folder, root, home, key, installation, versionAt };
}

const settingIn = (home: string) => {
  const db = openDatabase(join(home, 'lokal.db'));
  const value = db.prepare('SELECT value FROM settings').pluck().get();
  db.close();
  return value;
};

/** The program, what is kept of the earlier one, and the data: nothing half done lies about. */
const leftovers = (folder: string) =>
  readdirSync(folder).filter((name) => !['lokal', 'home', 'key.json'].includes(name) && !/zst/.test(name));

describe.skipIf(process.platform === 'win32')('an update', () => {
  it('says what changes, and changes nothing until it is installed', async () => {
    const { folder, root, key, installation, versionAt } = installed();
    const staged = await stageUpdate(await writeProgramArchive(folder, next, key), installation, {
      allowOlder: false,
    });
    expect(staged.difference).toEqual({
      from: '1.0.0',
      to: '1.1.0',
      changes: ['Something new.'],
      packages: { added: ['@scope/added 2.0.0'], removed: ['left 1.0.0'], changed: ['both 1.0.0 → 1.2.0'] },
      packs: { added: [], removed: [], changed: ['starter 1.0.0 → 1.1.0'] },
      migrations: ['070-more.sql'],
    });
    expect(versionAt()).toBe('1.0.0');
    await staged.discard();
    expect(leftovers(folder)).toEqual([]);
    expect(existsSync(join(root, 'lokal'))).toBe(true);
  });

  it('replaces the program, keeps one earlier version, and returns program and data', async () => {
    const { folder, home, key, installation, versionAt } = installed();
    const update = async (spec: ProgramSpec) =>
      (
        await stageUpdate(await writeProgramArchive(folder, spec, key), installation, { allowOlder: false })
      ).install();
    await update(next);
    expect(versionAt()).toBe('1.1.0');
    await update({ ...next, version: '1.2.0' });
    expect(versionAt()).toBe('1.2.0');
    expect(leftovers(folder)).toEqual(['lokal.previous']);
    const db = openDatabase(join(home, 'lokal.db'));
    // As the new version's first start would leave it.
    db.exec("UPDATE settings SET value = '9'");
    db.pragma('user_version = 999');
    db.close();
    expect(await undoUpdate(installation)).toMatchObject({ from: '1.2.0', to: '1.1.0' });
    expect(versionAt()).toBe('1.1.0');
    expect(settingIn(home)).toBe('7');
    expect(readFileSync(join(home, 'install-key'), 'utf8')).toBe('secret');
    expect(leftovers(folder)).toEqual([]);
    await expect(undoUpdate(installation)).rejects.toThrow('no update of this program');
  });

  it.each([
    ['fails on a copy of the data', { ...next, problem: 'The database is strange.' }, /database is strange/],
    ['says it is another version', { ...next, says: '9.9.9' }, /says it is 9\.9\.9/],
    ['is older', { ...next, version: '0.9.0' }, /--downgrade/],
    ['is a release candidate of this version', { ...next, version: '1.0.0-rc.1' }, /--downgrade/],
  ])('is taken back when the new program %s', async (_why, spec, message) => {
    const { folder, home, key, installation, versionAt } = installed();
    const archive = await writeProgramArchive(folder, spec, key);
    const attempt = async () => (await stageUpdate(archive, installation, { allowOlder: false })).install();
    await expect(attempt()).rejects.toThrow(message);
    expect(versionAt()).toBe('1.0.0');
    expect(settingIn(home)).toBe('7');
    expect(leftovers(folder)).toEqual([]);
    await expect(undoUpdate(installation)).rejects.toThrow('no update');
  });

  it('takes an older version when asked, and refuses another system or a file changed since', async () => {
    const { folder, key, installation, versionAt } = installed();
    const older = await writeProgramArchive(folder, { ...next, version: '0.9.0' }, key);
    await (await stageUpdate(older, installation, { allowOlder: true })).install();
    expect(versionAt()).toBe('0.9.0');
    const foreign = await writeProgramArchive(folder, next, key, 'linux-riscv64');
    await expect(stageUpdate(foreign, installation, { allowOlder: false })).rejects.toThrow(
      'is for linux-riscv64',
    );
    const swapped = { ...(await writeProgramArchive(folder, next, key)), sha256: older.sha256 };
    await expect(stageUpdate(swapped, installation, { allowOlder: false })).rejects.toThrow('changed while');
    expect(leftovers(folder)).toEqual(['lokal.previous']);
  });

  const script = fileURLToPath(new URL('./killed-update.ts', import.meta.url));
  const steps: UpdateStep[] = ['unpacked', 'backed up', 'tried', 'noted', 'exchanged', 'kept'];
  it.each(steps)(
    'killed once it has %s leaves a program that starts, and the next one succeeds',
    {
      timeout: 60_000,
    },
    async (step) => {
      const { folder, root, home, key, installation, versionAt } = installed();
      const { file, sha256 } = await writeProgramArchive(folder, next, key);
      const exit = await capture([process.execPath, script, root, home, file, sha256, step], { cwd: folder });
      expect(exit.signal).toBe('SIGKILL');
      expect(versionAt()).toBe(['exchanged', 'kept'].includes(step) ? '1.1.0' : '1.0.0');
      await (await stageUpdate({ file, sha256 }, installation, { allowOlder: false })).install();
      expect(versionAt()).toBe('1.1.0');
      expect(leftovers(folder)).toEqual(['lokal.previous']);
      await undoUpdate(installation);
      expect(settingIn(home)).toBe('7');
    },
  );

  it.each<UpdateStep>(['data returned', 'exchanged'])(
    'killed on the way back, once %s, returns at the second try',
    {
      timeout: 60_000,
    },
    async (step) => {
      const { folder, root, home, key, installation, versionAt } = installed();
      await (
        await stageUpdate(await writeProgramArchive(folder, next, key), installation, { allowOlder: false })
      ).install();
      const exit = await capture([process.execPath, script, root, home, 'undo', step], { cwd: folder });
      expect(exit.signal).toBe('SIGKILL');
      await undoUpdate(installation).catch(() => undefined);
      expect(versionAt()).toBe('1.0.0');
      expect(settingIn(home)).toBe('7');
      await expect(undoUpdate(installation)).rejects.toThrow('no update');
      expect(leftovers(folder)).toEqual([]);
    },
  );
});

describe('folders that change places', () => {
  it.each([exchangeFolders, exchangeByRenames])('%o', (exchange) => {
    const folder = temporaryFolder();
    for (const name of ['left', 'right']) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'name'), name);
    }
    exchange(join(folder, 'left'), join(folder, 'right'));
    expect(readFileSync(join(folder, 'left', 'name'), 'utf8')).toBe('right');
    expect(readFileSync(join(folder, 'right', 'name'), 'utf8')).toBe('left');
    expect(() => exchange(join(folder, 'left'), join(folder, 'absent'))).toThrow();
    expect(readFileSync(join(folder, 'left', 'name'), 'utf8')).toBe('right');
    expect(readdirSync(folder).sort()).toEqual(['left', 'right']);
  });
});

describe('an installation that is not an archive’s', () => {
  it('is refused by its name', () => {
    const folder = temporaryFolder();
    expect(() => refuseOtherInstallation(folder)).toThrow('checkout');
    expect(() => refuseOtherInstallation('/opt/Lokal/resources/app.asar')).toThrow('desktop app');
    const list = join(folder, 'lokal.list');
    writeFileSync(list, `/.\n/opt/lokal\n${join('/opt/lokal', 'lokal')}\n`);
    expect(() => refuseOtherInstallation('/opt/lokal', list)).toThrow('Debian package');
  });
});
