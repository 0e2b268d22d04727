/**
 * Another version in this one's place, asked for in the interface. All is done by `lokal update`, in a process of its own: one
 * that only looks runs beside the server; one that replaces waits until the server has ended, and starts the new one as this was started.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { ProgramState, ProgramUpdateCheck } from '../../api/console/installation/program.ts';
import { ApiError } from '../../errors.ts';
import { readOutcome } from '../../installation/outcome.ts';
import { refuseOtherInstallation } from '../../installation/program-folder.ts';
import type { AuditLog } from '../audit/audit-log.ts';

export interface ProgramDeps {
  root: string;
  home: string;
  version: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** The command line that starts this server again. */
  args(): string[];
  audit: AuditLog;
  /** Ends the server, as a signal does. */
  stop(): void;
}

export interface ProgramService {
  state(): ProgramState;
  /** @throws ApiError invalid_value (`path`) with the command's own sentence */
  check(path: string): Promise<ProgramUpdateCheck>;
  /** Checks, then lets the server end and the new version start. @throws ApiError invalid_value, conflict */
  update(path: string): Promise<void>;
  /** @throws ApiError conflict when there is no version to return to */
  undo(): void;
}

const checkLimitMs = 300_000;

export function createProgramService({ root: given, ...deps }: ProgramDeps): ProgramService {
  const { home, version } = deps;
  // Without the slash at its end, where it has one: the kept version lies beside it.
  const root = resolve(given);
  const command = join(root, 'lokal');
  const env = { ...deps.env, LOKAL_HOME: home };
  const previous = () => versionIn(`${root}.previous`);
  const hindrance = () => findHindrance({ ...deps, root });

  function refuseHindered(): void {
    const reason = hindrance();
    if (reason !== null) throw new ApiError('conflict', reason);
  }

  async function check(path: string): Promise<ProgramUpdateCheck> {
    refuseHindered();
    try {
      const options = { env, timeout: checkLimitMs, maxBuffer: 16 << 20 };
      const { stdout } = await promisify(execFile)(command, ['update', path, '--dry-run', '--json'], options);
      return JSON.parse(stdout) as ProgramUpdateCheck;
    } catch (error) {
      const { stderr = '' } = error as { stderr?: string };
      const said = stderr
        .trim()
        .split('\n')
        .at(-1)
        ?.replace(/^lokal: /, '')
        .slice(0, 500);
      throw new ApiError('invalid_value', said || 'Not updated: the file cannot be read.', { param: 'path' });
    }
  }

  function replace(args: string[]): void {
    const again = ['--after', String(process.pid), ...deps.args().map((arg) => `--start=${arg}`)];
    spawn(command, ['update', ...args, ...again], { env, detached: true, stdio: 'ignore' }).unref();
    deps.stop();
  }

  return {
    state: () => ({
      version,
      folder: root,
      previous: previous(),
      hindrance: hindrance(),
      last: readOutcome(home),
    }),
    check,
    async update(path) {
      const { to } = await check(path);
      deps.audit.record({ action: 'program.update', changes: { from: version, to, asked: 'console' } });
      replace([path]);
    },
    undo() {
      refuseHindered();
      if (previous() === null) throw new ApiError('conflict', 'There is no version to return to.');
      replace(['--undo']);
    },
  };
}

function findHindrance({ root, env, platform }: ProgramDeps): string | null {
  try {
    refuseOtherInstallation(root);
  } catch (error) {
    return (error as Error).message;
  }
  if (platform === 'win32')
    return 'Windows does not replace a program that runs: unpack the archive beside this folder and start that one; it finds the same data.';
  // systemd ends every process of a service with it, the one that would replace it too.
  if (env.INVOCATION_ID !== undefined)
    return `A service manager runs Lokal: stop the service, run “${join(root, 'lokal')} update FILE”, and start it again.`;
  return null;
}

function versionIn(folder: string): string | null {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : null;
}
