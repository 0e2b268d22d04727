import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  lockDataFolder,
  prepareDataFolder,
  readAccess,
  readAddress,
  writeAddress,
} from '../../server/db/data-folder.ts';
import { StartError } from '../../server/start-error.ts';
import { temporaryFolder } from '../support/app/folder.ts';

describe('the data folder', () => {
  it('is made where it is missing', () => {
    const folder = join(temporaryFolder(), 'a', 'b');
    prepareDataFolder(folder);
    expect(() => prepareDataFolder(folder)).not.toThrow();
  });

  it.skipIf(process.platform === 'win32')('is closed to others, with what lies in it', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'packs'));
    writeFileSync(join(folder, 'providers.json'), '{}');
    for (const path of [folder, join(folder, 'packs')]) chmodSync(path, 0o755);
    chmodSync(join(folder, 'providers.json'), 0o644);
    prepareDataFolder(folder);
    lockDataFolder(folder)();
    const modes = ['', 'packs', 'providers.json', 'instance.lock'].map((name) =>
      (statSync(join(folder, name)).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(['700', '700', '600', '600']);
  });

  it.skipIf(process.platform === 'win32')('that many share is left as it is', () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o1777);
    prepareDataFolder(folder);
    expect(statSync(folder).mode & 0o1777).toBe(0o1777);
  });

  it('says what stands in the way', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect(() => prepareDataFolder(file)).toThrow(
      new StartError(`The data folder ${file} is not a folder; LOKAL_HOME names another.`),
    );
  });

  it.runIf(existsSync('/proc/self'))('is refused where none can be made', () => {
    expect(() => prepareDataFolder('/proc/lokal/data')).toThrow(StartError);
  });

  it('is held by one at a time', () => {
    const folder = temporaryFolder();
    const unlock = lockDataFolder(folder);
    expect(() => lockDataFolder(folder)).toThrow('Lokal is already running on the data folder');
    unlock();
    lockDataFolder(folder)();
  });

  it('tells where the running server listens', () => {
    const folder = temporaryFolder();
    expect(() => readAddress(folder)).toThrow(StartError);
    expect(readAccess(folder)).toBeNull();
    const access = { url: 'http://127.0.0.1:1', secret: 's', fingerprint: null };
    const address = writeAddress(folder, 'http://127.0.0.1:1', access);
    expect(readAccess(folder)).toEqual(access);
    expect(readAddress(folder)).toBe('http://127.0.0.1:1');
    address.remove();
    expect(readAccess(folder)).toBeNull();
    expect(() => readAddress(folder)).toThrow(StartError);
  });
});
