/** `lokal update FILE`: another version in this program's place, from a signed archive and without a network. */
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import { readConfig } from '../../config.ts';
import { lockDataFolder } from '../../db/data-folder.ts';
import type { Stores } from '../../db/stores.ts';
import { writeOutcome } from '../../installation/outcome.ts';
import {
  type MapDifference,
  type ProgramDifference,
  refuseOtherInstallation,
} from '../../installation/program-folder.ts';
import { type Installation, type Returned, stageUpdate, undoUpdate } from '../../installation/update.ts';
import { createAuditLog } from '../../services/audit/audit-log.ts';
import { verifyFileStatement } from '../../signing/file.ts';
import { fingerprint } from '../../signing/keys.ts';
import { StartError } from '../../start-error.ts';
import { type Command, type CommandInput, required, text, UsageError } from '../command.ts';
import { openTrust } from '../trust/trust.ts';
import { knownAs } from '../trust/verify.ts';
import { withStores } from './data.ts';

const help = `Usage: lokal update FILE [--dry-run] [--downgrade]
       lokal update --undo

FILE is a release's archive, lokal-VERSION-SYSTEM.tar.zst, with FILE.sig beside it, signed by a key of \`lokal trust\`. It is
unpacked beside this program, tried on a copy of the data, and put in its place; the server must be stopped. This version
is kept as FOLDER.previous, with a backup of database and keys; --undo returns to both. What was written since then lies in
lokal.db.before-restore afterwards.

  --dry-run     show what would change, and change nothing
  --downgrade   take an older version
  --undo        return to the version before the last update
  --after PID   first wait for the server of that process to end
  --start ARG   start \`lokal ARG…\` afterwards, whatever came of it; repeatable
  --json        print one line of JSON
  --help        this text`;

export const update: Command = {
  help,
  options: {
    'dry-run': { type: 'boolean' },
    downgrade: { type: 'boolean' },
    undo: { type: 'boolean' },
    after: { type: 'string' },
    start: { type: 'string', multiple: true },
  },
  async run(input) {
    const config = readConfig();
    const installation = toInstallation(config);
    refuseOtherInstallation(installation.root);
    if (input.values['dry-run'] === true) return change(input, config, installation);
    try {
      const pid = text(input.values.after);
      if (pid !== undefined) await waitForEnd(pid);
      await change(input, config, installation);
      writeOutcome(config.home, null);
    } catch (error) {
      writeOutcome(config.home, error instanceof StartError ? error.message : 'Not updated.');
      throw error;
    } finally {
      startAgain(config, input.values.start);
    }
  },
};

async function change(input: CommandInput, config: Config, installation: Installation): Promise<void> {
  if (input.values.undo === true) {
    if (input.positionals.length > 0) throw new UsageError('--undo takes no FILE');
    return printReturned(input, await locked(config, () => undoUpdate(installation)));
  }
  const file = resolve(required(input, 0, 'FILE'));
  const from = (stores: Stores) => updateFrom(file, { input, stores, installation });
  // A dry run only looks, and may run beside the server.
  await withStores((stores) =>
    input.values['dry-run'] === true ? from(stores) : locked(config, () => from(stores)),
  );
}

const endLimitMs = 60_000;

/** @throws StartError when it still runs after a minute */
async function waitForEnd(given: string): Promise<void> {
  const pid = Number(given);
  if (!Number.isInteger(pid) || pid < 2) throw new UsageError('--after takes the number of a process');
  for (let waited = 0; isRunning(pid); waited += 100) {
    if (waited > endLimitMs) throw new StartError('Not updated: the server did not end.');
    await sleep(100);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function startAgain({ folders, env }: Config, args: CommandInput['values'][string]): void {
  if (!Array.isArray(args)) return;
  const options = { env, detached: true, stdio: 'ignore' } as const;
  spawn(join(folders.root, 'lokal'), args.map(String), options).unref();
}

export const toInstallation = ({ folders, home, hostEnv: env }: Config): Installation => ({
  root: resolve(folders.root),
  home,
  env,
  platform: process.platform,
  arch: process.arch,
});

async function locked<T>({ home }: Config, work: () => Promise<T>): Promise<T> {
  const unlock = lockDataFolder(home);
  try {
    return await work();
  } finally {
    unlock();
  }
}

export interface UpdateGiven {
  input: CommandInput;
  stores: Stores;
  installation: Installation;
}

export async function updateFrom(file: string, { input, stores, installation }: UpdateGiven): Promise<void> {
  const dryRun = input.values['dry-run'] === true;
  if (installation.platform === 'win32' && !dryRun)
    throw new StartError(
      'Not updated: Windows does not replace a program that runs. Unpack FILE beside this folder and start that one; it finds the same data.',
    );
  const { signer, sha256 } = await readSigner(file, stores, installation.home);
  const allowOlder = input.values.downgrade === true;
  const staged = await stageUpdate({ file, sha256 }, installation, { allowOlder });
  const { difference } = staged;
  if (dryRun) {
    await staged.discard();
    return input.print({ ...difference, signer, installed: false }, [
      ...toLines(difference, signer),
      'Nothing was changed.',
    ]);
  }
  await staged.install();
  const { from, to } = difference;
  createAuditLog(stores.audit, Date.now).record({ action: 'program.update', changes: { from, to, signer } });
  input.print({ ...difference, signer, installed: true }, [
    ...toLines(difference, signer),
    `Lokal ${to} is installed; \`lokal update --undo\` returns to ${from}.`,
  ]);
}

/** @throws StartError unless a key of the list, or this installation, signed the file */
async function readSigner(
  file: string,
  stores: Stores,
  home: string,
): Promise<{ signer: string; sha256: string }> {
  const { signature, statement } = await verifyFileStatement(file).catch((error: Error) => {
    throw new StartError(`Not updated: ${error.message}.`);
  });
  const signer = knownAs(openTrust(stores), signature, home);
  if (signer === null)
    throw new StartError(
      `Not updated: ${file} is signed by a key that is not trusted (${fingerprint(signature.public_key)}); lokal trust add takes it.`,
    );
  return { signer, sha256: statement.sha256 };
}

const mostLines = 40;

function toLines(
  { from, to, changes, packages, packs, migrations }: ProgramDifference,
  signer: string,
): string[] {
  const more = changes.length - mostLines;
  return [
    `Lokal ${from} → ${to}, signed by ${signer}.`,
    ...changes.slice(0, mostLines).map((change) => `  - ${change}`),
    ...(more > 0 ? [`  and ${more} more (CHANGELOG.md)`] : []),
    ...linesOf('Packages', packages),
    ...linesOf('Packs', packs),
    ...(migrations.length > 0
      ? [
          `Database: ${migrations.join(', ')}, at the first start; ${from} cannot read it then without --undo.`,
        ]
      : []),
  ];
}

const linesOf = (title: string, { added, removed, changed }: MapDifference): string[] => [
  ...(changed.length > 0 ? [`${title} changed: ${changed.join(', ')}.`] : []),
  ...(added.length > 0 ? [`${title} added: ${added.join(', ')}.`] : []),
  ...(removed.length > 0 ? [`${title} removed: ${removed.join(', ')}.`] : []),
];

function printReturned({ print }: CommandInput, returned: Returned): void {
  const { to, created } = returned;
  const data = created === null ? '' : ` with the data of ${created}`;
  print(returned, [`This is Lokal ${to} again${data}.`]);
}
