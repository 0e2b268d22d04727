import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockDataFolder, prepareDataFolder, readAddress, writeAddress } from '../../server/db/data-folder.ts';
import { StartError } from '../../server/start-error.ts';
import { temporaryFolder } from '../support/app/folder.ts';

describe('the data folder', () => {
  it('is made where it is missing', () => {
    const folder = join(temporaryFolder(), 'a', 'b');
    prepareDataFolder(folder);
    expect(() => prepareDataFolder(folder)).not.toThrow();
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
    const address = writeAddress(folder, 'http://127.0.0.1:1');
    expect(readAddress(folder)).toBe('http://127.0.0.1:1');
    address.remove();
    expect(() => readAddress(folder)).toThrow(StartError);
  });
});
