/** The command `lokal`. Each command is loaded when it is called, so that --help and `keys` start at once. */
import { enableCompileCache } from 'node:module';
import { parseArgs } from 'node:util';
import { type Command, type CommandInput, UsageError } from './cli/command.ts';
import { ApiError } from './errors.ts';
import { StartError } from './start-error.ts';

const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./cli/serve.ts')).serve,
  'console-url': async () => (await import('./cli/console-url.ts')).consoleUrl,
  keys: async () => (await import('./cli/keys.ts')).keys,
  packs: async () => (await import('./cli/packs.ts')).packs,
  rules: async () => (await import('./cli/rules.ts')).rules,
  parse: async () => (await import('./cli/parse.ts')).parse,
  doctor: async () => (await import('./cli/doctor.ts')).doctor,
};

const help = `Usage: lokal COMMAND [options]

  serve         start the server
  console-url   print a link into the console of the running server
  keys          list, create, rotate and revoke API keys
  packs         list, import, bind and remove packs
  rules         list, import and switch the Sigma rules of the threat analysis
  parse FILE    read one document
  doctor        what is here, and what is missing

Every command takes --help and --json. LOKAL_HOME moves the data folder.`;

async function main(args: string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(help);
    return name === undefined ? 2 : 0;
  }
  if (name === '--version') {
    console.log((await import('./version.ts')).version);
    return 0;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) return fail(`there is no command “${name}”; lokal --help lists them`, 2);
  try {
    await runCommand(await load(), rest);
    return 0;
  } catch (error) {
    return explain(error, name);
  }
}

async function runCommand(command: Command, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { ...command.options, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help) return console.log(command.help);
  const print: CommandInput['print'] = (value, lines) =>
    console.log(values.json ? JSON.stringify(value) : lines.join('\n'));
  await command.run({ values, positionals, print });
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

// The sources are TypeScript: what they compile to is kept in the system's temporary folder for the next start.
enableCompileCache();
process.exitCode = await main(process.argv.slice(2));
