/** The command `lokal`. Each command is loaded when it is called, so that --help and `keys` start at once. */
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Command, type CommandEntry, type CommandInput, UsageError } from './cli/command.ts';
import { commands, listCommands } from './cli/commands.ts';
import { steersNothing } from './cli/fitted-table.ts';
import { dataFolder } from './config.ts';
import { hasRoom } from './db/room.ts';
import { ApiError } from './errors.ts';
import { isFull } from './full-disk.ts';
import { StartError } from './start-error.ts';

const afterword = 'Every command takes --help and --json. LOKAL_HOME moves the data folder.';

async function main(args: string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(`Usage: lokal COMMAND [options]\n\n${listCommands()}\n\n${afterword}`);
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v') {
    console.log((await import('./version.ts')).version);
    return 0;
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!entry) return fail(`there is no command “${name}”; lokal --help lists them`, 2);
  try {
    await runCommand(entry, rest);
    // A command that found what it looks for says so by its code.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return explain(error, name);
  }
}

async function runCommand({ load, operands }: CommandEntry, args: string[]): Promise<void> {
  const command = await load();
  const { values, positionals: marked } = parseArgs({
    args: markNegatives(args, command.options),
    options: { ...command.options, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help) return console.log(command.help);
  const positionals = marked.map((operand) => operand.replace(operandMark, ''));
  refuseMore(positionals, operands);
  refuseEmpty(values);
  const print: CommandInput['print'] = (value, lines) =>
    console.log(steersNothing(values.json ? JSON.stringify(value) : lines.join('\n')));
  await command.run({ values, positionals, print });
}

/** Before an operand that parseArgs would take for an option: no argument of a process can hold it. */
const operandMark = '\0';

/** Negative numbers are values: parseArgs takes `-1` for an option. */
function markNegatives(args: string[], options: Command['options']): string[] {
  if (args.includes('--')) return args;
  const marked: string[] = [];
  for (const arg of args) {
    const before = marked.at(-1) ?? '';
    if (!/^-\d/.test(arg)) marked.push(arg);
    else if (before.startsWith('--') && options[before.slice(2)]?.type === 'string')
      marked.splice(-1, 1, `${before}=${arg}`);
    else marked.push(operandMark + arg);
  }
  return marked;
}

/** A second word would be dropped without a sound: of a name in two words only the first would be kept. */
function refuseMore(given: string[], operands: CommandEntry['operands']): void {
  if (operands === 'any') return;
  const most =
    typeof operands === 'number' ? operands : new Map(Object.entries(operands)).get(given[0] ?? '');
  const extra = given[most ?? given.length];
  if (extra !== undefined)
    throw new UsageError(`“${extra}” is one word too many (quotes hold words together)`);
}

/**
 * An unset variable of a script leaves a value empty, which would count as none given: a key made with `--cidr "$NETWORK"` would
 * be open to every address.
 */
function refuseEmpty(values: CommandInput['values']): void {
  for (const [name, value] of Object.entries(values))
    for (const each of [value].flat())
      if (typeof each === 'string' && each.trim() === '') throw new UsageError(`--${name} is empty`);
}

/** One line a failure. A defect shows its stack: there is no one else to tell. */
function explain(error: unknown, name: string): number {
  if (error instanceof StartError) return fail(error.message, 1);
  if (error instanceof ApiError) return fail(`${error.message} (${error.code})`, 1);
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS')) {
    return fail(`${briefly(message)}; lokal ${name} --help says more`, 2);
  }
  if (code === 'SQLITE_FULL')
    return fail('The disk of the data folder is full, and nothing was changed; free some space.', 1);
  if (isFull(error)) return fail('There is no room on the disk that was to be written.', 1);
  const line = ofFile(error as NodeJS.ErrnoException);
  if (line) return fail(line, 1);
  console.error(error);
  return 1;
}

/** Of Node's own words on an option the first sentence: its advice holds for no command of ours. */
const briefly = (message: string): string =>
  message.replace(/^(Unknown option '.*?')\. To specify.*$/su, '$1');

/** A path that the system refuses is no defect. */
const ofFile = ({ code, path, syscall }: NodeJS.ErrnoException): string | null =>
  code && path && syscall ? `${path}: the system refuses it (${syscall}: ${code}).` : null;

function fail(line: string, code: number): number {
  console.error(`lokal: ${line}`);
  return code;
}

// The sources are TypeScript: what they compile to is kept for the next start, where there is a data folder with room for it.
const home = dataFolder();
if (existsSync(home) && hasRoom(home)) enableCompileCache(join(home, 'code-cache'));
process.exitCode = await main(process.argv.slice(2));
