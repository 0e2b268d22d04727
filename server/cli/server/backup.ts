/** `lokal backup` and `lokal restore`. */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readConfig } from '../../config.ts';
import { lockDataFolder, prepareDataFolder } from '../../db/data-folder.ts';
import { bringBack, readBackup, writeBackup } from '../../installation/backup-folder.ts';
import { type Command, required } from '../command.ts';

const backupHelp = `Usage: lokal backup FOLDER [--without-packs]

Copies keys, usage, settings, templates, rules and imported packs into FOLDER, which must be new or empty. A server may run
meanwhile: what it writes after the start of the copy is not in it. The copy holds secrets; keep it as you keep the data folder.

  --without-packs   leave imported packs out; they can be imported again
  --json            print one line of JSON
  --help            this text`;

export const backup: Command = {
  help: backupHelp,
  options: { 'without-packs': { type: 'boolean' } },
  async run(input) {
    const target = resolve(required(input, 0, 'FOLDER'));
    const packs = input.values['without-packs'] !== true;
    const manifest = await writeBackup(readConfig().home, target, { packs });
    const files = Object.keys(manifest.files).length;
    const bytes = Object.keys(manifest.files).reduce(
      (sum, path) => sum + statSync(join(target, path)).size,
      0,
    );
    input.print({ folder: target, files, bytes }, [
      `${files} files, ${(bytes / 1e6).toFixed(1)} MB, in ${target}.`,
      'It holds the secrets of this installation. `lokal restore` brings it back.',
    ]);
  },
};

const restoreHelp = `Usage: lokal restore FOLDER

Brings a backup back into the data folder. The server must be stopped. Every file is checked first, and what is replaced is
kept beside it as NAME.before-restore.

  --json   print one line of JSON
  --help   this text`;

export const restore: Command = {
  help: restoreHelp,
  options: {},
  async run(input) {
    const source = resolve(required(input, 0, 'FOLDER'));
    const manifest = await readBackup(source);
    const { home } = readConfig();
    prepareDataFolder(home);
    const unlock = lockDataFolder(home);
    try {
      bringBack(source, home, manifest);
    } finally {
      unlock();
    }
    const files = Object.keys(manifest.files).length;
    input.print({ folder: home, files, created: manifest.created, lokal: manifest.lokal }, [
      `${files} files of ${manifest.created} are back in ${home}.`,
    ]);
  },
};
