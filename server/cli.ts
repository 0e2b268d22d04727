/** The command `lokal`. Each command is loaded when it is called, so that --help and `keys` start at once. */
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Command, type CommandInput, UsageError } from './cli/command.ts';
import { dataFolder } from './config.ts';
import { ApiError } from './errors.ts';
import { StartError } from './start-error.ts';

interface Entry {
  load: () => Promise<Command>;
  /** Operands it takes; where the first one is an action, by that action (absent: any number). */
  operands: number | Record<string, number>;
}

const commands: Record<string, Entry> = {
  serve: { load: async () => (await import('./cli/serve.ts')).serve, operands: 0 },
  'console-url': { load: async () => (await import('./cli/console-url.ts')).consoleUrl, operands: 0 },
  keys: {
    load: async () => (await import('./cli/keys.ts')).keys,
    operands: { list: 1, create: 2, rotate: 2, revoke: 2 },
  },
  packs: {
    load: async () => (await import('./cli/packs.ts')).packs,
    operands: { list: 1, import: 2, bind: 3, remove: 2, export: 3, keygen: 2 },
  },
  rules: {
    load: async () => (await import('./cli/rules.ts')).rules,
    operands: { list: 1, import: 2, clear: 1 },
  },
  trust: {
    load: async () => (await import('./cli/trust.ts')).trust,
    operands: { list: 1, add: 2, remove: 2 },
  },
  sign: { load: async () => (await import('./cli/sign.ts')).sign, operands: 1 },
  verify: { load: async () => (await import('./cli/verify.ts')).verify, operands: 1 },
  licences: { load: async () => (await import('./cli/licences.ts')).licences, operands: 1 },
  audit: {
    load: async () => (await import('./cli/audit.ts')).audit,
    operands: { list: 1, export: 2, verify: 2 },
  },
  parse: { load: async () => (await import('./cli/parse.ts')).parse, operands: 1 },
  backup: { load: async () => (await import('./cli/backup.ts')).backup, operands: 1 },
  restore: { load: async () => (await import('./cli/backup.ts')).restore, operands: 1 },
  update: { load: async () => (await import('./cli/update.ts')).update, operands: 1 },
  site: { load: async () => (await import('./cli/site.ts')).site, operands: { export: 2, apply: 2 } },
  'prove-offline': { load: async () => (await import('./cli/prove-offline.ts')).proveOffline, operands: 0 },
  doctor: { load: async () => (await import('./cli/doctor.ts')).doctor, operands: 0 },
};

const help = `Usage: lokal COMMAND [options]

  serve         start the server
  console-url   print a link into the console of the running server
  keys          list, create, rotate and revoke API keys
  packs         list, import, export, bind and remove packs; make a key to sign them with
  trust         the signers whose packs count as known
  sign FILE     write a signature beside a file
  verify FILE   who signed a pack, a report or a file
  rules         list, import and switch the Sigma rules of the threat analysis
  audit         who changed what: list, export, verify
  parse FILE    read one document
  backup FOLDER   copy keys, usage, settings and packs, also while the server runs
  restore FOLDER  bring a backup back
  site            packs, rules, templates, settings and signers of one installation for others, in one signed file
  update FILE     replace this program by that of a signed archive, or go back
  licences      what of other people is in Lokal, and under which licences
  doctor        what is here, and what is missing
  prove-offline   prove in an empty network that nothing reaches out

Every command takes --help and --json. LOKAL_HOME moves the data folder.`;

async function main(args: string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(help);
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

async function runCommand({ load, operands }: Entry, args: string[]): Promise<void> {
  const command = await load();
  const { values, positionals } = parseArgs({
    args,
    options: { ...command.options, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help) return console.log(command.help);
  refuseMore(positionals, operands);
  const print: CommandInput['print'] = (value, lines) =>
    console.log(values.json ? JSON.stringify(value) : lines.join('\n'));
  await command.run({ values, positionals, print });
}

/** A second word would be dropped without a sound: of a name in two words only the first would be kept. */
function refuseMore(given: string[], operands: Entry['operands']): void {
  const most =
    typeof operands === 'number' ? operands : new Map(Object.entries(operands)).get(given[0] ?? '');
  const extra = given[most ?? given.length];
  if (extra !== undefined)
    throw new UsageError(`“${extra}” is one word too many (quotes hold words together)`);
}

/** One line a failure. A defect shows its stack: there is no one else to tell. */
function explain(error: unknown, name: string): number {
  if (error instanceof StartError) return fail(error.message, 1);
  if (error instanceof ApiError) return fail(`${error.message} (${error.code})`, 1);
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS')) {
    return fail(`${message}; lokal ${name} --help says more`, 2);
  }
  console.error(error);
  return 1;
}

function fail(line: string, code: number): number {
  console.error(`lokal: ${line}`);
  return code;
}

// The sources are TypeScript: what they compile to is kept for the next start, where there is a data folder to keep it in.
const home = dataFolder();
if (existsSync(home)) enableCompileCache(join(home, 'code-cache'));
process.exitCode = await main(process.argv.slice(2));
